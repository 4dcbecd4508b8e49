//! Predicates as Boolean variables (paper 004, Definition 1): a predicate over shared state is a shared variable, one
//! that speaks of anything that a thread has for itself, *local* or *mixed*, a local of every thread of the templates in
//! which it means something.

use selvedge_broadcast::{Expr, Index, LocalVar, MOST_VARIABLES, SharedVar, When};
use selvedge_program::FunctionId;
use selvedge_symbolic::threads::{ArcKind, Kept, Slot, Thing, View, Who};
use selvedge_symbolic::{Predicate, Reach, Root, Variable};

use crate::{Main, Refused};

/// A predicate, and what its Boolean variable is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    pub predicate: Predicate,
}

/// A predicate, by its place among those that are tracked.
pub type PredicateId = usize;

/// Which predicates the variables of the Boolean program stand for.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    pub predicates: Vec<Named>,
    reaches: Vec<Reach>,
    /// Of each shared variable, the predicate.
    pub shared: Vec<PredicateId>,
    /// The universe's number of each template of the Boolean program.
    pub templates: Vec<usize>,
    /// Of each local of each template, the predicate.
    pub locals: Vec<Vec<PredicateId>>,
}

/// A Boolean variable of the state before a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    Shared(SharedVar),
    /// Of the thread of an index.
    Local(Index, LocalVar),
}

impl Atom {
    /// The variable before or after a step.
    pub fn expr(self, when: When) -> Expr {
        match self {
            Atom::Shared(variable) => Expr::Shared(variable, when),
            Atom::Local(index, variable) => Expr::Local(index, variable, when),
        }
    }
}

/// Who the thread of an index is: the active one, or one of the passive ones.
pub fn who(index: Index) -> Who {
    if index == Index::ACTIVE { Who::Own } else { Who::Passive(index.0 - 1) }
}

impl Vocabulary {
    /// # Errors
    /// If the program is not of the kind that can be abstracted so, or a predicate speaks of what is not tracked.
    pub fn new(view: &mut View<'_>, predicates: &[Named], main: Main) -> Result<Vocabulary, Refused> {
        fit(view)?;
        let mut templates: Vec<usize> = (0..view.universe.templates.len()).collect();
        if main == Main::LeftOut {
            templates.remove(0);
        }
        let mut vocabulary = Vocabulary {
            predicates: predicates.to_vec(),
            reaches: Vec::new(),
            shared: Vec::new(),
            locals: vec![Vec::new(); templates.len()],
            templates,
        };
        for (id, Named { name, predicate }) in predicates.iter().enumerate() {
            let refused = |why| Refused::Predicate(name.clone(), why);
            let reach = reach(view, predicate).map_err(refused)?;
            vocabulary.reaches.push(reach);
            if reach == Reach::Shared {
                vocabulary.shared.push(id);
                continue;
            }
            let functions = functions(predicate);
            let mut is_anywhere = false;
            for (place, template) in vocabulary.templates.iter().enumerate() {
                let nodes = &view.universe.unfolded(*template).nodes;
                if functions.iter().all(|function| nodes.iter().any(|node| node.function == *function)) {
                    vocabulary.locals[place].push(id);
                    is_anywhere = true;
                }
            }
            if !is_anywhere {
                return Err(refused("no thread has all that it speaks of"));
            }
        }
        let most = vocabulary.locals.iter().map(Vec::len).chain([vocabulary.shared.len()]).max();
        if most.is_some_and(|most| most > MOST_VARIABLES) {
            return Err(Refused::Invalid(format!("there are more than {MOST_VARIABLES} predicates of a kind")));
        }
        Ok(vocabulary)
    }

    /// Whose state a predicate is about.
    pub fn reach(&self, predicate: PredicateId) -> Reach {
        self.reaches[predicate]
    }

    /// The place of a template of the universe in the Boolean program.
    pub fn place_of(&self, template: usize) -> Option<usize> {
        self.templates.iter().position(|known| *known == template)
    }

    /// The shared variables, each with its predicate.
    pub fn shared_atoms(&self) -> Vec<(Atom, PredicateId)> {
        let numbered = self.shared.iter().enumerate();
        numbered.map(|(number, predicate)| (Atom::Shared(SharedVar(number as u8)), *predicate)).collect()
    }

