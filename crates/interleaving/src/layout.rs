//! What a skeleton says about order before anything is solved: the order of events within a thread, and between a
//! thread and those that led to its start; and indices from stops and cells to their accesses.
//!
//! The events of a thread are ordered by their first stops in its chain. (Stops of one event may have stops of other
//! branches between them, so neighbours in the chain would not do.) That is right because a section's later stops are
//! only reached through its first.

use rustc_hash::FxHashMap;
use selvedge_logic::SymbolId;

use crate::skeleton::{CellId, EventId, ReadId, Skeleton, StopId, ThreadId, WriteId};

/// An access of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read(ReadId),
    Write(WriteId),
}

/// A place in the order of one thread: its event's number there, then the rank of the access.
pub(crate) type Place = (u32, u32);

/// The writes of one thread to one cell, in the order of the thread.
#[derive(Clone, Debug)]
pub(crate) struct ThreadWrites {
    pub thread: ThreadId,
    pub writes: Vec<WriteId>,
}

/// The static order and the indices.
#[derive(Debug)]
pub(crate) struct Layout {
    threads: usize,
    /// For each event, its thread and its number in the order of that thread.
    places: Vec<(ThreadId, u32)>,
    /// For each event, its stops in chain order.
    pub stops_of_event: Vec<Vec<StopId>>,
    /// For each thread, its events in order.
    pub events_of_thread: Vec<Vec<EventId>>,
    /// For each stop, the last event of its thread among those of the chain up to it.
    pub latest: Vec<EventId>,
    /// How many events of one thread precede everything in another, `row * threads + column`.
    preceding: Vec<u32>,
    /// For each stop, its accesses by rank.
    pub accesses: Vec<Vec<Access>>,
    /// For each cell, the writes to it by thread.
    pub writes_of_cell: Vec<Vec<ThreadWrites>>,
    /// For each stop, its sites (indices into the skeleton's).
    pub sites_of_stop: Vec<Vec<u32>>,
    /// The reads by the symbols of their values.
    pub read_of_symbol: FxHashMap<SymbolId, ReadId>,
    /// The operations by the symbols of their results.
    pub opaque_of_symbol: FxHashMap<SymbolId, usize>,
}

const NOWHERE: u32 = u32::MAX;

impl Layout {
    pub fn new(skeleton: &Skeleton) -> Self {
        let mut layout = Layout {
            threads: skeleton.threads.len(),
            places: vec![(ThreadId(0), NOWHERE); skeleton.events as usize],
            stops_of_event: vec![Vec::new(); skeleton.events as usize],
            events_of_thread: vec![Vec::new(); skeleton.threads.len()],
            latest: vec![EventId(0); skeleton.stops.len()],
            preceding: vec![0; skeleton.threads.len() * skeleton.threads.len()],
            accesses: vec![Vec::new(); skeleton.stops.len()],
            writes_of_cell: vec![Vec::new(); skeleton.cells.len()],
            sites_of_stop: vec![Vec::new(); skeleton.stops.len()],
            read_of_symbol: FxHashMap::default(),
            opaque_of_symbol: FxHashMap::default(),
        };
        layout.order_events(skeleton);
        layout.order_threads(skeleton);
        layout.collect_accesses(skeleton);
        for (number, opaque) in skeleton.opaque.iter().enumerate() {
            layout.opaque_of_symbol.extend(opaque.symbols(&skeleton.terms).map(|symbol| (symbol, number)));
        }
        layout
    }

    fn order_events(&mut self, skeleton: &Skeleton) {
        for (number, thread) in skeleton.threads.iter().enumerate() {
            for &id in &thread.stops {
                let event = skeleton.stop(id).event;
                let place = &mut self.places[event.index()];
                if place.1 == NOWHERE {
                    *place = (ThreadId::new(number), self.events_of_thread[number].len() as u32);
                    self.events_of_thread[number].push(event);
                }
                debug_assert_eq!(self.places[event.index()].0.index(), number, "an event belongs to one thread");
                self.stops_of_event[event.index()].push(id);
                self.latest[id.index()] = self.events_of_thread[number].last().copied().unwrap_or(event);
            }
        }
    }

