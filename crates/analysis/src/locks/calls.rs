//! Locks across calls: what a call leaves of what is known, and what a lock is called on the other side.

use super::flow::{ListState, Solver};
use super::known::Known;
use super::names::{Foreign, LockName, is_global, rewrite};
use super::{Held, LockId};
use crate::call_graph::ListId;
use selvedge_program::{EdgeId, Expr, FunctionId};
use std::sync::Arc;

impl Solver<'_> {
    pub(super) fn after_call(
        &mut self,
        function: FunctionId,
        edge: EdgeId,
        arguments: &[Expr],
        before: &Arc<Known>,
    ) -> Option<Arc<Known>> {
        let list = self.calls.list_at(function, edge)?;
        let ListState { returns, gains_nothing, .. } = self.lists[list.index()];
        if !returns {
            return None;
        }
        if gains_nothing && before.is_nothing() {
            return Some(before.clone());
        }
        let mut known = Known::clone(before);
        let (releases, names, targets) = (&self.releases[list.index()], &self.names, &self.targets);
        let aliases = &mut self.aliases;
        known.retain(|lock| {
            let index = lock.0 as usize;
            !releases.may_release(aliases, &targets[index], names[index].family)
        });
        if !gains_nothing {
            let gained = self.gained(list, function, arguments);
            known.held.extend(gained);
        }
        Some(if known == **before { before.clone() } else { Arc::new(known) })
    }

    /// What all functions of a list that return leave held, as their caller knows it.
    fn gained(&mut self, list: ListId, caller: FunctionId, arguments: &[Expr]) -> Held {
        let mut all: Option<Known> = None;
        for callee in self.calls.functions(list) {
            let Some(gained) = self.gains[callee.index()].clone() else { continue };
            let upwards = |(lock, mode)| Some((self.upwards(lock, *callee, caller, arguments)?, mode));
            let gained = Known::of(gained.into_iter().filter_map(upwards).collect());
            match &mut all {
                Some(all) => _ = all.meet(&gained),
                None => all = Some(gained),
            }
        }
        all.map(|known| known.held).unwrap_or_default()
    }

    /// A lock of a callee, as its caller knows it.
    fn upwards(&mut self, lock: LockId, callee: FunctionId, caller: FunctionId, arguments: &[Expr]) -> Option<LockId> {
        let LockName { address, family, .. } = self.name(lock).clone();
        let parameters = &self.program.function(callee).parameters;
        let replacement = |part: &Expr| match part {
            Expr::Register(register, _) => {
                let position = parameters.iter().position(|parameter| parameter == register).ok_or(Foreign)?;
                arguments.get(position).cloned().map(Some).ok_or(Foreign)
            }
            Expr::Address(..) if !is_global(part) => Err(Foreign),
            _ => Ok(None),
        };
        let address = rewrite(&address, &replacement).ok()?;
        Some(self.lock(LockName { function: caller, address, family }))
    }

    /// A lock of a caller, as a callee knows it.
    pub(super) fn downwards(&mut self, lock: LockId, callee: FunctionId, arguments: &[Expr]) -> Option<LockId> {
        let LockName { address, family, .. } = self.name(lock).clone();
        let parameters = &self.program.function(callee).parameters;
        let replacement = |part: &Expr| {
            let position =
                arguments.iter().take(parameters.len()).position(|argument| argument == part && !is_global(part));
            match (position, part) {
                (Some(position), _) => Ok(Some(Expr::register(parameters[position], part.width()))),
                (None, Expr::Register(..)) => Err(Foreign),
                (None, Expr::Address(..)) if !is_global(part) => Err(Foreign),
                _ => Ok(None),
            }
        };
        let address = rewrite(&address, &replacement).ok()?;
        Some(self.lock(LockName { function: callee, address, family }))
    }
}
