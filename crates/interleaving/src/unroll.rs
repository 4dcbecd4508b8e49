//! From a program and bounds to a [`Skeleton`]: every thread is executed symbolically by itself, along all paths at
//! once.
//!
//! Loops and recursion are unrolled to a bound, calls are followed, branches are joined again where they meet
//! ([`nesting`] gives an order of places in which every join comes after its branches). Registers and cells that only
//! one thread writes while others do not look ([`cells`]) are terms; reads of all other cells are fresh symbols. What
//! is beyond a bound or not modelled ends its path with a [`Gap`]: a goal like any other, so that a proof must also
//! show that no gap is reached.

mod access;
mod actions;
mod arrays;
pub mod cells;
pub mod claims;
pub mod guide;
mod names;
mod nesting;
mod nothing;
pub mod objects;
mod origin;
pub mod path;
mod round;
mod run;
mod state;
mod threads;
mod walk;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_program::live::Live;
use selvedge_program::{Budget, Exhausted, FunctionId, LocationId, Program};

use self::cells::Knowledge;
use self::claims::Asked;
use self::guide::Guide;
use self::nesting::Nesting;
use self::objects::{Objects, PlaceId};
use self::path::Paths;
use self::round::Round;
use self::walk::Key;
use crate::skeleton::{Skeleton, ThreadId};

/// How far to unroll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How often a loop may go round whose end is not known.
    pub unwind: u32,
    /// The same for particular loops.
    pub loops: FxHashMap<(FunctionId, LocationId), u32>,
    /// How many activations of one function a thread may have at a time.
    pub recursion: u32,
    /// How many threads may be started with one function.
    pub threads: Option<usize>,
    /// How many places an access may mean before its object is treated as an array.
    pub candidates: u64,
    /// How many places an access may mean of an object that threads share.
    pub shared_candidates: u64,
    /// How many places the unrolling may have in all.
    pub places: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            unwind: 1,
            loops: FxHashMap::default(),
            recursion: 8,
            threads: None,
            candidates: 256,
            shared_candidates: 2048,
            places: 200_000,
        }
    }
}

impl Bounds {
    fn of_loop(&self, function: FunctionId, head: LocationId) -> u32 {
        self.loops.get(&(function, head)).copied().unwrap_or(self.unwind)
    }
}

/// A bounded program.
#[derive(Debug)]
pub struct Unrolled {
    pub skeleton: Skeleton,
    /// The skeleton's goals, in order, in the words of the program.
    pub asked: Vec<Asked>,
    pub paths: Paths,
}

/// Unrolls a program.
pub fn unroll(program: &Program, bounds: &Bounds, budget: &Budget) -> Result<Unrolled, Exhausted> {
    let mut unroller = Unroller::new(program, bounds);
    loop {
        budget.check()?;
        let mut round = Round::new(program);
        let objects = unroller.objects.count();
        unroller.run(&mut round, budget)?;
        let is_new = unroller.objects.count() > objects;
        if !unroller.knowledge.learn(&round.origins) && !is_new {
            return unroller.finish(round, budget);
        }
    }
}

/// What lasts from round to round.
struct Unroller<'p> {
    program: &'p Program,
    bounds: &'p Bounds,
    objects: Objects,
    knowledge: Knowledge,
    places: FxHashMap<(ThreadId, Key), PlaceId>,
    /// The thread of every place.
    place_threads: Vec<ThreadId>,
    threads: FxHashMap<(PlaceId, FunctionId), ThreadId>,
    live: Vec<Option<Rc<Live>>>,
    nesting: Vec<Option<Rc<Nesting>>>,
    /// If only given paths are to be walked.
    guide: Option<Guide>,
}

impl<'p> Unroller<'p> {
    fn new(program: &'p Program, bounds: &'p Bounds) -> Self {
        Unroller {
            program,
            bounds,
            objects: Objects::default(),
            knowledge: Knowledge::default(),
            places: FxHashMap::default(),
            place_threads: Vec::new(),
            threads: FxHashMap::default(),
            live: vec![None; program.functions.len()],
            nesting: vec![None; program.functions.len()],
            guide: None,
        }
    }

    fn live(&mut self, function: FunctionId) -> Rc<Live> {
        let live = &mut self.live[function.index()];
        Rc::clone(live.get_or_insert_with(|| Rc::new(Live::of(self.program.function(function)))))
    }

    fn nesting(&mut self, function: FunctionId) -> Rc<Nesting> {
        let nesting = &mut self.nesting[function.index()];
        Rc::clone(nesting.get_or_insert_with(|| Rc::new(Nesting::of(self.program.function(function)))))
    }

    fn place(&mut self, thread: ThreadId, key: &Key) -> PlaceId {
        let (next, threads) = (PlaceId::new(self.places.len()), &mut self.place_threads);
        *self.places.entry((thread, key.clone())).or_insert_with(|| {
            threads.push(thread);
            next
        })
    }

    /// How many threads there are so far.
    fn thread_count(&self) -> usize {
        self.guide.as_ref().map_or(self.threads.len() + 1, Guide::threads)
    }

    /// The thread that a place starts with a function; thread 0 is the main thread's.
    fn thread(&mut self, place: PlaceId, function: FunctionId) -> ThreadId {
        let next = ThreadId::new(self.threads.len() + 1);
        *self.threads.entry((place, function)).or_insert(next)
    }
}
