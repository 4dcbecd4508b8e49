//! Points-to analysis in the manner of Andersen (1994): inclusion constraints over registers and memory, solved to a
//! fixpoint; flow- and context-insensitive, field-sensitive.
//!
//! A [`Target`] is an abstract object and a congruence class of offsets, so that `q->head`, `q->tail` and
//! `ring[i].sequence` stay apart. What is over-approximated: all activations of a function share one abstract object
//! per local, all runs of an allocation site one, all threads one; only [`PointsTo::threads`] tells the threads of one
//! spawn from those of another.
//!
//! A value that comes out of nothing may be the address of anything, where the program says so
//! ([`selvedge_program::addresses`]). That is taken into account for havocs. Which bytes of memory are still
//! indeterminate when they are loaded, the analysis cannot tell, and nearly always none are: [`Loads::Settled`] takes
//! that for granted. An engine that relies on it and comes to load an address out of nothing has to start over with
//! [`Loads::OutOfNothing`], or must not answer *safe*.

mod answers;
mod collapse;
mod constraints;
mod cycles;
mod memory;
mod nothing;
mod offset;
mod origins;
mod products;
mod sets;
mod solver;

pub use offset::Offset;
use origins::Products;
use sets::{Move, SetId};

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_program::{
    Budget, EdgeId, Exhausted, FrameObjectId, FunctionId, GhostField, ObjectId, Place, Program, RegisterId, SiteId,
};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// A memory object as the analysis sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AbstractObject {
    /// A global, static, string literal or thread-local (all threads' instances).
    Static(ObjectId),
    /// An address-taken local, in all activations of its function.
    Frame(FunctionId, FrameObjectId),
    /// Everything an allocation site allocates.
    Site(SiteId),
    /// A function.
    Function(FunctionId),
    /// All thread objects.
    Thread,
    /// The objects of the threads that one spawn starts. Seen from outside, they are [`AbstractObject::Thread`].
    Started(SpawnSite),
}

impl AbstractObject {
    /// The objects of a program that there could be races on.
    pub fn all(program: &Program) -> impl Iterator<Item = AbstractObject> {
        let statics = (0..program.objects.len()).map(|index| AbstractObject::Static(ObjectId::new(index)));
        let locals = program.functions.iter().enumerate().flat_map(|(index, function)| {
            let local = move |local| AbstractObject::Frame(FunctionId::new(index), FrameObjectId::new(local));
            (0..function.frame.len()).map(local)
        });
        let sites = (0..program.sites.len()).map(|site| AbstractObject::Site(SiteId::new(site)));
        statics.chain(locals).chain(sites).chain([AbstractObject::Thread])
    }

    /// The function that it is, if it is one.
    fn function(self) -> Option<FunctionId> {
        match self {
            AbstractObject::Function(function) => Some(function),
            AbstractObject::Static(_)
            | AbstractObject::Frame(..)
            | AbstractObject::Site(_)
            | AbstractObject::Thread
            | AbstractObject::Started(_) => None,
        }
    }

    /// The object with all threads taken together.
    fn outward(self) -> AbstractObject {
        match self {
            AbstractObject::Started(_) => AbstractObject::Thread,
            object => object,
        }
    }
}

/// An edge that starts threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpawnSite {
    /// The function it is in.
    pub function: FunctionId,
    /// The edge.
    pub edge: EdgeId,
}

impl AbstractObject {
    /// Whether users call the object by a name; a local is called by its own name, whatever its function.
    pub fn is_named(self, program: &Program, name: &str) -> bool {
        match self {
            AbstractObject::Static(id) => program.object(id).name == name,
            AbstractObject::Frame(function, local) => program.function(function).frame_object(local).name == name,
            _ => false,
        }
    }
}

/// What a pointer may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The object.
    pub object: AbstractObject,
    /// Where in it.
    pub offset: Offset,
}

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct PointsTo {
    solver: solver::Solver,
    calls: FxHashMap<(FunctionId, EdgeId), Vec<FunctionId>>,
    loads: Loads,
    /// What has been asked of sets, moved.
    answers: Arc<Mutex<Answers>>,
}

/// What has been found of a set, moved, with threads seen in one way.
type Answers = FxHashMap<(SetId, Move, Seen), SharedTargets>;

/// Targets, sorted. Lists that are equal to each other because they are one list are equal here, in no time; others
/// never are.
#[derive(Clone, Debug)]
pub struct SharedTargets(Arc<[Target]>);

impl std::ops::Deref for SharedTargets {
    type Target = [Target];

    fn deref(&self) -> &[Target] {
        &self.0
    }
}

impl SharedTargets {
    /// A list of one.
    pub fn single(target: Target) -> SharedTargets {
        SharedTargets(Arc::new([target]))
    }
}

impl PartialEq for SharedTargets {
    fn eq(&self, other: &SharedTargets) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedTargets {}

impl std::hash::Hash for SharedTargets {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.as_ptr().addr().hash(state);
    }
}

