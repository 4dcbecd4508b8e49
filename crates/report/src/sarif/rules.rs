//! The rules that results refer to, one per property, with help for people.

use crate::model::Property;
use serde_json::{Value, json};

const ORDER: [Property; 7] = [
    Property::Assertion,
    Property::Race,
    Property::Deadlock,
    Property::Memory,
    Property::Atomicity,
    Property::Overflow,
    Property::Livelock,
];

/// The id of a property's rule and its position among all.
pub fn of(property: Property) -> (&'static str, usize) {
    let position = ORDER.iter().position(|known| *known == property).unwrap_or(0);
    (id(property), position)
}

fn id(property: Property) -> &'static str {
    match property {
        Property::Assertion => "selvedge/assertion",
        Property::Race => "selvedge/race",
        Property::Deadlock => "selvedge/deadlock",
        Property::Memory => "selvedge/memory",
        Property::Atomicity => "selvedge/atomicity",
        Property::Overflow => "selvedge/overflow",
        Property::Livelock => "selvedge/livelock",
    }
}

/// All rules.
pub fn all() -> Vec<Value> {
    ORDER.into_iter().map(rule).collect()
}

fn rule(property: Property) -> Value {
    let (name, short, help) = match property {
        Property::Assertion => (
            "AssertionCanFail",
            "An assertion can fail.",
            "There is an execution in which the condition of an assertion is false, or an error function is reached. \
             The code flow is the schedule: which thread moves when, and what it reads and writes.",
        ),
        Property::Race => (
            "DataRace",
            "Two threads access one place at once.",
            "Two threads can access the same memory at the same time, one of them writing, and not both accesses are \
             atomic: C gives such a program no meaning. Guard both accesses by the same lock, make both atomic, or \
             order them by starting or joining a thread.",
        ),
        Property::Deadlock => (
            "Deadlock",
            "No thread can move.",
            "Threads wait for each other for ever. Take locks in the same order everywhere, and signal a condition \
             after having changed what others wait for, under the same lock.",
        ),
        Property::Memory => (
            "UndefinedBehaviour",
            "Something undefined happens.",
            "An access through a bad pointer, a use after free, a division by zero or a misuse of the thread library \
             is possible. C gives the program no meaning from there on.",
        ),
        Property::Atomicity => (
            "AtomicityViolation",
            "Another thread interferes between two lines.",
            "Between two accesses that were said to be atomic together (--atomic), another thread accesses the same \
             place in a way that makes a difference. Hold one lock from the first line to the second.",
        ),
        Property::Overflow => (
            "SignedOverflow",
            "A signed computation overflows.",
            "The result of signed arithmetic does not fit into its type, which is undefined in C.",
        ),
        Property::Livelock => (
            "Livelock",
            "Threads go round for ever.",
            "A thread polls something that nobody who is left will ever change. Make sure that whoever is to change it \
             still does, or let the loop end otherwise.",
        ),
    };
    json!({
        "id": id(property),
        "name": name,
        "shortDescription": {"text": short},
        "fullDescription": {"text": help},
        "help": {"text": help},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["concurrency", "correctness"], "precision": "very-high"},
    })
}
