//! What is known of a program before it is explored: which edges are private to their thread, what each location may
//! still do, which registers and objects are still read.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_analysis::{AbstractObject, Facts, Loads, PointsTo, Threads};
use selvedge_program::semantics::AccessKind;
use selvedge_program::{
    Action, Budget, EdgeId, Exhausted, FunctionId, GhostField, LocationId, ObjectId, ObjectKind, Program, ThreadIndex,
    Transfer,
};

use crate::blind::is_blind_to_end;
use crate::future::Futures;
use crate::region::{ADDRESSES_LOOKED_AT, EdgeRegions, Extent, Guesses, Region, contended, written_at_end};
use selvedge_program::bitset;
use selvedge_program::live::Live;

/// How much the other threads can notice of what happens at a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Nothing, whatever the edge.
    Private,
    /// It depends on the state.
    Perhaps,
}

/// What the edges of a program may touch, and what follows from it.
#[derive(Debug)]
pub struct Footprints<'p> {
    /// The program.
    pub program: &'p Program,
    /// Whether loads may give addresses out of nothing, as far as these facts reckon with it.
    pub loads: Loads,
    /// Whether there are values out of nothing that may be addresses.
    pub has_guesses: bool,
    /// The region that the guess of an address looks at, as a set, if there are guesses.
    pub guess: Option<Vec<u64>>,
    /// The objects that several threads may use.
    pub contended: BTreeSet<AbstractObject>,
    /// The contended regions that edges may touch; sets of regions are sets of positions in this list.
    pub regions: Vec<Region>,
    /// By function and edge, the regions it may touch.
    pub edges: Vec<Vec<Vec<u64>>>,
    /// The regions that the future of a location may touch.
    pub touches: Futures,
    /// By region, those it conflicts with.
    conflicts: Vec<Vec<u64>>,
    /// By function, the regions that its activation's end touches.
    pub deaths: Vec<Vec<u64>>,
    /// The regions that the end of any thread touches: its thread-local objects.
    pub thread_death: Vec<u64>,
    /// The regions that conflict with a thread's change of its own status.
    pub end_conflicts: Vec<u64>,
    /// The regions that are about whether threads have ended, been joined or been detached.
    about_threads: Vec<u64>,
    /// Numbers of the objects whose bytes are read somewhere.
    readable: BTreeMap<AbstractObject, usize>,
    /// The objects that the future of a location may read.
    pub reads: Futures,
    /// By function, the live registers.
    pub live: Vec<Live>,
    /// By function and location.
    visibility: Vec<Vec<Visibility>>,
    /// By function and location, the regions of an atomic section that begins there; `None` where its end is not in
    /// sight.
    sections: Vec<BTreeMap<LocationId, Option<Vec<u64>>>>,
    /// The edges that are updates to which a thread's end makes no difference.
    blind: BTreeSet<(FunctionId, EdgeId)>,
    /// Whether there are atomic sections.
    pub has_sections: bool,
    /// The static objects that the program may change, thread-local ones apart.
    pub variables: Vec<ObjectId>,
}

