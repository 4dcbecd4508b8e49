//! Accesses of single cells: private ones are part of the state, shared ones are reads and writes of a stop.
//!
//! Edges of one place share what they read, and writes of the same value, because only one of them is taken.

use selvedge_logic::Term;
use selvedge_program::{AccessMode, Atomicity};
use selvedge_symbolic::{CellKey, Tag, Word};

use super::cells::Class;
use super::guide::Guide;
use super::origin::initial;
use super::state::State;
use super::walk::Walker;
use crate::skeleton::{Cell, CellId, Read, Site, StopId, Write};

impl Walker<'_, '_> {
    pub(super) fn initial(&mut self, key: CellKey) -> Word {
        initial(&mut self.round.builder, &mut self.unroller.objects, self.unroller.program, key)
    }

    /// Reads a cell, when the access means it.
    pub(super) fn read_cell(&mut self, state: &mut State, key: CellKey, when: Term) -> Word {
        self.unroller.knowledge.reads(key, self.round.thread);
        match self.unroller.knowledge.class(key) {
            Class::Constant | Class::Private => match state.cell(key) {
                Some(word) => word,
                None => self.initial(key),
            },
            Class::Shared => self.read_shared(state, key, when),
        }
    }

    /// What a cell turned out to be when it was looked at is a value from then on, and is copied as one: the look is a
    /// write. In a cell that threads share and nobody copies it stays open in the eyes of the others, who see the same
    /// bits.
    pub(super) fn settle_cell(&mut self, state: &mut State, key: CellKey, when: Term, word: Word) {
        let open = self.round.builder.has_tag(word, Tag::INDETERMINATE);
        if self.round.builder.is(open, false) {
            return;
        }
        let settles = self.round.builder.and(open, when);
        let settled = self.round.builder.plain(word.bits);
        if self.unroller.knowledge.is_moved(key) {
            return self.write_cell(state, key, settles, settled);
        }
        if self.unroller.knowledge.class(key) != Class::Shared {
            let word = self.round.builder.choose(settles, settled, word);
            state.set_cell(key, word);
        }
    }

    fn read_shared(&mut self, state: &State, key: CellKey, when: Term) -> Word {
        let stop = self.stop(state);
        self.here.reads_here = true;
        let cell = self.cell(key);
        let enabled = self.round.builder.and(self.here.guard, when);
        if let Some(value) = self.read_before(stop, cell, enabled) {
            return value;
        }
        let initial = self.round.cells[cell.index()].initial;
        let mut tags = self.round.builder.tags(initial);
        tags.extend(self.unroller.knowledge.tags(key));
        tags.sort_unstable();
        tags.dedup();
        let width = self.round.builder.width(initial.bits);
        let builder = &mut self.round.builder;
        let among = match self.unroller.knowledge.bits(key) {
            Some(written) => {
                let constants = written.iter().map(|constant| builder.terms.bits(width, *constant));
                let mut terms = constants.collect::<Vec<Term>>();
                if !terms.contains(&initial.bits) {
                    terms.insert(0, initial.bits);
                }
                Some(terms)
            }
            None => None,
        };
        let value = self.round.builder.fresh_word(width, &tags, among);
        let rank = self.round.next_rank();
        self.round.reads.push(Read { stop, rank, cell, value, enabled });
        value
    }

    /// What has been read at the same stop before, maybe along another edge. Only one edge is taken, so both see the
    /// same, unless the one or the other has written the cell before its read.
    fn read_before(&self, stop: StopId, cell: CellId, enabled: Term) -> Option<Word> {
        let writes = self.writes_here(stop, cell);
        let (mut own, mut first) = (false, u32::MAX);
        for write in writes {
            own |= write.rank > self.here.since;
            first = first.min(write.rank);
        }
        let reads = self.round.reads.iter().rev().take_while(|read| read.stop == stop);
        let same = reads.into_iter().find(|read| read.cell == cell && read.enabled == enabled && read.rank < first);
        same.filter(|_| !own).map(|read| read.value)
    }

    /// The writes to a cell at a stop, the last one first.
    fn writes_here(&self, stop: StopId, cell: CellId) -> impl Iterator<Item = &Write> {
        self.round
            .writes
            .iter()
            .rev()
            .take_while(move |write| write.stop == stop)
            .filter(move |write| write.cell == cell)
    }

