//! Skeletons by hand: threads, stops, accesses, in the order of the program.

use selvedge_interleaving::skeleton::{
    Cell, CellId, EventId, Goal, Moment, MomentPlace, Parent, Read, SectionPlace, Site, SiteId, Skeleton, Stop, StopId,
    Thread, ThreadId, Write,
};
use selvedge_logic::{Sort, Term, Terms};
use selvedge_program::{AccessKind, AccessMode, Atomicity};
use selvedge_symbolic::Word;

pub struct Builder {
    pub skeleton: Skeleton,
    /// How wide every value is.
    width: u32,
    rank: u32,
}

impl Builder {
    pub fn new(width: u32) -> Self {
        Builder { skeleton: Skeleton::default(), width, rank: 0 }
    }

    pub fn terms(&mut self) -> &mut Terms {
        &mut self.skeleton.terms
    }

    pub fn always(&mut self) -> Term {
        self.terms().bool(true)
    }

    pub fn never(&mut self) -> Term {
        self.terms().bool(false)
    }

    pub fn number(&mut self, value: u128) -> Term {
        let width = self.width;
        self.terms().bits(width, value)
    }

    pub fn is(&mut self, term: Term, value: u128) -> Term {
        let value = self.number(value);
        self.terms().equal(term, value)
    }

    pub fn is_not(&mut self, term: Term, value: u128) -> Term {
        let is = self.is(term, value);
        self.terms().not(is)
    }

    pub fn both(&mut self, a: Term, b: Term) -> Term {
        self.terms().and(a, b)
    }

    pub fn word(&mut self, bits: Term) -> Word {
        Word { tag: self.terms().bits(1, 0), bits }
    }

    pub fn cell(&mut self, name: &str, initial: Term) -> CellId {
        let initial = self.word(initial);
        self.skeleton.cells.push(Cell { name: name.to_string(), object: None, synchronisation: false, initial });
        CellId::new(self.skeleton.cells.len() - 1)
    }

    pub fn lock(&mut self, name: &str) -> CellId {
        let free = self.number(0);
        let cell = self.cell(name, free);
        self.skeleton.cells[cell.index()].synchronisation = true;
        cell
    }

    pub fn thread(&mut self, name: &str, parent: Option<(StopId, Term)>) -> ThreadId {
        let ended = self.always();
        let parent = parent.map(|(spawn, started)| Parent { spawn, started });
        let thread = Thread { name: name.to_string(), parent, stops: Vec::new(), ended, abandoned: Vec::new() };
        self.skeleton.threads.push(thread);
        ThreadId::new(self.skeleton.threads.len() - 1)
    }

    /// A stop with an event of its own.
    pub fn stop(&mut self, thread: ThreadId, reach: Term) -> StopId {
        let event = EventId(self.skeleton.events);
        self.skeleton.events += 1;
        self.stop_at(thread, reach, event, SectionPlace::Outside)
    }

    /// A stop inside the section of an earlier one.
    pub fn inside(&mut self, section: StopId, reach: Term) -> StopId {
        let &Stop { thread, event, .. } = self.skeleton.stop(section);
        self.stop_at(thread, reach, event, SectionPlace::Inside)
    }

    fn stop_at(&mut self, thread: ThreadId, reach: Term, event: EventId, section: SectionPlace) -> StopId {
        let (proceeds, blocked) = (self.always(), self.never());
        let id = StopId::new(self.skeleton.stops.len());
        let stops = &mut self.skeleton.threads[thread.index()].stops;
        let position = stops.len() as u32;
        stops.push(id);
        self.skeleton.stops.push(Stop { thread, position, event, section, reach, proceeds, blocked });
        id
    }

    pub fn read(&mut self, stop: StopId, cell: CellId) -> Term {
        let enabled = self.skeleton.stop(stop).reach;
        self.read_if(stop, cell, enabled)
    }

    pub fn read_if(&mut self, stop: StopId, cell: CellId, enabled: Term) -> Term {
        let name = format!("r{}", self.skeleton.reads.len());
        let width = self.width;
        let bits = self.terms().symbol(&name, Sort::Bits(width));
        let value = self.word(bits);
        self.rank += 1;
        self.skeleton.reads.push(Read { stop, rank: self.rank, cell, value, enabled });
        bits
    }

    pub fn write(&mut self, stop: StopId, cell: CellId, value: Term) {
        let enabled = self.skeleton.stop(stop).reach;
        self.write_if(stop, cell, value, enabled);
    }

    pub fn write_if(&mut self, stop: StopId, cell: CellId, value: Term, enabled: Term) {
        let value = self.word(value);
        self.rank += 1;
        self.skeleton.writes.push(Write { stop, rank: self.rank, cell, value, enabled });
    }

    /// The thread goes on only if the condition holds, and waits for it otherwise.
    pub fn waits_for(&mut self, stop: StopId, condition: Term) {
        self.skeleton.stops[stop.index()].proceeds = condition;
        self.skeleton.stops[stop.index()].blocked = self.terms().not(condition);
    }

    pub fn site(&mut self, stop: StopId, cell: CellId, mode: AccessMode, condition: Term, needs_pending: bool) {
        let access = self.skeleton.sites.len() as u32;
        self.skeleton.sites.push(Site { stop, cell, mode, condition, needs_pending, made: condition, access });
    }

