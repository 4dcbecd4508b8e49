//! The graph of the true edges, with a topological numbering that follows insertions.
//!
//! Edges are taken out in the reverse order of their insertion, which never disturbs the numbering.

/// An edge of the graph: its number, and where it leads (or comes from).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Arc {
    pub edge: u32,
    pub event: u32,
}

#[derive(Debug, Default)]
pub(super) struct Reachability {
    after: Vec<Vec<Arc>>,
    before: Vec<Vec<Arc>>,
    /// Every edge goes from a lower to a higher rank; ranks are a permutation.
    rank: Vec<u32>,
    /// Marks of the current search.
    seen: Vec<u32>,
    search: u32,
    forward: Vec<u32>,
    backward: Vec<u32>,
    places: Vec<u32>,
}

/// What is around a new edge: the events before its start and those after its end.
#[derive(Debug, Default)]
pub(super) struct Around {
    pub earlier: Vec<u32>,
    pub later: Vec<u32>,
    earlier_marks: Vec<u32>,
    later_marks: Vec<u32>,
    search: u32,
}

impl Around {
    /// The event is on the side that has more events.
    pub fn is_opposite(&self, event: u32) -> bool {
        let marks = if self.later.len() <= self.earlier.len() { &self.earlier_marks } else { &self.later_marks };
        marks[event as usize] == self.search
    }
}

/// The insertion would close a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cyclic;

impl Reachability {
    pub fn len(&self) -> usize {
        self.rank.len()
    }

    pub fn add_event(&mut self) {
        self.rank.push(self.rank.len() as u32);
        self.after.push(Vec::new());
        self.before.push(Vec::new());
        self.seen.push(0);
    }

    pub fn rank(&self, event: u32) -> u32 {
        self.rank[event as usize]
    }

    /// There is already a path; only events ranked between the two are looked at.
    pub fn reaches(&mut self, from: u32, to: u32) -> bool {
        let high = self.rank(to);
        if self.rank(from) >= high {
            return false;
        }
        let search = self.fresh_search();
        let mut forward = std::mem::take(&mut self.forward);
        forward.clear();
        forward.push(from);
        let mut next = 0;
        let mut found = false;
        while next < forward.len() && !found {
            let event = forward[next] as usize;
            next += 1;
            for &Arc { event, .. } in &self.after[event] {
                found |= event == to;
                if self.rank[event as usize] < high && self.seen[event as usize] != search {
                    self.seen[event as usize] = search;
                    forward.push(event);
                }
            }
        }
        self.forward = forward;
        found
    }

    /// Finds everything that reaches `from` and everything that `to` reaches.
    pub fn search_around(&mut self, from: u32, to: u32, around: &mut Around) {
        around.search = around.search.wrapping_add(1);
        if around.search == 0 || around.earlier_marks.len() < self.rank.len() {
            (around.earlier_marks, around.later_marks) = (vec![0; self.rank.len()], vec![0; self.rank.len()]);
            around.search = 1;
        }
        gather(&self.after, &mut around.later_marks, around.search, to, &mut around.later);
        gather(&self.before, &mut around.earlier_marks, around.search, from, &mut around.earlier);
    }

    /// The event was marked in this search, which must be the latest.
    pub fn found_by(&self, event: u32, search: u32) -> bool {
        self.seen[event as usize] == search
    }

    pub fn after(&self, event: u32) -> &[Arc] {
        &self.after[event as usize]
    }

    /// Inserts an edge, or leaves the graph as it was when that would close a cycle.
    pub fn insert(&mut self, edge: u32, from: u32, to: u32) -> Result<(), Cyclic> {
        if from == to {
            return Err(Cyclic);
        }
        if self.rank(from) > self.rank(to) {
            self.reorder(from, to)?;
        }
        self.after[from as usize].push(Arc { edge, event: to });
        self.before[to as usize].push(Arc { edge, event: from });
        Ok(())
    }

    /// Takes out the edge that was inserted last.
    pub fn remove_last(&mut self, from: u32, to: u32) {
        let out = self.after[from as usize].pop();
        let back = self.before[to as usize].pop();
        debug_assert!(out.map(|arc| arc.edge) == back.map(|arc| arc.edge));
    }

    pub fn fresh_search(&mut self) -> u32 {
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.seen.fill(0);
            self.search = 1;
        }
        self.search
    }

    /// Marks the event for this search; false if it was marked already.
    pub fn mark(&mut self, event: u32, search: u32) -> bool {
        let seen = &mut self.seen[event as usize];
        let new = *seen != search;
        *seen = search;
        new
    }

    /// Renumbers so that `from` comes before `to`: only events between their ranks move, those that `to` reaches behind
    /// those that reach `from`.
    fn reorder(&mut self, from: u32, to: u32) -> Result<(), Cyclic> {
        let (low, high) = (self.rank(to), self.rank(from));
        let search = self.fresh_search();
        let mut forward = std::mem::take(&mut self.forward);
        forward.clear();
        forward.push(to);
        self.mark(to, search);
        let mut next = 0;
        let mut cyclic = false;
        while next < forward.len() && !cyclic {
            let event = forward[next] as usize;
            next += 1;
            for &Arc { event, .. } in &self.after[event] {
                if event == from {
                    cyclic = true;
                    break;
                }
                if self.rank[event as usize] < high && self.seen[event as usize] != search {
                    self.seen[event as usize] = search;
                    forward.push(event);
                }
            }
        }
        if !cyclic {
            self.gather_backward(from, low);
            self.reassign(&mut forward);
        }
        self.forward = forward;
        if cyclic { Err(Cyclic) } else { Ok(()) }
    }

    fn gather_backward(&mut self, from: u32, low: u32) {
        let search = self.fresh_search();
        let mut backward = std::mem::take(&mut self.backward);
        backward.clear();
        backward.push(from);
        self.mark(from, search);
        let mut next = 0;
        while next < backward.len() {
            let event = backward[next] as usize;
            next += 1;
            for &Arc { event, .. } in &self.before[event] {
                if self.rank[event as usize] > low && self.seen[event as usize] != search {
                    self.seen[event as usize] = search;
                    backward.push(event);
                }
            }
        }
        self.backward = backward;
    }

    /// Gives the ranks of all moved events out again: first to those that come before, in their old order, then to the
    /// others.
    fn reassign(&mut self, forward: &mut [u32]) {
        let mut backward = std::mem::take(&mut self.backward);
        backward.sort_unstable_by_key(|&event| self.rank[event as usize]);
        forward.sort_unstable_by_key(|&event| self.rank[event as usize]);
        self.places.clear();
        self.places.extend(backward.iter().chain(forward.iter()).map(|&event| self.rank[event as usize]));
        self.places.sort_unstable();
        for (&event, &place) in backward.iter().chain(forward.iter()).zip(&self.places) {
            self.rank[event as usize] = place;
        }
        self.backward = backward;
    }
}

/// Collects the start and everything that the arcs lead to from it.
fn gather(arcs: &[Vec<Arc>], seen: &mut [u32], search: u32, start: u32, found: &mut Vec<u32>) {
    found.clear();
    found.push(start);
    seen[start as usize] = search;
    let mut next = 0;
    while next < found.len() {
        let event = found[next] as usize;
        next += 1;
        for &Arc { event, .. } in &arcs[event] {
            if seen[event as usize] != search {
                seen[event as usize] = search;
                found.push(event);
            }
        }
    }
}