    /// The locals of a thread of a template, each with its predicate.
    pub fn local_atoms(&self, template: usize, index: Index) -> Vec<(Atom, PredicateId)> {
        let numbered = self.locals[template].iter().enumerate();
        numbered.map(|(number, predicate)| (Atom::Local(index, LocalVar(number as u8)), *predicate)).collect()
    }
}

/// Allocations, and locals that other threads may reach, are several behind one name, of which nothing is said here.
fn fit(view: &View<'_>) -> Result<(), Refused> {
    let unfit = |why: &str| Err(Refused::Unfit(why.to_owned()));
    for tag in view.universe.tags() {
        match view.universe.thing(tag) {
            Some(Thing::Site(_) | Thing::One(_)) => return unfit("it allocates memory"),
            Some(Thing::Frame(..) | Thing::ThreadLocal(_)) if view.universe.kept(tag) == Kept::Nowhere => {
                return unfit("threads may reach the locals of others");
            }
            None
            | Some(Thing::Frame(..) | Thing::ThreadLocal(_) | Thing::Static(_) | Thing::Thread | Thing::Function(_)) => {
            }
        }
    }
    let main = view.universe.templates.first().map(|(main, _)| *main);
    let starts_main = view
        .universe
        .templates
        .iter()
        .flat_map(|(_, unfolded)| &unfolded.arcs)
        .any(|arc| matches!(arc.kind, ArcKind::Spawn(entry) if Some(entry) == main));
    if starts_main { unfit("`main` is started as a thread") } else { Ok(()) }
}

/// Whether a predicate can be tracked.
pub fn is_tracked(view: &mut View<'_>, predicate: &Predicate) -> bool {
    let functions = functions(predicate);
    let is_anywhere = view.universe.templates.iter().any(|(_, unfolded)| {
        functions.iter().all(|function| unfolded.nodes.iter().any(|node| node.function == *function))
    });
    is_anywhere && reach(view, predicate).is_ok()
}

/// Whose state a predicate is about, by what it speaks of.
fn reach(view: &mut View<'_>, predicate: &Predicate) -> Result<Reach, &'static str> {
    let (mut is_local, mut is_shared) = (predicate.condition().mentions_self(), false);
    if predicate.variables().is_empty() {
        return Err("it speaks of no variable");
    }
    for &variable in predicate.variables() {
        // What proofs keep in addition is known of threads that are there, and threads of the Boolean program never go.
        if matches!(
            variable,
            Variable::Unjoined | Variable::Tally { .. } | Variable::Note(..) | Variable::Changer { .. }
        ) {
            return Err("it speaks of what is known in other proofs only");
        }
        match view.slot(variable) {
            Some(Slot::Own(_)) => is_local = true,
            Some(Slot::Shared(_)) => is_shared = true,
            None if matches!(variable, Variable::Address(_)) => {}
            None => return Err("it speaks of something that no step touches, or that is not kept track of"),
        }
    }
    // What comes out differently when it is asked again is no matter of the state.
    if view.holds(predicate, Who::Own) != view.holds(predicate, Who::Own) {
        return Err("the state does not decide it");
    }
    Ok(match (is_shared, is_local) {
        (true, true) => Reach::Mixed,
        (false, true) => Reach::Local,
        (_, false) => Reach::Shared,
    })
}

/// The functions whose registers and locals a predicate speaks of.
fn functions(predicate: &Predicate) -> Vec<FunctionId> {
    let mut found = Vec::new();
    for variable in predicate.variables() {
        let function = match variable {
            Variable::Register(function, _) => Some(*function),
            Variable::Cell { object, .. }
            | Variable::Ghost { object, .. }
            | Variable::Changer { object, .. }
            | Variable::Tally { object, .. }
            | Variable::Alive(object)
            | Variable::Note(_, object)
            | Variable::Address(object)
            | Variable::Determinate { object, .. } => match object {
                Root::Local(function, _) => Some(*function),
                Root::Static(_) | Root::One(_) => None,
            },
            Variable::OwnGhost(_) | Variable::Unjoined => None,
        };
        found.extend(function);
    }
    found
}