/// Whether loads may give addresses out of nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Loads {
    /// No indeterminate bytes are loaded as an address.
    #[default]
    Settled,
    /// Any load may find indeterminate bytes.
    OutOfNothing,
}

/// What a value that a havoc gives may point to, where it may be an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Havocs<'a> {
    /// Anything.
    Addresses,
    /// These, and an object that there is not, which shows where such values go.
    Apart(&'a BTreeSet<AbstractObject>),
    /// These.
    Among(&'a BTreeSet<AbstractObject>),
}

impl PointsTo {
    /// Analyses a program, taking for granted that no indeterminate bytes are loaded as an address.
    pub fn of(program: &Program) -> PointsTo {
        PointsTo::with(program, Loads::Settled)
    }

    /// Analyses a program.
    pub fn with(program: &Program, loads: Loads) -> PointsTo {
        match PointsTo::within(program, loads, &Budget::unlimited()) {
            Ok(points_to) => points_to,
            Err(limit) => unreachable!("there are no limits, but {limit}"),
        }
    }

    /// Analyses a program within limits.
    ///
    /// # Errors
    /// When a limit is reached: then nothing is known of any pointer.
    pub fn within(program: &Program, loads: Loads, budget: &Budget) -> Result<PointsTo, Exhausted> {
        PointsTo::solved(program, (loads, Havocs::Addresses), Products::Numbers, budget)
    }

    /// The same, taking for granted that no indeterminate bytes are loaded as an address, but not that what is multiplied
    /// is none: for proofs, which go on where the concrete semantics does not. What a havoc gives is no address of an object
    /// either, unless it is compared with one of that ([`nothing::compared`]): if it is used as one all the same, it may as
    /// well be none, and who takes that for granted must say so.
    ///
    /// # Errors
    /// When a limit is reached: then nothing is known of any pointer.
    pub fn for_proofs(program: &Program, budget: &Budget) -> Result<PointsTo, Exhausted> {
        let solved =
            |havocs: Havocs<'_>| PointsTo::solved(program, (Loads::Settled, havocs), Products::Pointers, budget);
        let mut met = BTreeSet::new();
        if nothing::may_be_chosen(program) {
            // What may be one of these addresses goes where such addresses go, and may meet others there.
            loop {
                let apart = solved(Havocs::Apart(&met))?;
                if !nothing::compared(program, &apart, &mut met, budget)? {
                    break;
                }
            }
        }
        solved(Havocs::Among(&met))
    }

    /// The same where what is multiplied may become an address again, as on a machine; `None` where nothing is multiplied
    /// that may be one, and there is no difference.
    ///
    /// # Errors
    /// When a limit is reached: then nothing more is known.
    pub fn with_products(&self, program: &Program, budget: &Budget) -> Result<Option<PointsTo>, Exhausted> {
        if !products::are_there(program, self, budget)? {
            return Ok(None);
        }
        PointsTo::solved(program, (self.loads, Havocs::Addresses), Products::Pointers, budget).map(Some)
    }

    fn solved(
        program: &Program,
        (loads, havocs): (Loads, Havocs<'_>),
        products: Products,
        budget: &Budget,
    ) -> Result<PointsTo, Exhausted> {
        let mut solver = solver::Solver::new(program, products);
        constraints::generate(program, loads, havocs, &mut solver);
        solver.solve(program, budget)?;
        while solver.correct_indices() {
            solver.solve(program, budget)?;
        }
        let calls = solver.take_calls();
        solver.finish();
        Ok(PointsTo { solver, calls, loads, answers: Arc::default() })
    }

    /// What it takes loads to give.
    pub fn loads(&self) -> Loads {
        self.loads
    }

    /// What a place of a function may name, sorted.
    pub fn targets(&self, function: FunctionId, place: &Place) -> Vec<Target> {
        let (Place::Memory { address, .. } | Place::Ghost { address, .. }) = place;
        self.targets_of(function, address)
    }

    /// The functions that a call or spawn edge may enter, sorted; direct ones included.
    pub fn callees(&self, function: FunctionId, edge: EdgeId) -> &[FunctionId] {
        self.calls.get(&(function, edge)).map_or(&[], Vec::as_slice)
    }

    /// Whatever may be stored within an object: the targets of all pointers in its cells.
    pub fn contents(&self, object: AbstractObject) -> Vec<Target> {
        outward(self.solver.contents(object.outward()))
    }

    /// The parts of an object that addresses may be stored to: where they begin, how many bytes they have, and what the
    /// addresses in them may point to. Loads that overlap one may see what it holds.
    /// Threads are told apart by their spawns.
    pub fn cells_of(&self, object: AbstractObject) -> Vec<(Offset, u32, SharedTargets)> {
        let cells = self.solver.cells_of(object.outward());
        cells.map(|(offset, size, set)| (offset, size, self.shared(set))).collect()
    }

    /// What a ghost field of an object may point to. Threads are told apart by their spawns.
    pub fn ghost_of(&self, object: AbstractObject, field: GhostField) -> SharedTargets {
        self.shared(self.solver.ghost_of(object.outward(), field))
    }

    fn shared(&self, set: SetId) -> SharedTargets {
        self.answer((set, Move::NONE, Seen::Apart), || self.solver.targets(set).to_vec())
    }

    fn answer(&self, key: (SetId, Move, Seen), find: impl FnOnce() -> Vec<Target>) -> SharedTargets {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.entry(key).or_insert_with(|| SharedTargets(key.2.of(find()).into())).clone()
    }

    /// Some objects, and all that may be reached from them through memory.
    pub fn reachable(&self, objects: impl IntoIterator<Item = AbstractObject>) -> BTreeSet<AbstractObject> {
        let mut reached = BTreeSet::new();
        let mut pending: Vec<AbstractObject> = objects.into_iter().map(AbstractObject::outward).collect();
        // Most cells hold one of a few sets.
        let mut seen: FxHashSet<SetId> = FxHashSet::default();
        while let Some(object) = pending.pop() {
            if reached.insert(object) {
                for set in self.solver.content_sets(object).filter(|set| seen.insert(*set)) {
                    pending.extend(self.solver.targets(set).iter().map(|target| target.object.outward()));
                }
            }
        }
        reached
    }

    /// What an expression of a function may point to, sorted.
    pub fn targets_of(&self, function: FunctionId, value: &selvedge_program::Expr) -> Vec<Target> {
        outward(self.solver.targets_of(function, value))
    }

    /// The same, where many expressions that may point to the same share one list ([`SharedTargets`] tells).
    pub fn shared_targets_of(&self, function: FunctionId, value: &selvedge_program::Expr) -> SharedTargets {
        self.moved_targets_of(function, value, Move::NONE, Seen::Together)
    }

    /// The same with threads told apart by their spawns.
    pub fn targets_apart(&self, function: FunctionId, value: &selvedge_program::Expr) -> SharedTargets {
        self.moved_targets_of(function, value, Move::NONE, Seen::Apart)
    }

    /// Whether a register may hold a pointer, or a part of one.
    pub fn may_hold_pointer(&self, function: FunctionId, register: RegisterId) -> bool {
        self.solver.holds_anything(function, register)
    }

    /// The objects that an expression of a function may point to, each as a whole.
    pub fn whole_objects_of(&self, function: FunctionId, value: &selvedge_program::Expr) -> SharedTargets {
        self.moved_targets_of(function, value, Move::ANYWHERE, Seen::Together)
    }

    /// What an expression may point to when it has been moved.
    fn moved_targets_of(
        &self,
        function: FunctionId,
        value: &selvedge_program::Expr,
        movement: Move,
        seen: Seen,
    ) -> SharedTargets {
        let moved = |targets: &[Target], movement: Move| targets.iter().map(|target| movement.apply(*target)).collect();
        let Some((set, on_the_way)) = self.solver.only_origin(function, value) else {
            return SharedTargets(seen.of(moved(&self.solver.targets_of(function, value), movement)).into());
        };
        let movement = on_the_way.then(movement);
        self.answer((set, movement, seen), || moved(self.solver.targets(set), movement))
    }

    /// The spawns whose threads an expression of a function may name, sorted; `None` if it may name something else, or
    /// a thread that is not known by its spawn.
    pub fn threads(&self, function: FunctionId, value: &selvedge_program::Expr) -> Option<Vec<SpawnSite>> {
        let targets = self.solver.targets_of(function, value);
        let site = |target: &Target| match *target {
            Target { object: AbstractObject::Started(site), offset: Offset::ZERO } => Some(site),
            _ => None,
        };
        targets.iter().map(site).collect()
    }
}

impl PointsTo {
    /// The spawns of whose threads handles may be stored within an object, sorted.
    pub fn threads_in(&self, object: AbstractObject) -> Vec<SpawnSite> {
        let mut sites: Vec<SpawnSite> = self
            .solver
            .contents(object.outward())
            .into_iter()
            .filter_map(|target| match target.object {
                AbstractObject::Started(site) => Some(site),
                _ => None,
            })
            .collect();
        sites.dedup();
        sites
    }
}

/// How the threads of different spawns are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Seen {
    Together,
    Apart,
}

impl Seen {
    fn of(self, mut targets: Vec<Target>) -> Vec<Target> {
        match self {
            Seen::Together => outward(targets),
            Seen::Apart => {
                targets.sort_unstable();
                targets.dedup();
                targets
            }
        }
    }
}

fn outward(mut targets: Vec<Target>) -> Vec<Target> {
    for target in &mut targets {
        target.object = target.object.outward();
    }
    targets.sort_unstable();
    targets.dedup();
    targets
}
