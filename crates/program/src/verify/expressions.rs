//! Expressions: what is known of each, and what each reads of a result.

use std::collections::BTreeMap;

use rhai::{ASTFlags, Expr, FnCallExpr, FnPtr, Position, Stmt};

use crate::names;
use crate::rejection::{Note, NoteKind, nearest};
use crate::verify::known::{Known, Shape};
use crate::verify::schema::{self, Lookup};
use crate::verify::{CLOSURE, Verifier};

/// Properties that arrays, maps and text have of themselves.
const OWN_PROPERTIES: [&str; 3] = ["len", "is_empty", "chars"];

#[derive(Clone, Copy)]
enum Link {
    Dot,
    Index,
}

impl<'a> Verifier<'a> {
    /// Reads an expression.
    pub(super) fn expression(&mut self, expression: &'a Expr) -> Known<'a> {
        match expression {
            Expr::Variable(variable, _, position) => return self.variable(variable.1.as_str(), *position),
            Expr::Array(items, _) => {
                let shapes: Vec<_> = items.iter().map(|item| self.expression(item).shape).collect();
                let count = shapes.len();
                return Known::of(Shape::Tuple(shapes)).with_items_max(Some(count));
            }
            Expr::Map(map, _) => {
                let fields =
                    map.0.iter().map(|(key, value)| (key.name.to_string(), self.expression(value).shape));
                return Known::of(Shape::Fields(fields.collect()));
            }
            Expr::Dot(links, flags, _) => {
                let base = self.expression(&links.lhs);
                return self.chain(&base, Link::Dot, &links.rhs, *flags);
            }
            Expr::Index(links, flags, _) => {
                let base = self.expression(&links.lhs);
                return self.chain(&base, Link::Index, &links.rhs, *flags);
            }
            Expr::FnCall(call, position) => return self.function(call, *position),
            Expr::Stmt(block) => return self.statements(block.statements()),
            Expr::InterpolatedString(segments, _) => {
                for segment in segments {
                    self.expression(segment);
                }
            }
            Expr::And(parts, _) | Expr::Or(parts, _) | Expr::Coalesce(parts, _) => {
                for part in parts.iter() {
                    self.expression(part);
                }
            }
            Expr::DynamicConstant(_, position) => self.note(
                NoteKind::Misused,
                format!(
                    "a closure may stand only as an argument of one of: {}",
                    names::TAKE_CLOSURES.join(", ")
                ),
                *position,
            ),
            _ => {}
        }
        Known::default()
    }

    /// Reads what follows a value: `.property`, `.method(..)`, `[index]`, and so on to the end of the chain.
    fn chain(&mut self, base: &Known<'a>, link: Link, rest: &'a Expr, flags: ASTFlags) -> Known<'a> {
        let next = match (rest, link) {
            (_, Link::Index) if flags.contains(ASTFlags::BREAK) => None,
            (Expr::Dot(links, flags, _), _) => Some((links, Link::Dot, *flags)),
            (Expr::Index(links, flags, _), _) => Some((links, Link::Index, *flags)),
            _ => None,
        };
        match next {
            Some((links, next_link, next_flags)) => {
                let value = self.link(base, link, &links.lhs);
                self.chain(&value, next_link, &links.rhs, next_flags)
            }
            None => self.link(base, link, rest),
        }
    }