impl<'p> Footprints<'p> {
    /// Finds them.
    ///
    /// # Errors
    /// The limit that was reached before they were found: in a large program they take much memory.
    pub fn of(facts: &'p Facts, loads: Loads, budget: &Budget) -> Result<Footprints<'p>, Exhausted> {
        let program = facts.program();
        let points_to = facts.points_to_with(loads)?;
        let edge_regions = EdgeRegions::new(program, points_to, loads);
        let contended = match loads {
            Loads::Settled => contended(&edge_regions, facts.threads()?),
            Loads::OutOfNothing => contended(&edge_regions, &Threads::of(program, points_to)),
        };
        let of_edge = |function, edge| edge_regions.of(FunctionId::new(function), EdgeId::new(edge));
        let mut all: Vec<Vec<Vec<Region>>> = Vec::with_capacity(program.functions.len());
        for (index, function) in program.functions.iter().enumerate() {
            budget.check()?;
            all.push((0..function.edges.len()).map(|edge| of_edge(index, edge)).collect());
        }
        let thread_locals = thread_locals(program);
        // One by one: all of them in a row would be gigabytes in a large program, nearly all of them several times.
        let mut known: BTreeSet<Region> = BTreeSet::new();
        for region in all.iter().flatten().flatten().chain(&thread_locals) {
            if contended.contains(&region.object) {
                known.insert(*region);
            }
        }
        let regions: Vec<Region> = known.into_iter().collect();
        let words = regions.len().div_ceil(64).max(1);
        let set = |some: &[Region]| {
            let mut set = vec![0u64; words];
            some.iter()
                .filter_map(|region| regions.binary_search(region).ok())
                .for_each(|number| bitset::insert(&mut set, number));
            set
        };
        let mut edges: Vec<Vec<Vec<u64>>> = Vec::with_capacity(all.len());
        for function in &all {
            budget.check()?;
            edges.push(function.iter().map(|edge| set(edge)).collect());
        }
        let conflicts = regions.iter().map(|region| conflicts_among(&regions, region)).collect();
        let deaths = (0..program.functions.len()).map(|f| set(&edge_regions.death(FunctionId::new(f)))).collect();
        let mut end_conflicts = vec![0u64; words];
        let mut about_threads = vec![0u64; words];
        for (number, region) in regions.iter().enumerate() {
            let Extent::Ghost(_, field) = region.extent else { continue };
            if region.object == AbstractObject::Thread && written_at_end(field) && !region.ignores_end {
                bitset::insert(&mut end_conflicts, number);
            }
            if region.object == AbstractObject::Thread && (written_at_end(field) || field == GhostField::ThreadDetached)
            {
                bitset::insert(&mut about_threads, number);
            }
        }
        let (readable, reads) = reads(program, points_to, &all, budget)?;
        let mut footprints = Footprints {
            program,
            loads,
            has_guesses: Guesses::of(program, loads) != Guesses::None,
            guess: regions.contains(&ADDRESSES_LOOKED_AT).then(|| set(&[ADDRESSES_LOOKED_AT])),
            touches: Futures::solve(program, points_to, words, &edges, budget)?,
            conflicts,
            deaths,
            thread_death: set(&thread_locals),
            end_conflicts,
            about_threads,
            readable,
            reads,
            live: program.functions.iter().map(Live::of).collect(),
            visibility: Vec::new(),
            sections: Vec::new(),
            blind: blind(program),
            has_sections: program.functions.iter().flat_map(|f| &f.edges).any(|e| e.action == Action::AtomicBegin),
            variables: variables(program, &all),
            contended,
            edges,
            regions,
        };
        for index in 0..program.functions.len() {
            budget.check()?;
            footprints.visibility.push(footprints.visibilities(index));
        }
        for index in 0..program.functions.len() {
            budget.check()?;
            footprints.sections.push(footprints.sections_of(index, points_to));
        }
        Ok(footprints)
    }

    /// How many words a set of regions has.
    pub fn words(&self) -> usize {
        self.touches.words()
    }

    /// The regions that conflict with a region that need not be one of the list.
    pub fn conflicts_with(&self, region: &Region) -> Vec<u64> {
        conflicts_among(&self.regions, region)
    }

    /// Adds the regions that conflict with any of a set.
    pub fn add_conflicts(&self, set: &[u64], conflicts: &mut [u64]) {
        for number in bitset::iter(set) {
            bitset::add(conflicts, &self.conflicts[number]);
        }
    }

    /// Whether an edge is an update that does not mind whether the thread it is about has ended.
    pub fn is_blind_to_end(&self, function: FunctionId, edge: EdgeId) -> bool {
        self.blind.contains(&(function, edge))
    }

    /// How much the others can notice of what happens at a location.
    pub fn visibility(&self, function: FunctionId, location: LocationId) -> Visibility {
        self.visibility[function.index()][location.index()]
    }

    /// What the atomic section that begins at a location may touch, if that is known.
    pub fn section(&self, function: FunctionId, location: LocationId) -> Option<&[u64]> {
        self.sections[function.index()].get(&location)?.as_deref()
    }

    /// The number of an object in [`Footprints::reads`]; `None` if nothing ever reads it.
    pub fn readable(&self, object: AbstractObject) -> Option<usize> {
        self.readable.get(&object).copied()
    }

    /// Whether only `main` looks at what it is to join threads.
    pub fn row_is_private(&self, view: crate::view::View<'_, '_, '_>) -> bool {
        view.threads().skip(1).all(|thread| !bitset::intersects(&view.outlook(thread).future, &self.about_threads))
    }

    /// Whether all that happens at a location is a return that ends the life of nothing contended.
    pub fn returns_quietly(&self, function: FunctionId, location: LocationId) -> bool {
        let definition = self.program.function(function);
        let returns = |edge: &EdgeId| matches!(definition.edge(*edge).action, Action::Return { .. });
        bitset::is_empty(&self.deaths[function.index()]) && definition.location(location).outgoing.iter().all(returns)
    }

    /// Whether an edge was expected to touch a contended object.
    pub fn expects(&self, function: FunctionId, edge: EdgeId, object: AbstractObject) -> bool {
        bitset::iter(&self.edges[function.index()][edge.index()]).any(|number| self.regions[number].object == object)
    }

    /// What a thread does along an edge of the function that it is in.
    pub fn action(&self, world: &crate::world::World, thread: ThreadIndex, edge: EdgeId) -> Option<&'p Action> {
        let frame = world.state.frame(thread)?;
        Some(&self.program.function(frame.function).edge(edge).action)
    }

