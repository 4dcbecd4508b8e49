//! What becomes of locals when a jump comes back to their function. C leaves those indeterminate that are not volatile
//! and were changed between `setjmp` and `longjmp` (C11 7.13.2.1p3): compilers keep them where the jump restores them,
//! or does not.
//!
//! For locals in registers that is modelled: `setjmp` keeps a copy of those that may be changed and are looked at after
//! a jump, and what differs from its copy then gets any value. Locals in memory keep what was written to them, which the
//! verdict says.

use super::{Landing, Leading, Locals};
use selvedge_program::{
    Action, Base, Caveat, Display, Edge, EdgeId, Expr, FrameObjectId, LocationId, RegisterId, Span, live::Live,
};
use std::collections::BTreeSet;

impl Leading {
    /// Has changed locals forgotten where jumps arrive. Says so if any are kept that C does not promise to keep.
    pub(super) fn forget_changed(&mut self, landings: &[Landing], locals: &Locals) -> Option<Caveat> {
        let mut kept = None;
        for landing in landings {
            let Some((before, landed, span)) = self.ends_of(landing.target) else { continue };
            if self.function.location(landed).outgoing.is_empty() || !self.is_reached(landed) {
                continue;
            }
            let after = self.reachable(before);
            kept = kept.or_else(|| self.look_at_memory(landed, landing, &locals.objects));
            let live = Live::of(&self.function);
            let assigned: BTreeSet<RegisterId> =
                after.iter().flat_map(|edge| self.function.edge(*edge).action.assigned()).collect();
            let is_asked = |register: &RegisterId| live.at(landed).contains(register) && assigned.contains(register);
            let changed: Vec<RegisterId> = locals.registers.iter().copied().filter(is_asked).collect();
            if changed.is_empty() {
                continue;
            }
            let is_repeated = after.iter().any(|edge| self.function.edge(*edge).target == before);
            self.forget_where([before, landed], &changed, span);
            if is_repeated && matches!(landing.buffer, Expr::Register(..)) {
                self.refuse_older(landed, landing, span);
            }
        }
        kept
    }

    /// Where a `setjmp` stands, and where jumps to it arrive.
    fn ends_of(&self, target: FrameObjectId) -> Option<(LocationId, LocationId, Span)> {
        let is_it = |edge: &&Edge| matches!(edge.action, Action::Forget { object } if object == target);
        self.function.edges.iter().find(is_it).map(|edge| (edge.source, edge.target, edge.span))
    }

    /// Whether control comes to a location.
    fn is_reached(&self, location: LocationId) -> bool {
        let edges = self.reachable(self.function.entry);
        edges.iter().any(|edge| self.function.edge(*edge).target == location)
    }

    /// The edges that may be passed after a location.
    fn reachable(&self, from: LocationId) -> BTreeSet<EdgeId> {
        let mut found = BTreeSet::new();
        let mut work = vec![from];
        while let Some(location) = work.pop() {
            for edge in &self.function.location(location).outgoing {
                let is_new = found.insert(*edge);
                if is_new && self.function.edge(*edge).action.falls_through() {
                    work.push(self.function.edge(*edge).target);
                }
            }
        }
        found
    }

    /// Says so if a local in memory may be looked at after a jump.
    fn look_at_memory(&self, landed: LocationId, landing: &Landing, objects: &[FrameObjectId]) -> Option<Caveat> {
        let is_buffer = |object: FrameObjectId| {
            matches!(&landing.buffer, Expr::Address(Base::Frame(buffer), _) if *buffer == object)
                && self.function.frame_object(object).size <= 200
        };
        let asked: Vec<FrameObjectId> = objects.iter().copied().filter(|object| !is_buffer(*object)).collect();
        let edges = self.reachable(landed);
        let mut found = edges.iter().map(|edge| self.function.edge(*edge)).filter(|edge| {
            let mut mentions = false;
            edge.action.for_each_expression(&mut |expr| mentions |= mentions_any(expr, &asked));
            mentions
        });
        found.next().map(|edge| Caveat {
            message: "locals in memory are assumed to keep what was written to them between `setjmp` and `longjmp`, \
                      which C leaves open unless they are volatile"
                .to_owned(),
            span: edge.span,
        })
    }

    /// Moves what leaves a location to a new one.
    fn moved(&mut self, location: LocationId) -> LocationId {
        let moved = self.location();
        let outgoing = std::mem::take(&mut self.function.locations[location.index()].outgoing);
        for edge in &outgoing {
            self.function.edges[edge.index()].source = moved;
        }
        self.function.locations[moved.index()].outgoing = outgoing;
        moved
    }

    fn forget_where(&mut self, [before, landed]: [LocationId; 2], changed: &[RegisterId], span: Span) {
        let (set, arrived) = (self.moved(before), self.moved(landed));
        let (mut at, mut back) = (before, landed);
        for (position, register) in changed.iter().enumerate() {
            let is_last = position + 1 == changed.len();
            let width = self.function.register(*register).width;
            // As numbers: that an address is compared is not the program's doing.
            let [copy, now] = [(); 2].map(|()| self.register(width, Display::Unsigned));
            let value = self.value(*register);
            let next = if is_last { set } else { self.location() };
            self.edge(at, Action::Assign { target: copy, value: value.clone() }, next, span);
            at = next;

            let [compared, differs] = [(); 2].map(|()| self.location());
            let next = if is_last { arrived } else { self.location() };
            self.edge(back, Action::Assign { target: now, value }, compared, span);
            let same = Expr::equal(self.value(now), self.value(copy));
            self.branch(compared, same, [next, differs], span);
            self.edge(differs, Action::Havoc { target: *register }, next, span);
            back = next;
        }
    }

    /// What locals were when a `setjmp` was passed before its last time is not known.
    fn refuse_older(&mut self, landed: LocationId, landing: &Landing, span: Span) {
        let arrived = self.moved(landed);
        let [looked, other] = [(); 2].map(|()| self.location());
        let through = self.register(self.width, Display::Unsigned);
        let look = self.look(through, 1);
        self.edge(landed, look, looked, span);
        let is_last = Expr::equal(self.value(through), landing.buffer.clone());
        self.branch(looked, is_last, [arrived, other], span);
        let nowhere = self.location();
        let what = "a jump through another buffer than the one that its `setjmp` has filled last, past changed locals";
        self.edge(other, Action::Unsupported(what.to_owned()), nowhere, span);
    }
}

fn mentions_any(expr: &Expr, objects: &[FrameObjectId]) -> bool {
    let within = |expr: &Expr| mentions_any(expr, objects);
    match expr {
        Expr::Address(base, _) => matches!(base, Base::Frame(object) if objects.contains(object)),
        Expr::Constant(_) | Expr::Register(..) => false,
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => within(operand),
        Expr::Binary(_, left, right) => within(left) || within(right),
        Expr::IfThenElse(condition, then, otherwise) => within(condition) || within(then) || within(otherwise),
    }
}