    fn link(&mut self, base: &Known<'a>, link: Link, at: &'a Expr) -> Known<'a> {
        match (link, at) {
            (Link::Dot, Expr::Property(property, position)) => {
                self.property(base, property.2.as_str(), *position)
            }
            (Link::Dot, Expr::MethodCall(call, position)) => self.method(base, call, *position),
            (Link::Dot, _) => Known::default(),
            (Link::Index, Expr::StringConstant(name, position)) => {
                self.property(base, name.as_str(), *position)
            }
            (Link::Index, index) => {
                self.expression(index);
                let index = schema::literal(index).and_then(|index| index.as_u64());
                Known::of(base.shape.item_at(index.and_then(|index| usize::try_from(index).ok())))
            }
        }
    }

    fn property(&mut self, base: &Known<'a>, name: &'a str, position: Position) -> Known<'a> {
        match &base.shape {
            Shape::Fields(fields) => Known::of(fields.get(name).cloned().unwrap_or_default()),
            Shape::Result(schema) => match schema.property(name) {
                Lookup::Found(schema) => Known::of(Shape::Result(schema)),
                Lookup::Open => Known::default(),
                Lookup::Missing(_) | Lookup::Scalar if OWN_PROPERTIES.contains(&name) => Known::default(),
                Lookup::Missing(known) => {
                    let known = nearest(name, known.into_iter());
                    let message = format!("the result has no property `{name}`; there are: {known}");
                    self.notes.push(Note::new(NoteKind::UnknownProperty, message, position).named(name));
                    Known::default()
                }
                Lookup::Scalar => {
                    let types =
                        schema.types().unwrap_or_default().into_iter().collect::<Vec<_>>().join(" or ");
                    let message = format!("`{name}` is read from {types}, which has no properties");
                    self.notes.push(Note::new(NoteKind::UnknownProperty, message, position).named(name));
                    Known::default()
                }
            },
            Shape::Unknown | Shape::Items(_) | Shape::Tuple(_) => Known::default(),
        }
    }

    /// Reads `name(arguments)`.
    pub(super) fn function(&mut self, call: &'a FnCallExpr, position: Position) -> Known<'a> {
        if call.op_token.is_some() {
            for argument in &call.args {
                self.expression(argument);
            }
            return range_of(call);
        }
        match call.name.as_str() {
            names::CALL_TOOL => self.call_tool(&call.args, position),
            names::CALL_ALL => self.call_all(&call.args, position),
            _ => {
                let (first, rest) = match call.args.split_first() {
                    Some((first, rest)) => (self.expression(first), rest),
                    None => (Known::default(), call.args.as_slice()),
                };
                self.apply(&first, call, rest, position)
            }
        }
    }

    fn method(&mut self, base: &Known<'a>, call: &'a FnCallExpr, position: Position) -> Known<'a> {
        let name = call.name.as_str();
        if [names::CALL_TOOL, names::CALL_ALL].contains(&name) || self.bodies.contains_key(name) {
            self.note(NoteKind::Misused, format!("write `{name}(..)`, not `value.{name}(..)`"), position);
            return Known::default();
        }
        self.apply(base, call, &call.args, position)
    }

    /// Reads a function applied to a first value and to further arguments, closures among them.
    fn apply(
        &mut self,
        first: &Known<'a>,
        call: &'a FnCallExpr,
        rest: &'a [Expr],
        position: Position,
    ) -> Known<'a> {
        let name = call.name.as_str();
        for argument in rest {
            match closure_of(argument) {
                Some(closure) if names::TAKE_CLOSURES.contains(&name) => self.closure(first, name, &closure),
                _ => {
                    self.expression(argument);
                }
            }
        }
        let bodies = self.bodies;
        if let Some(body) = bodies.get(name) {
            let cost = self.summary(body, position);
            self.charge(cost, name, position);
            return Known::default();
        }
        if !names::FUNCTIONS.contains(&name) {
            let own = bodies.keys().map(String::as_str).filter(|name| !name.starts_with(CLOSURE));
            let known = nearest(name, names::FUNCTIONS.into_iter().chain(own));
            let message = format!("there is no function `{name}`; the nearest are: {known}");
            self.notes.push(Note::new(NoteKind::UnknownFunction, message, position).named(name));
            return Known::default();
        }
        self.check_key(first, name, rest);
        result_of(first, name, rest)
    }

    /// Reads a closure's body once for each item of what it is applied to.
    fn closure(&mut self, over: &Known<'a>, applied_by: &str, closure: &Closure) {
        let bodies = self.bodies;
        let Some(body) = bodies.get(&closure.name) else { return };
        let item = over.shape.item();
        let (items, rounds) = match applied_by {
            "sort" | "sort_by" | "order" | "order_by" | "dedup" => (0..2, None),
            "reduce" | "reduce_rev" => (1..2, over.items_max),
            "zip" => (0..0, over.items_max),
            _ => (0..1, over.items_max),
        };
        self.repeated(rounds, |this| {
            let outer = this.scope.len();
            for (place, parameter) in body.parameters.iter().skip(closure.captured).enumerate() {
                let shape = if items.contains(&place) { item.clone() } else { Shape::Unknown };
                this.define(parameter, Known::of(shape));
            }
            this.statements(&body.statements);
            this.scope.truncate(outer);
        });
    }

    /// A literal key of `sort_by(rows, "key")` and its like is a property that is read.
    fn check_key(&mut self, rows: &Known<'a>, name: &str, rest: &'a [Expr]) {
        if let (
            "sort_by" | "sort_by_desc" | "top" | "sum" | "mean" | "pluck",
            [Expr::StringConstant(key, at), ..],
        ) = (name, rest)
        {
            self.property(&Known::of(rows.shape.item()), key.as_str(), *at);
        }
    }
}

