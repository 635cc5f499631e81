//! The raw Rhai engine with everything that a program may do, and nothing else.

use std::sync::{Arc, LazyLock};

use policy::Sandbox;
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicIteratorPackage, BasicMapPackage, BasicMathPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{Dynamic, Engine, EvalContext, Module, OptimizationLevel, Shared};

use crate::held::Held;
use crate::meter::Stop;
use crate::names;
use crate::pass::Pass;
use crate::raise::{self, Raised};
use crate::{library, surface};

/// Every function of the sandbox; what is not in here cannot be called. There is no `sleep`, no clock, no module.
static MODULES: LazyLock<Vec<Shared<Module>>> = LazyLock::new(|| {
    vec![
        ArithmeticPackage::new().as_shared_module(),
        LogicPackage::new().as_shared_module(),
        BasicStringPackage::new().as_shared_module(),
        MoreStringPackage::new().as_shared_module(),
        BasicIteratorPackage::new().as_shared_module(),
        BasicMathPackage::new().as_shared_module(),
        BasicArrayPackage::new().as_shared_module(),
        BasicMapPackage::new().as_shared_module(),
        library::module().into(),
        surface::module().into(),
    ]
});

/// An engine that parses under the limits.
pub(crate) fn for_parsing(limits: &Sandbox) -> Engine {
    let mut engine = Engine::new_raw();
    // The optimizer has dropped statements that should have failed.
    engine.set_optimization_level(OptimizationLevel::None);
    engine.set_strict_variables(true);
    engine.set_fail_on_invalid_map_property(true);
    engine.set_allow_shadowing(false);
    // A whole result that is text is known by its allocation, which interning would exchange.
    engine.set_max_strings_interned(0);
    engine.set_max_call_levels(limits.call_depth_max);
    engine.set_max_expr_depths(limits.expression_depth_max, limits.function_expression_depth_max);
    engine.set_max_functions(limits.functions_max);
    engine.set_max_variables(limits.variables_max);
    engine.set_max_array_size(limits.array_items_max);
    engine.set_max_map_size(limits.map_items_max);
    engine.set_max_string_size(limits.string_bytes_max);
    for symbol in names::DISABLED {
        engine.disable_symbol(symbol);
    }
    engine
}

/// An engine that runs one pass.
pub(crate) fn for_pass(pass: &Arc<Pass>, operations_left: u64) -> Engine {
    let limits = pass.limits();
    let mut engine = for_parsing(limits);
    for module in &*MODULES {
        engine.register_global_module(Shared::clone(module));
    }
    engine.set_max_operations(operations_left);
    engine.set_default_tag(Dynamic::from(Arc::clone(pass)));
    let meter = Arc::clone(&pass.meter);
    engine.on_progress(move |operations| meter.observe(operations).map(Dynamic::from));
    bound_variables(&mut engine, pass);
    read_results(&mut engine, limits.array_items_max);
    engine
}

/// Assigning to an item or a property skips the engine's checks of size. So each look at a variable that is written in
/// this way checks what it holds, and gives up counting where the limit is passed.
fn bound_variables(engine: &mut Engine, pass: &Arc<Pass>) {
    let limits = pass.limits();
    let bounds = Bounds {
        items_max: limits.array_items_max + limits.map_items_max,
        depth_max: limits.value_depth_max,
    };
    let pass = Arc::clone(pass);
    let check = move |name: &str,
                      _: usize,
                      context: EvalContext<'_, '_, '_, '_, '_, '_>|
          -> Raised<Option<Dynamic>> {
        match context.scope().get(name) {
            Some(value) if pass.is_written(name) => bounds.check(value).map(|()| None),
            Some(_) => Ok(None),
            None => Err(raise::script(format!("there is no variable `{name}` here"))),
        }
    };
    #[expect(deprecated, reason = "marked so only because it may change")]
    engine.on_var(check);
}

#[derive(Clone, Copy)]
struct Bounds {
    items_max: usize,
    depth_max: usize,
}

impl Bounds {
    fn check(self, value: &Dynamic) -> Raised<()> {
        self.count(value, 0, &mut 0).map_err(|limit| raise::stop(Stop::Limit(limit)))
    }

    fn count(self, value: &Dynamic, depth: usize, items: &mut usize) -> Result<(), &'static str> {
        if depth > self.depth_max {
            return Err("value_depth_max");
        }
        if let Ok(array) = value.as_array_ref() {
            *items += array.len();
            if *items > self.items_max {
                return Err("array_items_max");
            }
            return array.iter().try_for_each(|item| self.count(item, depth + 1, items));
        }
        if let Ok(map) = value.as_map_ref() {
            *items += map.len();
            if *items > self.items_max {
                return Err("map_items_max");
            }
            return map.values().try_for_each(|value| self.count(value, depth + 1, items));
        }
        Ok(())
    }
}

/// A function that knows no results gets them as the interpreter's own values, one level deep.
fn read_results(engine: &mut Engine, items_max: usize) {
    let read = move |name: &str,
                     arguments: &mut [&mut Dynamic],
                     _: bool,
                     mut context: EvalContext<'_, '_, '_, '_, '_, '_>|
          -> Raised<Option<Dynamic>> {
        if !arguments.iter().any(|argument| argument.is::<Held>()) {
            return Ok(None);
        }
        let mut opened = Vec::with_capacity(arguments.len());
        for (place, argument) in arguments.iter().enumerate() {
            let held = argument.read_lock::<Held>();
            let Some(held) = held else {
                opened.push((**argument).clone());
                continue;
            };
            let node = held.settle()?;
            if place == 0 && names::CHANGE.contains(&name) {
                return Err(raise::script(format!(
                    "a result is read-only, so `{name}` cannot change it; change a copy: `let rows = copy(result.rows);`"
                )));
            }
            opened.push(node.opened(items_max)?);
        }
        let mut references: Vec<&mut Dynamic> = opened.iter_mut().collect();
        context.call_native_fn_raw(name, true, &mut references).map(Some)
    };
    #[expect(deprecated, reason = "marked so only because it may change")]
    engine.on_missing_function(read);
}
