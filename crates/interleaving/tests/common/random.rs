//! Small random skeletons with everything that skeletons have: branches, guards, atomic updates, sections, threads that
//! start threads, paths that end early, pointers that may mean one of two cells.

use selvedge_generate::random::Random;
use selvedge_interleaving::skeleton::{
    CellId, Goal, Interference, Moment, SectionPlace, SiteId, Skeleton, StopId, ThreadId,
};
use selvedge_logic::{Sort, Term};
use selvedge_program::{AccessKind, AccessMode, Atomicity};

use super::build::Builder;

/// How wide every value is.
const WIDTH: u32 = 3;

/// A thread while it is being made.
struct Path {
    thread: ThreadId,
    /// What the thread knows here.
    known: Vec<Term>,
    /// The path condition.
    base: Term,
    last: Option<StopId>,
}

/// Where a thread can be started, and what is known there.
struct Start {
    spawn: StopId,
    known: Vec<Term>,
    reach: Term,
}

pub struct Generator {
    pub random: Random,
    builder: Builder,
    cells: Vec<CellId>,
    moments: Vec<Moment>,
    starts: Vec<Start>,
    lock: Option<CellId>,
}

pub fn skeleton(seed: u64) -> Skeleton {
    let generator = Generator {
        random: Random::new(seed),
        builder: Builder::new(WIDTH),
        cells: Vec::new(),
        moments: Vec::new(),
        starts: Vec::new(),
        lock: None,
    };
    generator.skeleton()
}

impl Generator {
    fn skeleton(mut self) -> Skeleton {
        for number in 0..1 + self.random.index(3) {
            let initial = match self.random.chance(15) {
                true => self.input(number),
                false => {
                    let value = self.random.index(2) as u128;
                    self.builder.number(value)
                }
            };
            let cell = self.builder.cell(&format!("c{number}"), initial);
            self.builder.skeleton.cells[cell.index()].synchronisation = self.random.chance(30);
            self.cells.push(cell);
        }
        if self.random.chance(40) {
            self.lock = Some(self.builder.lock("lock"));
        }
        let threads = 2 + self.random.index(2);
        for number in 0..threads {
            self.thread(number);
        }
        self.goals();
        self.builder.skeleton
    }

    fn input(&mut self, number: usize) -> Term {
        let input = self.builder.terms().symbol(&format!("input{number}"), Sort::Bits(WIDTH));
        let limit = self.builder.number(2);
        let small = self.builder.terms().ult(input, limit);
        self.builder.skeleton.facts.push(small);
        input
    }

    fn thread(&mut self, number: usize) {
        let start = match number > 0 && !self.starts.is_empty() && self.random.chance(60) {
            true => {
                let choice = self.random.index(self.starts.len());
                Some(self.starts.swap_remove(choice))
            }
            false => None,
        };
        let known = start.as_ref().map_or(Vec::new(), |start| start.known.clone());
        let parent = start.map(|start| {
            let started = match self.random.chance(30) {
                true => self.condition(&start.known),
                false => self.builder.always(),
            };
            let started = self.builder.both(start.reach, started);
            (start.spawn, started)
        });
        let thread = self.builder.thread(&format!("t{number}"), parent);
        let base = self.builder.always();
        let mut path = Path { thread, known, base, last: None };
        if number == 0 && self.random.chance(30) {
            self.prepare_lock(&mut path);
        }
        let stops = 1 + self.random.index(if self.lock.is_some() { 6 } else { 4 });
        while self.builder.skeleton.threads[thread.index()].stops.len() < stops {
            match self.random.index(100) {
                0..15 => self.branch(&mut path),
                15..30 => self.section(&mut path),
                30..42 => self.way_out(&mut path, SectionPlace::Outside),
                42..70 if self.lock.is_some() => self.use_lock(&mut path),
                _ => {
                    let base = path.base;
                    let stop = self.builder.stop(thread, base);
                    self.fill(&mut path, stop, base);
                }
            }
        }
        if self.random.chance(20) {
            self.way_out(&mut path, SectionPlace::Outside);
        }
        self.builder.skeleton.threads[thread.index()].ended = path.base;
    }

