//! The functions of a program, each with its statements.

use std::collections::BTreeMap;

use rhai::{AST, ASTNode, Position, Stmt};

/// One function or closure of a program.
#[derive(Debug)]
pub(crate) struct Body {
    /// Its name; a closure's is made up by the parser.
    pub(crate) name: String,
    /// Its parameters; a closure's begin with the variables that it captures.
    pub(crate) parameters: Vec<String>,
    /// Its statements, in their order.
    pub(crate) statements: Vec<Stmt>,
    /// Where its body begins.
    pub(crate) start: Position,
    end: Position,
}

impl Body {
    fn surrounds(&self, position: Position) -> bool {
        if self.end.is_none() { position == self.start } else { (self.start..=self.end).contains(&position) }
    }
}

/// The functions and closures of a program, by name; the position of what cannot be told apart, where there is such.
///
/// The parser keeps a function's statements to itself but for a walk, which gives those of all functions without their
/// owner. Each belongs to the innermost function around it.
pub(crate) fn of(ast: &AST) -> Result<BTreeMap<String, Body>, Position> {
    let mut bodies: Vec<Body> = ast
        .shared_lib()
        .iter_script_fn_info()
        .map(|(.., definition)| Body {
            name: definition.name.to_string(),
            parameters: definition.params.iter().map(ToString::to_string).collect(),
            statements: Vec::new(),
            start: definition.body.start_position(),
            end: definition.body.end_position(),
        })
        .collect();
    let mut stray = None;
    ast.clone_functions_only().walk(&mut |path: &[ASTNode<'_>]| {
        if let [ASTNode::Stmt(statement)] = path {
            let position = statement.position();
            let around = bodies.iter_mut().filter(|body| body.surrounds(position));
            match around.max_by_key(|body| body.start) {
                Some(owner) => owner.statements.push((*statement).clone()),
                None => stray = Some(position),
            }
        }
        true
    });
    let mut named = BTreeMap::new();
    for body in bodies {
        let start = body.start;
        if named.insert(body.name.clone(), body).is_some() {
            stray = Some(start);
        }
    }
    stray.map_or(Ok(named), Err)
}
