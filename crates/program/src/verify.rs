//! Reads a parsed program before anything runs: what it calls, with what, what it reads of the results, how often.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the engine's enums are open, and few of their variants matter here"
)]

mod bodies;
mod calls;
mod expressions;
mod known;
mod schema;

use std::collections::{BTreeMap, BTreeSet};

use domain::{MethodRef, Usd};
use rhai::{AST, ASTNode, Expr, FlowControl, Position, Stmt};

use crate::names;
use crate::program::{Budget, CallSite};
use crate::rejection::{Note, NoteKind, Rejection, nearest};
use crate::signature::Signatures;
use crate::verify::bodies::Body;
use crate::verify::known::Known;

/// What verification found in a program that may run.
#[derive(Debug)]
pub(crate) struct Verified {
    pub(crate) sites: Vec<CallSite>,
    pub(crate) methods: BTreeMap<String, MethodRef>,
    /// Variables of which an item or a property is assigned.
    pub(crate) written: BTreeSet<String>,
    pub(crate) cost: Cost,
}

/// An upper bound on calls and on what they cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) calls: usize,
    pub(crate) spend: Usd,
}

impl Cost {
    fn plus(self, other: Self) -> Self {
        Self { calls: self.calls.saturating_add(other.calls), spend: self.spend + other.spend }
    }

    fn times(self, times: usize) -> Self {
        let factor = u32::try_from(times).unwrap_or(u32::MAX);
        Self { calls: self.calls.saturating_mul(times), spend: self.spend * factor }
    }

    fn or(self, other: Self) -> Self {
        Self { calls: self.calls.max(other.calls), spend: self.spend.max(other.spend) }
    }
}

/// Verifies a program against what it may call and spend.
pub(crate) fn program(ast: &AST, signatures: &Signatures, budget: Budget) -> Result<Verified, Rejection> {
    let bodies = bodies::of(ast).map_err(|position| {
        let message = "two functions have one name; give each its own";
        Rejection { notes: vec![Note::new(NoteKind::Misused, message, position)] }
    })?;
    let mut verifier = Verifier {
        signatures,
        bodies: &bodies,
        changed: changed_variables(ast),
        notes: Vec::new(),
        sites: Vec::new(),
        methods: BTreeMap::new(),
        summaries: BTreeMap::new(),
        recursive: Vec::new(),
        scope: Vec::new(),
        rounds: Some(1),
        cost: Cost::default(),
    };
    verifier.statements(ast.statements());
    verifier.functions();
    verifier.judge(budget, written_variables(ast))
}

struct Verifier<'a> {
    signatures: &'a Signatures,
    bodies: &'a BTreeMap<String, Body>,
    /// Variables that are assigned or changed after their definition: nothing is known of them.
    changed: BTreeSet<String>,
    notes: Vec<Note>,
    sites: Vec<CallSite>,
    methods: BTreeMap<String, MethodRef>,
    /// What one run of each function costs; none while it is being found.
    summaries: BTreeMap<&'a str, Option<Cost>>,
    /// Functions that were found to call themselves, on whatever way, and where.
    recursive: Vec<(&'a str, Position)>,
    scope: Vec<(&'a str, Known<'a>)>,
    /// How often the place that is being read may be reached; none where that cannot be counted.
    rounds: Option<usize>,
    cost: Cost,
}

impl<'a> Verifier<'a> {
    fn judge(mut self, budget: Budget, written: BTreeSet<String>) -> Result<Verified, Rejection> {
        for (name, position) in std::mem::take(&mut self.recursive) {
            if self.summaries.get(name).is_some_and(|cost| cost.is_some_and(|cost| cost.calls > 0)) {
                let message =
                    format!("`{name}` makes calls and calls itself; say the steps one after the other");
                self.notes.push(Note::new(NoteKind::Recursion, message, position).named(name));
            }
        }
        let cost = self.cost;
        if cost.calls > budget.calls_max {
            let message = format!("it may make {} calls, and {} are allowed", cost.calls, budget.calls_max);
            self.notes.push(Note::new(NoteKind::TooManyCalls, message, Position::NONE));
        }
        if cost.spend > budget.spend_max {
            let message =
                format!("its calls may cost {} dollars, and {} are allowed", cost.spend, budget.spend_max);
            self.notes.push(Note::new(NoteKind::TooCostly, message, Position::NONE));
        }
        if self.notes.is_empty() {
            Ok(Verified { sites: self.sites, methods: self.methods, written, cost })
        } else {
            self.notes.sort_by_key(|note| (note.line.unwrap_or(usize::MAX), note.column));
            self.notes.dedup();
            Err(Rejection { notes: self.notes })
        }
    }