    /// Writes to the lock what it holds while it is free, as initialisation does.
    fn prepare_lock(&mut self, path: &mut Path) {
        let Some(lock) = self.lock else { return };
        let stop = self.builder.stop(path.thread, path.base);
        let free = self.builder.number(0);
        self.builder.write(stop, lock, free);
        path.last = Some(stop);
    }

    /// An operation on the lock, mostly one that keeps its rules.
    fn use_lock(&mut self, path: &mut Path) {
        let Some(lock) = self.lock else { return };
        let mut reach = path.base;
        if self.random.chance(30) {
            let condition = self.condition(&path.known);
            reach = self.builder.both(reach, condition);
        }
        let own = path.thread.index() as u128 + 1;
        let stop = match self.random.index(20) {
            0..9 => self.builder.acquire(path.thread, lock, reach),
            9..17 => self.builder.release(path.thread, lock, reach),
            17 | 18 => {
                // Tries, and goes on either way.
                let stop = self.builder.stop(path.thread, reach);
                let owner = self.builder.read(stop, lock);
                let free = self.builder.is(owner, 0);
                let enabled = self.builder.both(reach, free);
                let own = self.builder.number(own);
                self.builder.write_if(stop, lock, own, enabled);
                let zero = self.builder.number(0);
                let known = self.builder.terms().ite(reach, owner, zero);
                path.known.push(known);
                stop
            }
            _ => {
                let stop = self.builder.stop(path.thread, reach);
                let value = self.random.index(2) as u128;
                let value = self.builder.number(value);
                self.builder.write(stop, lock, value);
                stop
            }
        };
        path.last = Some(stop);
    }

    fn branch(&mut self, path: &mut Path) {
        let condition = self.condition(&path.known);
        let otherwise = self.builder.terms().not(condition);
        let outer = path.base;
        for side in [condition, otherwise] {
            let reach = self.builder.both(outer, side);
            for _ in 0..self.random.index(2) + usize::from(side == condition) {
                let stop = self.builder.stop(path.thread, reach);
                self.fill(path, stop, reach);
            }
        }
    }

    fn section(&mut self, path: &mut Path) {
        let base = path.base;
        let first = self.builder.stop(path.thread, base);
        if self.random.chance(30) {
            // The section has begun before anything in it is touched.
            self.builder.skeleton.stops[first.index()].section = SectionPlace::Inside;
        }
        self.fill(path, first, base);
        for _ in 0..1 + self.random.index(2) {
            if self.random.chance(20) {
                self.way_out(path, SectionPlace::Inside);
            }
            let mut reach = path.base;
            if self.random.chance(30) {
                let condition = self.condition(&path.known);
                reach = self.builder.both(reach, condition);
            }
            let stop = self.builder.inside(first, reach);
            self.fill(path, stop, reach);
        }
        let end = self.builder.inside(first, path.base);
        path.last = Some(end);
    }

    /// Under some condition the path ends here.
    fn way_out(&mut self, path: &mut Path, section: SectionPlace) {
        let condition = self.condition(&path.known);
        let leaves = self.builder.both(path.base, condition);
        let moment = self.builder.after(path.thread, path.last, section, leaves);
        match self.random.chance(30) {
            true => self.builder.skeleton.threads[path.thread.index()].abandoned.push(moment),
            false => self.moments.push(moment),
        }
        let stays = self.builder.terms().not(condition);
        path.base = self.builder.both(path.base, stays);
    }

