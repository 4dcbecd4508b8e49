//! The calls of a program by the lists of functions that they may enter. Calls through pointers often have the same long list, and
//! what is known of the list is found once for all of them.

use crate::PointsTo;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use selvedge_program::{Action, EdgeId, FunctionId, Program};

/// A list of functions, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListId(u32);

impl ListId {
    /// Its position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The calls of a program.
#[derive(Debug, Default)]
pub struct Calls<'a> {
    lists: IndexSet<&'a [FunctionId], FxBuildHasher>,
    of_edge: FxHashMap<(FunctionId, EdgeId), ListId>,
    /// By list, who calls one of it.
    callers: Vec<Vec<FunctionId>>,
    /// By function, the lists that it is in.
    containing: Vec<Vec<ListId>>,
}

impl<'a> Calls<'a> {
    /// Finds them.
    pub fn of(program: &Program, points_to: &'a PointsTo) -> Calls<'a> {
        let mut calls = Calls { containing: vec![Vec::new(); program.functions.len()], ..Calls::default() };
        for (index, function) in program.functions.iter().enumerate() {
            let caller = FunctionId::new(index);
            for (position, edge) in function.edges.iter().enumerate() {
                let at = (caller, EdgeId::new(position));
                if matches!(edge.action, Action::Call { .. }) {
                    let list = calls.list(points_to.callees(at.0, at.1));
                    calls.of_edge.insert(at, list);
                    if calls.callers[list.index()].last() != Some(&caller) {
                        calls.callers[list.index()].push(caller);
                    }
                }
            }
        }
        calls
    }

    fn list(&mut self, functions: &'a [FunctionId]) -> ListId {
        let (index, is_new) = self.lists.insert_full(functions);
        let list = ListId(index as u32);
        if is_new {
            self.callers.push(Vec::new());
            functions.iter().for_each(|function| self.containing[function.index()].push(list));
        }
        list
    }

    /// How many lists there are.
    pub fn count(&self) -> usize {
        self.lists.len()
    }

    /// The functions that a call may enter.
    pub fn at(&self, function: FunctionId, edge: EdgeId) -> Option<ListId> {
        self.of_edge.get(&(function, edge)).copied()
    }

    /// The functions of a list, sorted.
    pub fn functions(&self, list: ListId) -> &'a [FunctionId] {
        self.lists.get_index(list.index()).copied().unwrap_or_default()
    }

    /// The lists that a function is in.
    pub fn containing(&self, function: FunctionId) -> &[ListId] {
        &self.containing[function.index()]
    }

    /// Who may call a function of a list.
    pub fn callers(&self, list: ListId) -> &[FunctionId] {
        &self.callers[list.index()]
    }
}