    fn visibilities(&self, function: usize) -> Vec<Visibility> {
        let definition = &self.program.functions[function];
        let private = |edge: &EdgeId| {
            steps_alone(&definition.edge(*edge).action) && bitset::is_empty(&self.edges[function][edge.index()])
        };
        let visibility = |location: &selvedge_program::Location| {
            if location.outgoing.iter().all(private) { Visibility::Private } else { Visibility::Perhaps }
        };
        definition.locations.iter().map(visibility).collect()
    }

    /// What each atomic section of a function may touch, up to its end.
    fn sections_of(&self, function: usize, points_to: &PointsTo) -> BTreeMap<LocationId, Option<Vec<u64>>> {
        let definition = &self.program.functions[function];
        let begins = definition.edges.iter().filter(|edge| matches!(edge.action, Action::AtomicBegin));
        begins.map(|begin| (begin.source, self.section_from(function, begin.target, points_to))).collect()
    }

    fn section_from(&self, function: usize, start: LocationId, points_to: &PointsTo) -> Option<Vec<u64>> {
        let definition = &self.program.functions[function];
        let mut touched = vec![0u64; self.words()];
        let mut seen = BTreeSet::from([start]);
        let mut pending = vec![start];
        while let Some(location) = pending.pop() {
            for id in &definition.location(location).outgoing {
                let edge = definition.edge(*id);
                bitset::add(&mut touched, &self.edges[function][id.index()]);
                match edge.action.transfer() {
                    Transfer::AtomicEnd => continue,
                    Transfer::AtomicBegin
                    | Transfer::Return { .. }
                    | Transfer::ThreadExit { .. }
                    | Transfer::Spawn { .. } => return None,
                    Transfer::Call { .. } => {
                        for callee in points_to.callees(FunctionId::new(function), *id) {
                            let callee_start = self.program.function(*callee).entry;
                            bitset::add(&mut touched, self.touches.at(*callee, callee_start));
                        }
                    }
                    Transfer::Along | Transfer::Exit { .. } | Transfer::Unknown => {}
                }
                if seen.insert(edge.target) {
                    pending.push(edge.target);
                }
            }
        }
        Some(touched)
    }
}