    /// The accesses of a stop.
    fn fill(&mut self, path: &mut Path, stop: StopId, reach: Term) {
        let touch_atomic = self.random.chance(30);
        let mut own = Vec::new();
        let cell = self.cells[self.random.index(self.cells.len())];
        match self.random.index(10) {
            0..3 => own.push(self.read(stop, cell, reach, touch_atomic)),
            3..6 => {
                let value = self.value(&path.known);
                self.write(stop, cell, value, reach, touch_atomic, false);
            }
            6 => {
                // A pointer that means one of two cells.
                let other = self.cells[self.random.index(self.cells.len())];
                let which = self.condition(&path.known);
                let first = self.builder.both(reach, which);
                let not = self.builder.terms().not(which);
                let second = self.builder.both(reach, not);
                if self.random.chance(50) {
                    let (a, b) =
                        (self.read(stop, cell, first, touch_atomic), self.read(stop, other, second, touch_atomic));
                    own.push(self.builder.terms().ite(first, a, b));
                } else {
                    let value = self.value(&path.known);
                    self.write(stop, cell, value, first, touch_atomic, false);
                    self.write(stop, other, value, second, touch_atomic, false);
                }
            }
            _ => {
                // Read, perhaps wait, perhaps write.
                let value = self.read(stop, cell, reach, true);
                own.push(value);
                let mut everything = path.known.clone();
                everything.push(value);
                let mut enabled = reach;
                if self.random.chance(40) {
                    let wanted = self.random.index(2) as u128;
                    let hit = self.builder.is(value, wanted);
                    enabled = self.builder.both(reach, hit);
                }
                let target = self.cells[self.random.index(self.cells.len())];
                let written = self.value(&everything);
                self.write(stop, target, written, enabled, true, enabled != reach);
            }
        }
        self.guard(path, stop, &own);
        for value in own {
            let zero = self.builder.number(0);
            let known = self.builder.terms().ite(reach, value, zero);
            path.known.push(known);
        }
        path.last = Some(stop);
        if self.random.chance(40) {
            self.starts.push(Start { spawn: stop, known: path.known.clone(), reach });
        }
    }

    fn guard(&mut self, path: &Path, stop: StopId, own: &[Term]) {
        if !self.random.chance(35) {
            return;
        }
        let mut everything = path.known.clone();
        everything.extend(own);
        let condition = match own {
            [value, ..] if self.random.chance(80) => {
                let wanted = self.random.index(2) as u128;
                self.builder.is(*value, wanted)
            }
            _ => self.condition(&everything),
        };
        if self.random.chance(60) {
            self.builder.waits_for(stop, condition);
            return;
        }
        self.builder.skeleton.stops[stop.index()].proceeds = condition;
        let fails = self.builder.terms().not(condition);
        let moment = self.builder.before(path.thread, stop, fails);
        match self.random.chance(30) {
            true => self.builder.skeleton.threads[path.thread.index()].abandoned.push(moment),
            false => self.moments.push(moment),
        }
    }

    fn read(&mut self, stop: StopId, cell: CellId, enabled: Term, atomic: bool) -> Term {
        self.builder.site(stop, cell, mode(AccessKind::Read, atomic), enabled, false);
        self.builder.read_if(stop, cell, enabled)
    }

    fn write(&mut self, stop: StopId, cell: CellId, value: Term, enabled: Term, atomic: bool, pending: bool) {
        self.builder.site(stop, cell, mode(AccessKind::Write, atomic), enabled, pending);
        self.builder.write_if(stop, cell, value, enabled);
    }

    fn value(&mut self, known: &[Term]) -> Term {
        if known.is_empty() || self.random.chance(50) {
            let value = self.random.index(3) as u128;
            return self.builder.number(value);
        }
        let value = known[self.random.index(known.len())];
        if self.random.chance(50) {
            return value;
        }
        let one = self.builder.number(1);
        self.builder.terms().add(value, one)
    }

