//! The engine in the shape that all engines have.

use crate::engine::{Options, answers, check};
use crate::space::{Environment, Weakening};
use selvedge_evidence::engine::from_fn;
use selvedge_evidence::{Engine, Task};

/// Its name.
pub const NAME: &str = "modular";

/// What it does, in a line.
pub const ABOUT: &str = "Thread by thread with predicates: any number of threads, loops without bound";

/// The engine, asked about what it answers.
pub fn engine(task: &Task, (environment, weakening): (Environment, Weakening)) -> Box<dyn Engine> {
    let Task { properties, race_on, .. } = task.limited_to(answers);
    let options = Options { properties, race_on, environment, weakening, ..Options::default() };
    from_fn(NAME, options.properties.clone(), move |facts, budget, progress, findings| {
        check(facts, &options, budget, progress, findings)
    })
}