/// Whether an action that touches nothing contended is one that no other thread can notice, and that nothing but the
/// thread itself decides on.
fn steps_alone(action: &Action) -> bool {
    match action.transfer() {
        Transfer::Exit { .. }
        | Transfer::ThreadExit { .. }
        | Transfer::Return { .. }
        | Transfer::Spawn { .. }
        | Transfer::AtomicBegin
        | Transfer::AtomicEnd => false,
        Transfer::Along | Transfer::Call { .. } | Transfer::Unknown => true,
    }
}

fn conflicts_among(regions: &[Region], region: &Region) -> Vec<u64> {
    let mut set = vec![0u64; regions.len().div_ceil(64).max(1)];
    for (number, other) in regions.iter().enumerate() {
        if region.conflicts(other) {
            bitset::insert(&mut set, number);
        }
    }
    set
}

/// The updates to which a thread's end makes no difference.
fn blind(program: &Program) -> BTreeSet<(FunctionId, EdgeId)> {
    let edges = |(index, function): (usize, &'_ selvedge_program::Function)| {
        let is_blind = |edge: &EdgeId| is_blind_to_end(function, *edge);
        let found: Vec<EdgeId> = (0..function.edges.len()).map(EdgeId::new).filter(is_blind).collect();
        found.into_iter().map(move |edge| (FunctionId::new(index), edge))
    };
    program.functions.iter().enumerate().flat_map(edges).collect()
}

/// The end of every thread-local object.
fn thread_locals(program: &Program) -> Vec<Region> {
    let objects = program.objects.iter().enumerate();
    objects
        .filter(|(_, object)| object.kind == ObjectKind::ThreadLocal)
        .map(|(index, _)| Region::new(AbstractObject::Static(ObjectId::new(index)), Extent::Whole, AccessKind::Write))
        .collect()
}

/// The static objects whose bytes some edge may write.
fn variables(program: &Program, all: &[Vec<Vec<Region>>]) -> Vec<ObjectId> {
    let written: BTreeSet<ObjectId> = all
        .iter()
        .flatten()
        .flatten()
        .filter_map(|region| match (region.object, region.extent, region.kind) {
            (AbstractObject::Static(object), Extent::Bytes(..) | Extent::Whole, AccessKind::Write) => Some(object),
            _ => None,
        })
        .collect();
    written.into_iter().filter(|object| program.object(*object).kind == ObjectKind::Global).collect()
}

/// Which objects' bytes the future of every location may read.
fn reads(
    program: &Program,
    points_to: &PointsTo,
    all: &[Vec<Vec<Region>>],
    budget: &Budget,
) -> Result<(BTreeMap<AbstractObject, usize>, Futures), Exhausted> {
    let is_read = |region: &&Region| {
        region.kind == AccessKind::Read && matches!(region.extent, Extent::Bytes(..) | Extent::Whole)
    };
    let objects: BTreeSet<AbstractObject> =
        all.iter().flatten().flatten().filter(is_read).map(|region| region.object).collect();
    let readable: BTreeMap<AbstractObject, usize> =
        objects.into_iter().enumerate().map(|(number, object)| (object, number)).collect();
    let words = readable.len().div_ceil(64).max(1);
    let set = |regions: &Vec<Region>| {
        let mut set = vec![0u64; words];
        for region in regions.iter().filter(is_read) {
            if let Some(number) = readable.get(&region.object) {
                bitset::insert(&mut set, *number);
            }
        }
        set
    };
    let edges: Vec<Vec<Vec<u64>>> = all.iter().map(|function| function.iter().map(set).collect()).collect();
    let reads = Futures::solve(program, points_to, words, &edges, budget)?;
    Ok((readable, reads))
}