    /// Adds a write. Where another edge writes the same, and reads nothing of it, that is one write, which happens
    /// along either edge.
    fn add_write(&mut self, write: Write) {
        let own = |access: StopId| access == write.stop;
        let reads = self.round.reads.iter().rev().take_while(|read| own(read.stop));
        let last_read = reads.filter(|read| read.cell == write.cell).map(|read| read.rank).max().unwrap_or(0);
        let before = self.round.writes.iter_mut().rev().take_while(|other| own(other.stop));
        let last = before.into_iter().find(|other| other.cell == write.cell);
        match last.filter(|last| last.rank <= self.here.since && last.rank > last_read && last.value == write.value) {
            Some(last) => {
                last.enabled = self.round.builder.or(last.enabled, write.enabled);
                last.rank = write.rank;
            }
            None => self.round.writes.push(write),
        }
    }

    /// Writes a cell, when the access means it.
    pub(super) fn write_cell(&mut self, state: &mut State, key: CellKey, when: Term, word: Word) {
        let rank = self.round.next_rank();
        let tags = self.round.builder.tags(word);
        let bits = self.round.builder.constant(word.bits);
        self.unroller.knowledge.writes(key, self.round.thread, rank, &tags, bits);
        if self.unroller.knowledge.class(key) == Class::Shared {
            let stop = self.stop(state);
            let cell = self.cell(key);
            let enabled = {
                let when = self.round.builder.and(self.here.pick, when);
                self.round.builder.and(self.here.guard, when)
            };
            self.add_write(Write { stop, rank, cell, value: word, enabled });
            let effect = self.effect(stop, cell, word, enabled);
            state.add_effect(effect);
            return;
        }
        let word = if self.round.builder.is(when, true) {
            word
        } else {
            let old = match state.cell(key) {
                Some(old) => old,
                None => self.initial(key),
            };
            self.round.builder.choose(when, word, old)
        };
        state.set_cell(key, word);
    }

    /// When the last write changes anything: not when the same stop has just read the very value.
    fn effect(&mut self, stop: StopId, cell: CellId, word: Word, enabled: Term) -> Term {
        let read = self.round.reads.iter().rev().take_while(|read| read.stop == stop).find(|read| read.cell == cell);
        let own = self.writes_here(stop, cell).filter(|write| write.rank > self.here.since).count();
        match read.copied() {
            Some(read) if own == 1 => {
                let same = self.round.builder.same(read.value, word);
                self.round.builder.and_not(enabled, same)
            }
            _ => enabled,
        }
    }

    /// The cell of a key.
    fn cell(&mut self, key: CellKey) -> CellId {
        if let Some(cell) = self.round.cell_ids.get(&key) {
            return *cell;
        }
        let id = CellId::new(self.round.cells.len());
        let initial = self.initial(key);
        let object = self.unroller.objects.abstracted(key.object());
        self.round.cells.push(Cell {
            name: super::names::cell(self.unroller, key),
            object,
            synchronisation: !matches!(key, CellKey::Bytes { .. }),
            initial,
        });
        self.round.cell_ids.insert(key, id);
        id
    }

    /// Standing here, the thread is about to touch a cell, if others may notice.
    pub(super) fn site(&mut self, state: &State, key: CellKey, when: Term, mode: AccessMode) {
        let on_path = self.unroller.guide.as_ref().is_some_and(Guide::on_path);
        if on_path || self.unroller.knowledge.class(key) != Class::Shared {
            return;
        }
        let stop = self.stop(state);
        let cell = self.cell(key);
        let condition = {
            let when = self.round.builder.and(self.here.ok, when);
            self.round.builder.and(self.here.guard, when)
        };
        let made = self.round.builder.and(condition, self.here.pick);
        let atomicity = if state.section.is_some() { Atomicity::SEQUENTIAL } else { mode.atomicity };
        let mode = AccessMode { atomicity, ..mode };
        let needs_pending = self.here.reads_here;
        let access = self.round.accesses;
        self.round.sites.push(Site { stop, cell, mode, condition, needs_pending, made, access });
        let function = self.round.nodes[self.here.node.index()].function;
        self.round.spans.push(self.unroller.program.function(function).edge(self.here.edge).span);
    }
}