/// What is known of a function's result.
fn result_of<'a>(first: &Known<'a>, name: &str, rest: &[Expr]) -> Known<'a> {
    let count = |argument: Option<&Expr>| {
        let count = argument.and_then(schema::literal).and_then(|count| count.as_i64());
        count.map(|count| usize::try_from(count).unwrap_or(0))
    };
    let fewest = |count: Option<usize>| match (count, first.items_max) {
        (Some(count), Some(items_max)) => Some(count.min(items_max)),
        (count, items_max) => count.or(items_max),
    };
    match name {
        names::SETTLE => Known::of(first.shape.clone().settled()),
        names::SETTLE_ALL => Known::of(first.shape.clone().settled_all()).with_items_max(first.items_max),
        "take" => Known::of(kept(first)).with_items_max(fewest(count(rest.first()))),
        "top" | "extract" if rest.len() > 1 => {
            Known::of(kept(first)).with_items_max(fewest(count(rest.get(1))))
        }
        "map" | "keys" | "values" | "pluck" => Known::of(Shape::Unknown).with_items_max(first.items_max),
        "find" | "pop" | "shift" => Known::of(first.shape.item()),
        "range" => Known::default(),
        _ if names::KEEP_ITEMS.contains(&name) => Known::of(kept(first)).with_items_max(first.items_max),
        _ => Known::default(),
    }
}

/// The shape of an array that has some of another's items, perhaps in another order.
fn kept<'a>(first: &Known<'a>) -> Shape<'a> {
    match &first.shape {
        Shape::Tuple(_) => Shape::Items(Box::new(first.shape.item())),
        Shape::Unknown | Shape::Result(_) | Shape::Items(_) | Shape::Fields(_) => first.shape.clone(),
    }
}

/// How many items a literal range has.
fn range_of<'a>(call: &FnCallExpr) -> Known<'a> {
    let bound =
        |place: usize| call.args.get(place).and_then(schema::literal).and_then(|bound| bound.as_i64());
    let items = match (call.name.as_str(), bound(0), bound(1)) {
        ("..", Some(start), Some(end)) => end.checked_sub(start),
        ("..=", Some(start), Some(end)) => end.checked_sub(start).and_then(|items| items.checked_add(1)),
        _ => None,
    };
    Known::default().with_items_max(items.map(|items| usize::try_from(items).unwrap_or(0)))
}

/// A closure in an argument's place.
struct Closure {
    name: String,
    /// How many of its first parameters are variables that it captures.
    captured: usize,
}

fn closure_of(expression: &Expr) -> Option<Closure> {
    match expression {
        Expr::DynamicConstant(value, _) => {
            Some(Closure { name: value.read_lock::<FnPtr>()?.fn_name().to_owned(), captured: 0 })
        }
        Expr::Stmt(block) => match block.statements() {
            [Stmt::Share(_), Stmt::Expr(curried)] => match &**curried {
                Expr::FnCall(call, _) => {
                    let (closure, captured) = call.args.split_first()?;
                    Some(Closure { captured: captured.len(), ..closure_of(closure)? })
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The fields of a map literal, by name.
pub(super) fn fields(map: &Expr) -> Option<BTreeMap<&str, &Expr>> {
    match map {
        Expr::Map(map, _) => Some(map.0.iter().map(|(key, value)| (key.name.as_str(), value)).collect()),
        _ => None,
    }
}
