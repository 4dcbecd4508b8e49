//! Functions of which the library promises what they read, write and return, and of which no more needs to be known.
//!
//! The tables in `externals/` say that, one line per function; here is the one mechanism that makes edges of a line:
//! reads of what the function reads, writes of any values to what it writes, and any result that it can have. What a
//! function can leave undone when it fails is done or not, both ways.

mod apply;
mod parse;
mod result;

pub use apply::has_pointers;
pub(super) use parse::Point;
pub use parse::{Answer, Effect, Extent, Factor, Role, RoleKind, Size};
pub use result::COMPUTED_BY;

use super::{ModelCall, Modelled};
use parse::{Line, parse};
use rustc_hash::FxHashMap;
use selvedge_program::Expr;
use std::sync::LazyLock;

/// The tables, by the standard that has the functions.
const TABLES: &[&str] = &[
    include_str!("../../../externals/c.txt"),
    include_str!("../../../externals/mathematics.txt"),
    include_str!("../../../externals/posix.txt"),
    include_str!("../../../externals/linux.txt"),
];

static LINES: LazyLock<Vec<Line>> =
    LazyLock::new(|| TABLES.iter().flat_map(|table| parse(table).unwrap_or_default()).collect());

static EFFECTS: LazyLock<FxHashMap<&'static str, Vec<&'static Effect>>> = LazyLock::new(|| {
    let mut effects: FxHashMap<&'static str, Vec<&'static Effect>> = FxHashMap::default();
    for line in LINES.iter() {
        effects.entry(line.name).or_default().push(&line.effect);
    }
    effects
});

/// The lines of the tables that nothing understands: there are none, which a test makes sure of.
#[cfg(test)]
pub(super) fn mistakes() -> Vec<String> {
    TABLES.iter().filter_map(|table| parse(table).err()).collect()
}

/// All functions of the tables, each with the header that declares it, in their order.
pub fn declared() -> impl Iterator<Item = (&'static str, &'static str, &'static Effect)> {
    LINES.iter().map(|line| (line.name, line.header, &line.effect))
}

/// Whether a function stands in the tables.
pub(super) fn is_listed(name: &str) -> bool {
    EFFECTS.contains_key(name)
}

/// Whether a thread can be cancelled in a function.
pub(super) fn point(name: &str) -> Option<Point> {
    EFFECTS.get(name)?.iter().find_map(|effect| effect.point)
}

/// The model of every function of the tables: the first line for its name whose constants are those of the call.
pub(super) fn model(call: &mut ModelCall<'_, '_>) -> Modelled {
    let lines = EFFECTS.get(call.plain_name()).into_iter().flatten();
    let arguments = call.arguments;
    let fits = |effect: &Effect| {
        let is_enough = effect.is_variadic || arguments.len() == effect.roles.len();
        is_enough
            && effect.roles.iter().zip(arguments).all(|(role, argument)| match (&role.role, &argument.value) {
                (RoleKind::Constant(wanted), Expr::Constant(given)) => given.unsigned() == u128::from(*wanted),
                (RoleKind::Constant(_), _) => false,
                (RoleKind::Null, Expr::Constant(given)) => given.is_zero(),
                (RoleKind::Null, _) => false,
                _ => true,
            })
    };
    let Some(effect) = lines.copied().find(|effect| fits(effect)) else {
        return any_request(call);
    };
    match call.perform(effect) {
        Modelled::Value(entry, shown) if matches!(call.plain_name(), "readdir" | "readdir64") => {
            end_entry(call, &entry);
            Modelled::Value(entry, shown)
        }
        modelled => modelled,
    }
}

/// A call with arguments of which no line says anything. Of `ioctl` and its like with a number or none, whatever they do is
/// none of the program's memory; of what is given by a pointer nothing is known.
fn any_request(call: &mut ModelCall<'_, '_>) -> Modelled {
    if !may_be_rough(call.plain_name()) {
        return Modelled::Unsupported(format!("call of `{}` with these arguments", call.plain_name()));
    }
    let is_number = |argument: &super::Argument| {
        call.types.is_integer(argument.ty)
            && (matches!(argument.value, Expr::Constant(_)) || argument.value.width() < call.function.pointer_width())
    };
    // What `prctl` is asked for may have it write to a number that is an address.
    if call.plain_name() == "prctl" || !call.arguments.iter().all(is_number) {
        return Modelled::Rough("with these arguments");
    }
    let roles = call.arguments.iter().map(|_| Role { role: RoleKind::Number, is_optional: false }).collect();
    call.perform(&Effect::of(roles, Answer::Natural))
}

/// Functions of the tables of which calls with other arguments than the lines say are known roughly.
pub(super) fn may_be_rough(name: &str) -> bool {
    matches!(name, "ioctl" | "fcntl" | "fcntl64" | "prctl")
}

/// Has the length of an entry of a directory say where it ends.
fn end_entry(call: &mut ModelCall<'_, '_>, entry: &Expr) {
    let record = call.types.pointee(call.result).and_then(|target| call.types.fields(target.ty));
    let Some(name) = record.and_then(|fields| fields.last()).filter(|name| name.offset >= 3) else { return };
    if call.types.size(name.ty.ty) == Some(256) {
        let width = call.function.pointer_width();
        let at = Expr::constant(width, u128::from(name.offset));
        call.when(entry.clone().is_true(), |call| {
            call.call_c("__selvedge_end_entry", vec![entry.clone(), at], 32);
        });
    }
}