    fn order_threads(&mut self, skeleton: &Skeleton) {
        for number in 0..self.threads {
            let mut thread = number;
            // At most as many steps as there are threads, whatever the parents say.
            for _ in 0..self.threads {
                let Some(parent) = skeleton.threads[thread].parent else { break };
                let spawn = skeleton.stop(parent.spawn);
                let (ancestor, place) = self.places[spawn.event.index()];
                self.preceding[ancestor.index() * self.threads + number] = place + 1;
                thread = ancestor.index();
            }
        }
    }

    fn collect_accesses(&mut self, skeleton: &Skeleton) {
        for (number, read) in skeleton.reads.iter().enumerate() {
            self.accesses[read.stop.index()].push(Access::Read(ReadId::new(number)));
            for symbol in skeleton.terms.symbols_of(&[read.value.tag, read.value.bits]) {
                self.read_of_symbol.insert(symbol, ReadId::new(number));
            }
        }
        for (number, write) in skeleton.writes.iter().enumerate() {
            let id = WriteId::new(number);
            self.accesses[write.stop.index()].push(Access::Write(id));
            let thread = skeleton.stop(write.stop).thread;
            let threads = &mut self.writes_of_cell[write.cell.index()];
            match threads.iter_mut().find(|writes| writes.thread == thread) {
                Some(writes) => writes.writes.push(id),
                None => threads.push(ThreadWrites { thread, writes: vec![id] }),
            }
        }
        for accesses in &mut self.accesses {
            accesses.sort_by_key(|&access| match access {
                Access::Read(id) => (skeleton.read(id).rank, 0),
                Access::Write(id) => (skeleton.write(id).rank, 1),
            });
        }
        let mut writes_of_cell = std::mem::take(&mut self.writes_of_cell);
        for threads in &mut writes_of_cell {
            threads.sort_by_key(|writes| writes.thread);
            for writes in threads {
                writes.writes.sort_by_key(|&id| self.place_of_write(skeleton, id));
            }
        }
        self.writes_of_cell = writes_of_cell;
        for (number, site) in skeleton.sites.iter().enumerate() {
            self.sites_of_stop[site.stop.index()].push(number as u32);
        }
    }

    pub fn place_of_write(&self, skeleton: &Skeleton, id: WriteId) -> Place {
        let write = skeleton.write(id);
        (self.places[skeleton.stop(write.stop).event.index()].1, write.rank)
    }

    pub fn place_of_read(&self, skeleton: &Skeleton, id: ReadId) -> Place {
        let read = skeleton.read(id);
        (self.places[skeleton.stop(read.stop).event.index()].1, read.rank)
    }

    pub fn reads_of(&self, stop: StopId) -> impl Iterator<Item = ReadId> + '_ {
        self.accesses[stop.index()].iter().filter_map(|&access| match access {
            Access::Read(read) => Some(read),
            Access::Write(_) => None,
        })
    }

    /// Whether the read's own stop writes its cell before it.
    pub fn writes_before(&self, skeleton: &Skeleton, id: ReadId) -> bool {
        let read = skeleton.read(id);
        let own = self.accesses[read.stop.index()].iter().take_while(|&&access| access != Access::Read(id));
        own.into_iter().any(|&access| matches!(access, Access::Write(write) if skeleton.write(write).cell == read.cell))
    }

    pub fn writes_to(&self, cell: CellId) -> &[ThreadWrites] {
        &self.writes_of_cell[cell.index()]
    }

    pub fn thread_of(&self, event: EventId) -> ThreadId {
        self.places[event.index()].0
    }

    /// The number of an event in the order of its thread.
    pub fn number(&self, event: EventId) -> u32 {
        self.places[event.index()].1
    }

    /// How many events of `earlier` precede everything in `later`.
    pub fn preceding(&self, earlier: ThreadId, later: ThreadId) -> u32 {
        self.preceding[earlier.index() * self.threads + later.index()]
    }

    /// Whether `a` precedes `b` in every execution in which both happen.
    pub fn precedes(&self, a: EventId, b: EventId) -> bool {
        let ((first, place), (second, other)) = (self.places[a.index()], self.places[b.index()]);
        if first == second { place < other } else { place < self.preceding(first, second) }
    }
}
