//! Where a thread is: at a location of a function, after the calls that led there.

use crate::semantics::State;
use crate::{FunctionId, LocationId, ThreadIndex};
use std::fmt;

/// A location of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeLocation {
    /// The function.
    pub function: FunctionId,
    /// The location in it.
    pub location: LocationId,
}

/// Where a thread is, with its callers. Each caller is at the location that its call returns to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallString {
    callers: Vec<CodeLocation>,
    at: CodeLocation,
}

impl CallString {
    /// In a function that nobody has called: a thread's first.
    pub fn new(at: CodeLocation) -> CallString {
        CallString { callers: Vec::new(), at }
    }

    /// Where a thread of a state is; `None` if it has ended.
    pub fn of(state: &State, thread: ThreadIndex) -> Option<CallString> {
        let frames = state.thread(thread)?.frames.iter();
        let mut all: Vec<CodeLocation> =
            frames.map(|frame| CodeLocation { function: frame.function, location: frame.location }).collect();
        let at = all.pop()?;
        Some(CallString { callers: all, at })
    }

    /// The innermost location.
    pub fn at(&self) -> CodeLocation {
        self.at
    }

    /// The callers, the outermost first.
    pub fn callers(&self) -> &[CodeLocation] {
        &self.callers
    }

    /// At another location of the same function.
    #[must_use]
    pub fn moved(&self, location: LocationId) -> CallString {
        CallString { callers: self.callers.clone(), at: CodeLocation { location, ..self.at } }
    }

    /// In a function that is called from here, which will return to a location.
    #[must_use]
    pub fn entered(&self, callee: CodeLocation, returns_to: LocationId) -> CallString {
        let caller = CodeLocation { location: returns_to, ..self.at };
        CallString { callers: [&self.callers[..], &[caller]].concat(), at: callee }
    }

    /// Back in the caller; `None` if there is none.
    pub fn left(&self) -> Option<CallString> {
        let (at, callers) = self.callers.split_last()?;
        Some(CallString { callers: callers.to_vec(), at: *at })
    }
}

impl fmt::Display for CodeLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.function, self.location)
    }
}

impl fmt::Display for CallString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.callers.iter().try_for_each(|caller| write!(f, "{caller} > "))?;
        write!(f, "{}", self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assemble::Assembly;
    use crate::semantics::{Plainest, Semantics};
    use crate::{Action, Callee, EdgeId};

    #[test]
    fn calls_are_entered_and_left_as_the_semantics_does() {
        let mut assembly = Assembly::new();
        assembly.function("main", None, |main| {
            main.then(Action::Call { target: None, callee: Callee::Direct(FunctionId(1)), arguments: Vec::new() });
            main.then(Action::Return { value: None });
        });
        assembly.function("callee", None, |callee| {
            callee.then(Action::Return { value: None });
        });
        let program = assembly.program;
        let semantics = Semantics::new(&program);
        let main = ThreadIndex(0);
        let initial = semantics.initial().expect("starts");
        let before = CallString::of(&initial, main).expect("has begun");
        let (state, _) = semantics.step(&initial, main, EdgeId(0), &mut Plainest).expect("calls");
        let inside = CallString::of(&state, main).expect("is inside");
        let entry = CodeLocation { function: FunctionId(1), location: program.function(FunctionId(1)).entry };
        let after = program.function(FunctionId(0)).edge(EdgeId(0)).target;
        assert_eq!(inside, before.entered(entry, after));
        let (state, _) = semantics.step(&state, main, EdgeId(0), &mut Plainest).expect("returns");
        assert_eq!(CallString::of(&state, main), inside.left());
        assert_eq!(inside.left(), Some(before.moved(after)));
        assert_eq!(inside.to_string(), format!("f0:{after} > f1:{}", entry.location));
    }
}
