//! The engine in the shape that all engines have.

use crate::engine::{Options, answers, check};
use selvedge_evidence::engine::from_fn;
use selvedge_evidence::{Engine, Task};

/// Its name.
pub const NAME: &str = "symmetric";

/// What it does, in a line.
pub const ABOUT: &str = "Any number of equal threads, with predicates that mix what is shared and what is theirs";

/// The engine, asked about what it answers.
pub fn engine(task: &Task) -> Box<dyn Engine> {
    let Task { properties, race_on, .. } = task.limited_to(answers);
    let options = Options { properties, race_on };
    from_fn(NAME, options.properties.clone(), move |facts, budget, progress, findings| {
        check(facts, &options, budget, progress, findings)
    })
}