    /// The last site of a stop.
    pub fn site_of(&self, stop: StopId) -> SiteId {
        let site = self.skeleton.sites.iter().rposition(|site| site.stop == stop);
        SiteId::new(site.expect("the stop accesses something"))
    }

    /// A stop that reads a cell, and may race.
    pub fn load(&mut self, thread: ThreadId, cell: CellId, reach: Term) -> (StopId, Term) {
        let stop = self.stop(thread, reach);
        let value = self.read(stop, cell);
        self.site(stop, cell, AccessMode { kind: AccessKind::Read, atomicity: Atomicity::Plain }, reach, false);
        (stop, value)
    }

    /// A stop that writes a cell, and may race.
    pub fn store(&mut self, thread: ThreadId, cell: CellId, value: Term, reach: Term) -> StopId {
        let stop = self.stop(thread, reach);
        self.write(stop, cell, value);
        self.site(stop, cell, AccessMode { kind: AccessKind::Write, atomicity: Atomicity::Plain }, reach, false);
        stop
    }

    pub fn acquire(&mut self, thread: ThreadId, lock: CellId, reach: Term) -> StopId {
        let stop = self.stop(thread, reach);
        let owner = self.read(stop, lock);
        let free = self.is(owner, 0);
        self.waits_for(stop, free);
        let own = self.number(thread.index() as u128 + 1);
        self.write(stop, lock, own);
        stop
    }

    /// Gives the lock back; the thread does not get past it if the lock is not its own.
    pub fn release(&mut self, thread: ThreadId, lock: CellId, reach: Term) -> StopId {
        let stop = self.stop(thread, reach);
        let owner = self.read(stop, lock);
        let own = self.is(owner, thread.index() as u128 + 1);
        self.skeleton.stops[stop.index()].proceeds = own;
        let free = self.number(0);
        self.write(stop, lock, free);
        stop
    }

    /// A stop that lets others join the thread, and the cell that says so.
    pub fn finish(&mut self, thread: ThreadId) -> CellId {
        let cell = self.lock("finished");
        let always = self.always();
        let stop = self.stop(thread, always);
        let one = self.number(1);
        self.write(stop, cell, one);
        cell
    }

    pub fn join(&mut self, thread: ThreadId, finished: CellId) -> StopId {
        let always = self.always();
        let stop = self.stop(thread, always);
        let value = self.read(stop, finished);
        let done = self.is(value, 1);
        self.waits_for(stop, done);
        stop
    }

    pub fn goal(&mut self, goal: Goal) {
        self.skeleton.goals.push(goal);
    }

    pub fn after(&self, thread: ThreadId, stop: Option<StopId>, section: SectionPlace, condition: Term) -> Moment {
        Moment { thread, place: MomentPlace::After(stop, section), condition }
    }

    pub fn before(&self, thread: ThreadId, stop: StopId, condition: Term) -> Moment {
        Moment { thread, place: MomentPlace::Before(stop), condition }
    }
}

/// A skeleton as text, to look at.
pub fn show(skeleton: &Skeleton) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    let term = |term| skeleton.terms.display(term).to_string();
    for (number, cell) in skeleton.cells.iter().enumerate() {
        let _ = writeln!(text, "cell {number} {} = {} {}", cell.name, term(cell.initial.bits), cell.synchronisation);
    }
    for (number, thread) in skeleton.threads.iter().enumerate() {
        let parent = thread.parent.map(|parent| (parent.spawn, term(parent.started)));
        let _ = writeln!(text, "thread {number} from {parent:?} ended {}", term(thread.ended));
        for &id in &thread.stops {
            let stop = skeleton.stop(id);
            let _ = writeln!(
                text,
                "  {id:?} {:?} {:?}: reach {}, proceeds {}, blocked {}",
                stop.event,
                stop.section,
                term(stop.reach),
                term(stop.proceeds),
                term(stop.blocked)
            );
            for read in skeleton.reads.iter().filter(|read| read.stop == id) {
                let (bits, enabled) = (term(read.value.bits), term(read.enabled));
                let _ = writeln!(text, "    {bits} := cell {} if {enabled}", read.cell.0);
            }
            for write in skeleton.writes.iter().filter(|write| write.stop == id) {
                let (bits, enabled) = (term(write.value.bits), term(write.enabled));
                let _ = writeln!(text, "    cell {} := {bits} if {enabled}", write.cell.0);
            }
            for site in skeleton.sites.iter().filter(|site| site.stop == id) {
                let _ = writeln!(text, "    site {:?} {:?} if {}", site.cell, site.mode, term(site.condition));
            }
        }
        for moment in &thread.abandoned {
            let _ = writeln!(text, "  abandoned {:?} if {}", moment.place, term(moment.condition));
        }
    }
    for goal in &skeleton.goals {
        match goal {
            Goal::Moments(moments) => {
                for moment in moments {
                    let _ = writeln!(text, "goal {:?} {:?} if {}", moment.thread, moment.place, term(moment.condition));
                }
            }
            _ => {
                let _ = writeln!(text, "goal {goal:?}");
            }
        }
    }
    text
}
