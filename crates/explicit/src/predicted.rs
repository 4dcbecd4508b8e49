//! A check on the facts that the reductions rest on: no step touches a contended object that its edge was not expected
//! to touch. Runs with debug assertions only.

use selvedge_analysis::AbstractObject;
use selvedge_program::semantics::{Instance, Observer, PendingAccess, State};
use selvedge_program::{EdgeId, FunctionId, ThreadIndex};

use crate::footprints::Footprints;

/// Compares a step's accesses with what was predicted.
#[derive(Debug)]
pub struct Predicted<'f, 'p> {
    facts: &'f Footprints<'p>,
    state: State,
    at: Option<(FunctionId, EdgeId)>,
}

impl<'f, 'p> Predicted<'f, 'p> {
    /// For a step from a state.
    pub fn of(facts: &'f Footprints<'p>, state: &State, thread: ThreadIndex, edge: EdgeId) -> Self {
        let at = state.frame(thread).map(|frame| (frame.function, edge));
        Self { facts, state: state.clone(), at }
    }
}

impl Observer for Predicted<'_, '_> {
    fn access(&mut self, access: PendingAccess) {
        let Some((function, edge)) = self.at else { return };
        let Some(object) = access.spot.object().filter(|object| !matches!(object, Instance::Function(_))) else {
            return;
        };
        let Some(object) = AbstractObject::of_instance(&self.state, object) else { return };
        assert!(
            !self.facts.contended.contains(&object) || self.facts.expects(function, edge, object),
            "{edge} of {function} touches {object:?} unexpectedly"
        );
    }
}
