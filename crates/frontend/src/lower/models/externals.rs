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
        return Modelled::Unsupported(format!("call of `{}` with these arguments", call.plain_name()));
    };
    call.perform(effect)
}
