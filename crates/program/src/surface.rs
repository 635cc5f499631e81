//! The host's functions about calls, and reading what calls give.

use std::any::TypeId;
use std::sync::Arc;

use rhai::{Array, Dynamic, FuncRegistration, ImmutableString, Map, Module, NativeCallContext};
use serde_json::Value;

use crate::convert::Writer;
use crate::held::{self, Held};
use crate::names;
use crate::pass::{Pass, Site};
use crate::raise::{self, Raised};

/// The module with everything about calls and results.
pub(crate) fn module() -> Module {
    let mut module = Module::new();
    module.set_custom_type::<Held>("result");
    register_calls(&mut module);
    register_reading(&mut module);
    register_comparisons(&mut module);
    register_text(&mut module);
    module.build_index();
    module
}

fn register_calls(module: &mut Module) {
    let call_tool = |context: NativeCallContext<'_>, name: ImmutableString, arguments: Map| {
        pass(&context)?.ask(&name, &arguments, Site { at: context.call_position(), item: None })
    };
    let call_bare = |context: NativeCallContext<'_>, name: ImmutableString| {
        pass(&context)?.ask(&name, &Map::new(), Site { at: context.call_position(), item: None })
    };
    FuncRegistration::new(names::CALL_TOOL).set_into_module(module, call_tool);
    FuncRegistration::new(names::CALL_TOOL).set_into_module(module, call_bare);
    FuncRegistration::new(names::CALL_ALL)
        .set_into_module(module, |context: NativeCallContext<'_>, calls: Array| call_all(&context, calls));
    FuncRegistration::new(names::SETTLE).set_into_module(module, settle);
    FuncRegistration::new(names::SETTLE_ALL).set_into_module(module, |calls: Array| -> Raised<Array> {
        suspend_on_any(&calls)?;
        calls.into_iter().map(settle).collect()
    });
}

fn call_all(context: &NativeCallContext<'_>, calls: Array) -> Raised<Array> {
    let pass = pass(context)?;
    let ask = |(item, call): (usize, Dynamic)| {
        let call = call.try_cast::<Map>().unwrap_or_default();
        let name = call.get("tool").cloned().unwrap_or_default().into_immutable_string().unwrap_or_default();
        let arguments = match call.get("args") {
            Some(arguments) => arguments.clone().try_cast::<Map>(),
            None => Some(Map::new()),
        };
        let arguments = arguments.ok_or_else(|| raise::script("`args` must be a map"))?;
        pass.ask(&name, &arguments, Site { at: context.call_position(), item: Some(item) })
    };
    calls.into_iter().enumerate().map(ask).collect()
}

/// A call's outcome as data: `#{ok: true, value: ..}` or `#{ok: false, fault: #{kind, message, method}}`.
fn settle(value: Dynamic) -> Raised<Dynamic> {
    let fault = match value.read_lock::<Held>().as_deref() {
        Some(Held::Failed(entry, _)) => Some(raise::fault_map(entry)),
        Some(pending @ Held::Pending(_)) => return pending.settle().map(held::Node::to_dynamic),
        Some(Held::Data(_)) | None => None,
    };
    let map = match fault {
        Some(fault) => Map::from([("ok".into(), false.into()), ("fault".into(), fault.into())]),
        None => Map::from([("ok".into(), true.into()), ("value".into(), value)]),
    };
    Ok(map.into())
}

fn suspend_on_any(values: &Array) -> Raised<()> {
    for value in values {
        if let Some(pending @ Held::Pending(_)) = value.read_lock::<Held>().as_deref() {
            pending.settle()?;
        }
    }
    Ok(())
}

