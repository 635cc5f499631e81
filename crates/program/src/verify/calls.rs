//! Call sites: `call_tool` and `call_all` against the signatures.

use rhai::{Expr, Position};

use crate::program::CallSite;
use crate::rejection::{Note, NoteKind, nearest};
use crate::verify::known::{Known, Shape};
use crate::verify::schema::{self, Schema};
use crate::verify::{Cost, Verifier, expressions};

const CALL_TOOL_FORM: &str = "write `call_tool(\"alias.method\", #{argument: value})`";
const CALL_ALL_FORM: &str = "write `call_all([#{tool: \"alias.method\", args: #{argument: value}}, ..])`";

impl<'a> Verifier<'a> {
    /// Reads `call_tool("alias.method", #{..})`.
    pub(super) fn call_tool(&mut self, arguments: &'a [Expr], position: Position) -> Known<'a> {
        match arguments {
            [name] => self.site(name, None, position),
            [name, given] => self.site(name, Some(given), position),
            _ => {
                self.note(NoteKind::Misused, CALL_TOOL_FORM, position);
                Known::default()
            }
        }
    }

    /// Reads `call_all([#{tool: "alias.method", args: #{..}}, ..])`.
    pub(super) fn call_all(&mut self, arguments: &'a [Expr], position: Position) -> Known<'a> {
        let [Expr::Array(items, _)] = arguments else {
            self.note(NoteKind::Misused, format!("{CALL_ALL_FORM}, the array as a literal"), position);
            return Known::default();
        };
        let mut shapes = Vec::with_capacity(items.len());
        for item in items {
            let fields = expressions::fields(item).unwrap_or_default();
            let stray = fields.keys().any(|key| !["tool", "args"].contains(key));
            match fields.get("tool") {
                Some(name) if !stray => {
                    shapes.push(self.site(name, fields.get("args").copied(), item.position()).shape);
                }
                _ => self.note(NoteKind::Misused, CALL_ALL_FORM, item.position()),
            }
        }
        let count = shapes.len();
        Known::of(Shape::Tuple(shapes)).with_items_max(Some(count))
    }

    fn site(&mut self, name: &'a Expr, given: Option<&'a Expr>, position: Position) -> Known<'a> {
        if let Some(given) = given {
            self.expression(given);
        }
        let Expr::StringConstant(literal, at) = name else {
            let message = format!("the method's name must be a literal; {CALL_TOOL_FORM}");
            self.note(NoteKind::MethodNotLiteral, message, position);
            return Known::default();
        };
        let signatures = self.signatures;
        let Some(signature) = signatures.get(literal) else {
            let known = nearest(literal, signatures.names());
            let message = format!("there is no method `{literal}`; the nearest are: {known}");
            self.notes.push(Note::new(NoteKind::UnknownMethod, message, *at).named(literal.as_str()));
            return Known::default();
        };
        let input = Schema::new(&signature.method.input_schema);
        match given {
            Some(Expr::Map(map, at)) => {
                let given: Vec<_> = map.0.iter().map(|(key, value)| (key.name.as_str(), value)).collect();
                self.notes.extend(input.notes_on_properties(&given, &signature.name, *at));
            }
            None => self.notes.extend(input.notes_on_properties(&[], &signature.name, position)),
            Some(other) if schema::literal(other).is_some() => {
                self.note(NoteKind::Misused, CALL_TOOL_FORM, position);
            }
            Some(_) => {}
        }
        self.charge(Cost { calls: 1, spend: signature.price }, &signature.name, position);
        self.methods.insert(signature.name.clone(), signature.method_ref());
        self.sites.push(CallSite {
            method: signature.name.clone(),
            line: position.line().unwrap_or(0),
            column: position.position().unwrap_or(0),
        });
        Known::of(
            signature
                .method
                .output_schema
                .as_ref()
                .map_or(Shape::Unknown, |output| Shape::Result(Schema::new(output))),
        )
    }
}