    fn condition(&mut self, known: &[Term]) -> Term {
        if known.is_empty() {
            return match self.random.chance(50) {
                true => self.builder.always(),
                false => {
                    let coin = self.builder.terms().symbol("coin", Sort::Bool);
                    match self.random.chance(50) {
                        true => coin,
                        false => self.builder.terms().not(coin),
                    }
                }
            };
        }
        let value = known[self.random.index(known.len())];
        let other = self.value(known);
        match self.random.index(3) {
            0 => {
                let wanted = self.random.index(2) as u128;
                self.builder.is(value, wanted)
            }
            1 => self.builder.terms().ult(value, other),
            _ => self.builder.terms().distinct(value, other),
        }
    }

    fn goals(&mut self) {
        let moments = std::mem::take(&mut self.moments);
        if moments.len() > 2 {
            let (first, rest) = moments.split_at(moments.len() / 2);
            self.builder.goal(Goal::Moments(first.to_vec()));
            self.builder.goal(Goal::Moments(rest.to_vec()));
        } else {
            moments.into_iter().for_each(|moment| self.builder.goal(Goal::Moments(vec![moment])));
        }
        // What is true in the end, in every thread that has come so far.
        let threads = self.builder.skeleton.threads.len();
        let cells = self.cells.clone();
        for _ in 0..2 {
            let thread = ThreadId::new(self.random.index(threads));
            let stop = self.builder.skeleton.thread(thread).stops.last().copied();
            let condition = self.last_condition(thread);
            let moment = self.builder.after(thread, stop, SectionPlace::Outside, condition);
            self.builder.goal(Goal::Moments(vec![moment]));
        }
        for &cell in &cells {
            self.builder.goal(Goal::Race(vec![cell]));
        }
        self.builder.goal(Goal::Race(cells));
        self.builder.goal(Goal::Deadlock);
        self.atomicity();
    }

    /// Two goals, each of a few interferences on one cell.
    fn atomicity(&mut self) {
        let sites = self.builder.skeleton.sites.len();
        let mut goals = [Vec::new(), Vec::new()];
        for _ in 0..if sites == 0 { 0 } else { 20 } {
            let mut pick = || SiteId::new(self.random.index(sites));
            let interference = Interference { first: pick(), between: pick(), second: pick() };
            let Interference { first, between, second } = interference;
            let skeleton = &self.builder.skeleton;
            let [a, b, c] = [first, between, second].map(|site| skeleton.site(site));
            let [own, other, again] = [a, b, c].map(|site| skeleton.stop(site.stop));
            if a.cell == b.cell
                && b.cell == c.cell
                && own.thread == again.thread
                && own.thread != other.thread
                && own.position < again.position
            {
                let goal = self.random.index(2);
                goals[goal].push(interference);
            }
        }
        let goals = goals.into_iter().filter(|goal| !goal.is_empty());
        goals.for_each(|goal| self.builder.goal(Goal::Atomicity(goal)));
    }

    fn last_condition(&mut self, thread: ThreadId) -> Term {
        let ended = self.builder.skeleton.thread(thread).ended;
        let skeleton = &self.builder.skeleton;
        let own: Vec<Term> = skeleton
            .reads
            .iter()
            .filter(|read| skeleton.stop(read.stop).thread == thread)
            .map(|read| (read.enabled, read.value.bits))
            .map(|(_, bits)| bits)
            .collect();
        let enabled: Vec<Term> = skeleton
            .reads
            .iter()
            .filter(|read| skeleton.stop(read.stop).thread == thread)
            .map(|read| read.enabled)
            .collect();
        let mut condition = ended;
        for (bits, enabled) in own.into_iter().zip(enabled) {
            if self.random.chance(60) {
                let wanted = self.random.index(3) as u128;
                let is = self.builder.is(bits, wanted);
                let happens = self.builder.both(enabled, is);
                condition = self.builder.both(condition, happens);
            }
        }
        condition
    }
}

fn mode(kind: AccessKind, atomic: bool) -> AccessMode {
    AccessMode { kind, atomicity: if atomic { Atomicity::SEQUENTIAL } else { Atomicity::Plain } }
}