fn register_reading(module: &mut Module) {
    module.set_indexer_get_fn(|held: &mut Held, name: ImmutableString| held.settle()?.property(&name));
    module.set_indexer_get_fn(|held: &mut Held, index: i64| held.settle()?.item(index));
    module.set_indexer_set_fn(|held: &mut Held, name: ImmutableString, value: Dynamic| {
        unchanged(&held.settle()?.property(&name)?, &value, &name)
    });
    module.set_indexer_set_fn(|held: &mut Held, index: i64, value: Dynamic| {
        unchanged(&held.settle()?.item(index)?, &value, &index.to_string())
    });
    FuncRegistration::new("get")
        .set_into_module(module, |held: Held, name: ImmutableString| -> Raised<Dynamic> {
            Ok(held.settle()?.property_or_unit(&name))
        });
    FuncRegistration::new("get").set_into_module(module, |held: Held, index: i64| -> Raised<Dynamic> {
        let node = held.settle()?;
        Ok(node.item(index).unwrap_or_default())
    });
    FuncRegistration::new("len")
        .set_into_module(module, |held: Held| -> Raised<Dynamic> { Ok(held::count(held.settle()?.len())) });
    FuncRegistration::new("is_empty")
        .set_into_module(module, |held: Held| -> Raised<bool> { Ok(held.settle()?.len() == 0) });
    module.set_iter_result(TypeId::of::<Held>(), |held| {
        let items = match held.try_cast::<Held>() {
            Some(held) => held.settle().and_then(|node| {
                node.items().ok_or_else(|| {
                    raise::script("a map has no items; loop over its `.keys()` or `.values()`")
                })
            }),
            None => Err(raise::script("no items")),
        };
        match items {
            Ok(items) => Box::new(items.map(Ok)),
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    });
}

/// After a method call on a property the engine writes the property back; only a write that changes nothing is no change.
fn unchanged(now: &Dynamic, value: &Dynamic, name: &str) -> Raised<()> {
    let same = match (now.read_lock::<Held>().as_deref(), value.read_lock::<Held>().as_deref()) {
        (Some(Held::Data(now)), Some(Held::Data(value))) => now.is(value),
        (None, None) => now.type_id() == value.type_id() && now.to_string() == value.to_string(),
        _ => false,
    };
    if same {
        return Ok(());
    }
    Err(raise::script(format!(
        "a result is read-only, so `{name}` cannot be set; build a new map: `#{{..}}`"
    )))
}

/// Without these the engine would call values of different types different and let a pending one pass.
fn register_comparisons(module: &mut Module) {
    for operator in ["==", "!=", "<", "<=", ">", ">="] {
        let left = move |context: NativeCallContext<'_>, held: Held, other: Dynamic| {
            compare(&context, operator, &Dynamic::from(held), &other)
        };
        let right = move |context: NativeCallContext<'_>, other: Dynamic, held: Held| {
            compare(&context, operator, &other, &Dynamic::from(held))
        };
        FuncRegistration::new(operator).set_into_module(module, left);
        FuncRegistration::new(operator).set_into_module(module, right);
    }
    for operator in ["+=", "-=", "*=", "/=", "%="] {
        let assign = move |_: &mut Dynamic, held: Held| -> Raised<()> {
            held.settle()?;
            Err(raise::script(format!("`{operator}` wants a scalar, not a whole array or map of a result")))
        };
        FuncRegistration::new(operator).set_into_module(module, assign);
    }
}

fn compare(context: &NativeCallContext<'_>, operator: &str, left: &Dynamic, right: &Dynamic) -> Raised<bool> {
    let pass = pass(context)?;
    let write = |value: &Dynamic| -> Raised<Value> {
        if let Some(held) = value.read_lock::<Held>() {
            held.settle()?;
        }
        Writer::new(&pass.meter, pass.limits()).write(value, 0).map_err(raise::unwritable)
    };
    let equal = write(left)? == write(right)?;
    match operator {
        "==" => Ok(equal),
        "!=" => Ok(!equal),
        _ => Err(raise::script(format!("`{operator}` wants scalars, not a whole array or map of a result"))),
    }
}

fn register_text(module: &mut Module) {
    for name in ["to_string", "to_debug"] {
        FuncRegistration::new(name).set_into_module(module, |held: Held| held.print());
    }
    FuncRegistration::new("+").set_into_module(
        module,
        |text: ImmutableString, held: Held| -> Raised<ImmutableString> {
            Ok(text + held.settle()?.value().to_string())
        },
    );
    FuncRegistration::new("+").set_into_module(
        module,
        |held: Held, text: ImmutableString| -> Raised<ImmutableString> {
            Ok(ImmutableString::from(held.settle()?.value().to_string()) + text)
        },
    );
    let to_json = |context: NativeCallContext<'_>, value: Dynamic| -> Raised<String> {
        let pass = pass(&context)?;
        let written = Writer::new(&pass.meter, pass.limits()).write(&value, 0).map_err(raise::unwritable)?;
        Ok(written.to_string())
    };
    FuncRegistration::new("to_json").set_into_module(module, to_json);
    FuncRegistration::new("to_json")
        .set_into_module(module, move |context: NativeCallContext<'_>, map: Map| {
            to_json(context, map.into())
        });
}

/// The pass that a host function is called in.
pub(crate) fn pass(context: &NativeCallContext<'_>) -> Raised<Arc<Pass>> {
    let tag = context.tag().and_then(|tag| tag.read_lock::<Arc<Pass>>().map(|pass| Arc::clone(&pass)));
    tag.ok_or_else(|| raise::script("there is no program here"))
}