    fn note(&mut self, kind: NoteKind, message: impl Into<String>, position: Position) {
        self.notes.push(Note::new(kind, message, position));
    }

    /// Reads a block: what it defines is known until its end. Its value is its last statement's.
    fn statements(&mut self, statements: &'a [Stmt]) -> Known<'a> {
        let outer = self.scope.len();
        let mut last = Known::default();
        for statement in statements {
            last = self.statement(statement);
        }
        self.scope.truncate(outer);
        last
    }

    fn statement(&mut self, statement: &'a Stmt) -> Known<'a> {
        match statement {
            Stmt::Expr(expression) => return self.expression(expression),
            Stmt::FnCall(call, position) => return self.function(call, *position),
            Stmt::Block(block) => return self.statements(block.statements()),
            Stmt::Var(definition, _, _) => {
                let known = self.expression(&definition.1);
                self.define(definition.0.name.as_str(), known);
            }
            Stmt::Assignment(assignment) => {
                self.expression(&assignment.1.rhs);
                self.expression(&assignment.1.lhs);
            }
            Stmt::If(flow, _) => return self.branches(flow),
            Stmt::While(flow, _) | Stmt::Do(flow, _, _) => self.repeated(None, |this| {
                this.expression(&flow.expr);
                this.statements(flow.body.statements());
            }),
            Stmt::For(each, _) => {
                let (item, counter, flow) = &**each;
                let over = self.expression(&flow.expr);
                self.repeated(over.items_max, |this| {
                    let outer = this.scope.len();
                    if let Some(counter) = counter {
                        this.define(counter.name.as_str(), Known::default());
                    }
                    this.define(item.name.as_str(), Known::of(over.shape.item()));
                    this.statements(flow.body.statements());
                    this.scope.truncate(outer);
                });
            }
            Stmt::TryCatch(flow, _) => {
                self.statements(flow.body.statements());
                let outer = self.scope.len();
                if let Expr::Variable(name, ..) = &flow.expr {
                    self.define(name.1.as_str(), Known::default());
                }
                self.statements(flow.branch.statements());
                self.scope.truncate(outer);
            }
            Stmt::BreakLoop(value, _, _) | Stmt::Return(value, _, _) => {
                if let Some(value) = value {
                    self.expression(value);
                }
            }
            Stmt::Switch(_, position) => {
                self.note(NoteKind::Syntax, "`switch` is not in the dialect; use `if` and `else`", *position);
            }
            Stmt::Noop(_) | Stmt::Share(_) => {}
            other => self.note(NoteKind::Syntax, "this statement is not in the dialect", other.position()),
        }
        Known::default()
    }

    /// Of two branches only one runs: the dearer one counts.
    fn branches(&mut self, flow: &'a FlowControl) -> Known<'a> {
        self.expression(&flow.expr);
        let before = self.cost;
        self.statements(flow.body.statements());
        let first = std::mem::replace(&mut self.cost, before);
        self.statements(flow.branch.statements());
        self.cost = self.cost.or(first);
        Known::default()
    }

    /// Reads what runs up to `times` times for each time that its surroundings run.
    fn repeated(&mut self, times: Option<usize>, read: impl FnOnce(&mut Self)) {
        let outer = self.rounds;
        self.rounds = outer.zip(times).map(|(outer, times)| outer.saturating_mul(times));
        read(self);
        self.rounds = outer;
    }

    fn define(&mut self, name: &'a str, known: Known<'a>) {
        let known = if self.changed.contains(name) { Known::default() } else { known };
        self.scope.push((name, known));
    }

    fn variable(&mut self, name: &str, position: Position) -> Known<'a> {
        if let Some((_, known)) = self.scope.iter().rev().find(|(other, _)| *other == name) {
            return known.clone();
        }
        let message = if self.bodies.contains_key(name) {
            format!("`{name}` is a function, which is no value; write a closure: `|x| {name}(x)`")
        } else {
            let known = nearest(name, self.scope.iter().map(|(other, _)| *other));
            format!("there is no variable `{name}` here; the nearest are: {known}")
        };
        self.notes.push(Note::new(NoteKind::UnknownVariable, message, position).named(name));
        Known::default()
    }

    /// Counts what is called here, for each time that this place may be reached.
    fn charge(&mut self, cost: Cost, what: &str, position: Position) {
        if cost.calls == 0 {
            return;
        }
        if let Some(rounds) = self.rounds {
            self.cost = self.cost.plus(cost.times(rounds));
            return;
        }
        let message = format!(
            "{what} is called in a loop whose rounds cannot be counted; loop over an array literal, a literal range, or \
             `take(items, 5)`"
        );
        self.note(NoteKind::UnboundedCall, message, position);
    }

    /// What one run of a function of the program costs.
    fn summary(&mut self, body: &'a Body, position: Position) -> Cost {
        match self.summaries.get(body.name.as_str()) {
            Some(Some(cost)) => return *cost,
            Some(None) => {
                self.recursive.push((&body.name, position));
                return Cost::default();
            }
            None => {}
        }
        self.summaries.insert(&body.name, None);
        let outer = (std::mem::take(&mut self.scope), self.rounds.replace(1), std::mem::take(&mut self.cost));
        for parameter in &body.parameters {
            self.define(parameter, Known::default());
        }
        self.statements(&body.statements);
        let cost = self.cost;
        (self.scope, self.rounds, self.cost) = outer;
        self.summaries.insert(&body.name, Some(cost));
        cost
    }

    /// Functions that nothing calls are read all the same, so that each call site is known and right; and none may
    /// stand in for one of the host's.
    fn functions(&mut self) {
        let bodies = self.bodies;
        for body in bodies.values().filter(|body| !body.name.starts_with(CLOSURE)) {
            if names::FUNCTIONS.contains(&body.name.as_str()) {
                let message = format!("`{}` is there already; give the function another name", body.name);
                self.notes.push(Note::new(NoteKind::Misused, message, body.start).named(&body.name));
            }
            if !self.summaries.contains_key(body.name.as_str()) {
                self.summary(body, Position::NONE);
            }
        }
    }
}

/// How the parser's names for closures begin.
const CLOSURE: &str = "anon$";

/// The variables that are assigned anywhere, whole or in part, or changed in place.
fn changed_variables(ast: &AST) -> BTreeSet<String> {
    let mut changed = BTreeSet::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => {
                changed.extend(root_variable(&assignment.1.lhs));
            }
            Some(ASTNode::Stmt(Stmt::FnCall(call, _)) | ASTNode::Expr(Expr::FnCall(call, _)))
                if names::CHANGE.contains(&call.name.as_str()) =>
            {
                changed.extend(call.args.first().and_then(root_variable));
            }
            Some(ASTNode::Expr(chain @ (Expr::Dot(..) | Expr::Index(..)))) if changes(chain) => {
                changed.extend(root_variable(chain));
            }
            _ => {}
        }
        true
    });
    changed
}

/// The variables of which an item or a property is assigned anywhere.
pub(crate) fn written_variables(ast: &AST) -> BTreeSet<String> {
    let mut written = BTreeSet::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last()
            && !matches!(assignment.1.lhs, Expr::Variable(..))
        {
            written.extend(root_variable(&assignment.1.lhs));
        }
        true
    });
    written
}

fn root_variable(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Variable(variable, ..) => Some(variable.1.to_string()),
        Expr::Dot(chain, ..) | Expr::Index(chain, ..) => root_variable(&chain.lhs),
        _ => None,
    }
}

fn changes(chain: &Expr) -> bool {
    match chain {
        Expr::Dot(links, ..) | Expr::Index(links, ..) => changes(&links.lhs) || changes(&links.rhs),
        Expr::MethodCall(call, _) => names::CHANGE.contains(&call.name.as_str()),
        _ => false,
    }
}
