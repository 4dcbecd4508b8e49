//! The table of models: which function is modelled by what. To add a function, add a line.
//!
//! A model is a Rust function of one of the sibling modules; `c("__selvedge_f", n)` calls the function of that name in
//! the models' C sources with the first n arguments; `not("reason")` says why there is no model. Names that come in
//! families (`__VERIFIER_nondet_…`, `atomic_…`, `__sync_…`, `__builtin_…_overflow`) are recognised by [`find`].

mod entries;

use super::{Model, ModelCall, Modelled, atomics, externals, nondet, overflow};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

static TABLE: LazyLock<FxHashMap<&'static str, Model>> =
    LazyLock::new(|| entries::groups().into_iter().flatten().copied().collect());

/// The model of a library function or compiler builtin.
pub fn find(name: &str) -> Option<Model> {
    if let Some(model) = TABLE.get(name) {
        return Some(*model);
    }
    if atomics::is_atomic(name) {
        return Some(atomics::operation);
    }
    if overflow::is_overflow(name) {
        return Some(overflow::checked);
    }
    if nondet::is_nondet(name) {
        return Some(nondet::any);
    }
    // What the compiler and the C library's headers call a function by another name for.
    let plain = |prefix: &&str| name.strip_prefix(*prefix);
    let named = ["__builtin_", "__isoc99_", "__isoc23_"].iter().find_map(plain);
    if let Some(model) = named.and_then(|name| TABLE.get(name)) {
        return Some(*model);
    }
    (externals::is_listed(name) || named.is_some_and(externals::is_listed)).then_some(externals::model as Model)
}

/// Why a function of the library is only known roughly, if it is one.
pub fn roughness(name: &str) -> Option<&'static str> {
    static ROUGH: LazyLock<FxHashMap<&'static str, &'static str>> = LazyLock::new(|| {
        let of_reason = |(reason, names): &(&'static str, &'static [&'static str])| {
            names.iter().map(|name| (*name, *reason)).collect::<Vec<_>>()
        };
        entries::ROUGH.iter().flat_map(of_reason).collect()
    });
    ROUGH.get(name).copied()
}

/// Whether some calls of a function are known only roughly.
pub fn may_be_rough(name: &str) -> bool {
    matches!(name, "syscall" | "mmap" | "pthread_setcanceltype")
        || externals::may_be_rough(name)
        || roughness(name).is_some()
}

/// All names that stand in the table one by one, in its order.
pub fn names() -> impl Iterator<Item = &'static str> {
    let rough = entries::ROUGH.iter().flat_map(|(_, names)| names.iter().copied());
    entries::groups().into_iter().flatten().map(|(name, _)| *name).chain(rough)
}

/// The reason why a function that stands in the table is not modelled at all.
fn not_modelled(call: &mut ModelCall<'_, '_>, reason: &str) -> Modelled {
    if call.name.starts_with("__selvedge_") {
        return Modelled::Unsupported(reason.to_owned());
    }
    Modelled::Unsupported(format!("call of `{}`: {reason}", call.plain_name()))
}
