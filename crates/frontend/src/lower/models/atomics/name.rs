//! The names of atomic operations: what they say.

use selvedge_program::MemoryOrder::{self, Acquire, Release, SequentiallyConsistent};

/// Whose operation it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// `atomic_…` and `__c11_atomic_…`: values are passed as they are, pointers move by elements.
    C11,
    /// `__atomic_…_n`, `__atomic_fetch_…`, `__sync_…`: values are passed as they are, pointers move by bytes.
    Gnu,
    /// `__atomic_load` and the like: values are passed by address.
    GnuByAddress,
}

/// What a read-modify-write does to the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Add,
    Subtract,
    And,
    Or,
    Xor,
    Nand,
    Extreme(Extreme),
}

/// The smaller or the larger of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extreme {
    Minimum,
    Maximum,
    UnsignedMinimum,
    UnsignedMaximum,
}

/// Which value a read-modify-write returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returned {
    Old,
    New,
}

/// Whether a compare-and-exchange may fail without cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strength {
    Strong,
    Weak,
    /// As the fourth argument says.
    Argument,
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Init,
    Load,
    Store,
    Exchange,
    CompareExchange(Strength),
    Fetch(Change, Returned),
    /// `__sync_bool_compare_and_swap`
    SwapBool,
    /// `__sync_val_compare_and_swap`
    SwapValue,
    /// `__sync_lock_release`
    Release,
}

/// A parsed name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub family: Family,
    pub operation: Operation,
    /// The size that the suffix gives.
    pub size: Option<u32>,
    /// The memory order, where no argument says it.
    pub order: MemoryOrder,
    /// Where the arguments say the memory order: that of the operation, and that of a comparison that fails.
    pub orders: &'static [usize],
}

/// Whether a name is that of an atomic operation that works on values of any type.
pub(in super::super) fn is_atomic(name: &str) -> bool {
    parse(name).is_some()
}

/// What a name says.
pub(super) fn parse(name: &str) -> Option<Name> {
    if let Some(rest) = name.strip_prefix("__c11_atomic_") {
        return parse_c11(rest, Explicit::Always);
    }
    if let Some(rest) = name.strip_prefix("atomic_") {
        return match rest.strip_suffix("_explicit") {
            Some(rest) => parse_c11(rest, Explicit::Always),
            None => parse_c11(rest, Explicit::Never),
        };
    }
    if let Some(rest) = name.strip_prefix("__atomic_") {
        return parse_atomic(rest);
    }
    name.strip_prefix("__sync_").and_then(parse_sync)
}

/// Whether the arguments say the memory order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Explicit {
    Always,
    Never,
}

fn parse_c11(rest: &str, explicit: Explicit) -> Option<Name> {
    let (operation, orders): (Operation, &[usize]) = match rest {
        "init" => (Operation::Init, &[]),
        "load" => (Operation::Load, &[1]),
        "store" => (Operation::Store, &[2]),
        "exchange" => (Operation::Exchange, &[2]),
        "compare_exchange_strong" => (Operation::CompareExchange(Strength::Strong), &[3, 4]),
        "compare_exchange_weak" => (Operation::CompareExchange(Strength::Weak), &[3, 4]),
        _ => (Operation::Fetch(change(rest.strip_prefix("fetch_")?)?, Returned::Old), &[2]),
    };
    let orders = if explicit == Explicit::Always { orders } else { &[] };
    Some(Name { family: Family::C11, operation, size: None, order: SequentiallyConsistent, orders })
}

fn parse_atomic(rest: &str) -> Option<Name> {
    let (stem, size, family) = match split_size(rest) {
        Some((stem, size)) => (stem, Some(size), Family::Gnu),
        None => match rest.strip_suffix("_n") {
            Some(stem) => (stem, None, Family::Gnu),
            None => (rest, None, Family::GnuByAddress),
        },
    };
    let (operation, orders): (Operation, &[usize]) = match stem {
        "load" if family == Family::GnuByAddress => (Operation::Load, &[2]),
        "load" => (Operation::Load, &[1]),
        "store" => (Operation::Store, &[2]),
        "exchange" if family == Family::GnuByAddress => (Operation::Exchange, &[3]),
        "exchange" => (Operation::Exchange, &[2]),
        "compare_exchange" => (Operation::CompareExchange(Strength::Argument), &[4, 5]),
        _ => {
            let fetch = match (stem.strip_prefix("fetch_"), stem.strip_suffix("_fetch")) {
                (Some(word), _) => Operation::Fetch(change(word)?, Returned::Old),
                (None, Some(word)) => Operation::Fetch(change(word)?, Returned::New),
                (None, None) => return None,
            };
            return Some(Name {
                family: Family::Gnu,
                operation: fetch,
                size,
                order: SequentiallyConsistent,
                orders: &[2],
            });
        }
    };
    Some(Name { family, operation, size, order: SequentiallyConsistent, orders })
}

fn parse_sync(rest: &str) -> Option<Name> {
    let (stem, size) = match split_size(rest) {
        Some((stem, size)) => (stem, Some(size)),
        None => (rest, None),
    };
    let (operation, order) = match stem {
        "bool_compare_and_swap" => (Operation::SwapBool, SequentiallyConsistent),
        "val_compare_and_swap" => (Operation::SwapValue, SequentiallyConsistent),
        "lock_test_and_set" => (Operation::Exchange, Acquire),
        "lock_release" => (Operation::Release, Release),
        _ => match (stem.strip_prefix("fetch_and_"), stem.strip_suffix("_and_fetch")) {
            (Some(word), _) => (Operation::Fetch(change(word)?, Returned::Old), SequentiallyConsistent),
            (None, Some(word)) => (Operation::Fetch(change(word)?, Returned::New), SequentiallyConsistent),
            (None, None) => return None,
        },
    };
    Some(Name { family: Family::Gnu, operation, size, order, orders: &[] })
}

/// `load_4` is `load` of 4 bytes.
fn split_size(name: &str) -> Option<(&str, u32)> {
    let (stem, size) = name.rsplit_once('_')?;
    let size = size.parse().ok().filter(|size| matches!(size, 1 | 2 | 4 | 8 | 16))?;
    Some((stem, size))
}

fn change(word: &str) -> Option<Change> {
    Some(match word {
        "add" => Change::Add,
        "sub" => Change::Subtract,
        "and" => Change::And,
        "or" => Change::Or,
        "xor" => Change::Xor,
        "nand" => Change::Nand,
        "min" => Change::Extreme(Extreme::Minimum),
        "max" => Change::Extreme(Extreme::Maximum),
        "umin" => Change::Extreme(Extreme::UnsignedMinimum),
        "umax" => Change::Extreme(Extreme::UnsignedMaximum),
        _ => return None,
    })
}
