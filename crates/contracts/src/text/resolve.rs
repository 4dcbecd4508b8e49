//! From trees to specifications: what names mean in the program, and which of it is shared.

use std::collections::BTreeMap;

use selvedge_program::{BinaryOp, Diagnostic, Display, Expr, GhostField, ObjectKind, Program, RegisterId, Shape, Span};
use selvedge_symbolic::predicate::{self, find_function, function_name, literal, variable_name};
use selvedge_symbolic::{Moment, Predicate, Relation, Root, SyntaxError, Variable};

use super::kinds::{Kind, LockKind, scalar_name};
use super::tree::{Body, Declared, Frame, Label, LifeTree, Name, Part, Piece, StateTree, ThreadTree, Tree};
use crate::spec::{Edge, Life, Shared, Specification, State, StateId, Thread};

/// Whether the specification is read over a C program, or over its own declarations alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    Program,
    Declarations,
}

/// What a tree means over a program. What is wrong is told and left out.
pub fn resolve(tree: &Tree, program: &Program, over: Over, diagnostics: &mut Vec<Diagnostic>) -> Specification {
    let names = named(&tree.threads);
    let mut resolver = Resolver { program, over, shared: Vec::new(), locks: Vec::new(), names, diagnostics };
    for declared in &tree.declared {
        resolver.declare(declared);
    }
    let initially = tree.initially.iter().filter_map(|piece| resolver.predicate(piece, "an initial condition"));
    let initially = initially.collect();
    let invariant = resolver.conjunction(&tree.invariants, "an invariant");
    let mut threads: Vec<Thread> = Vec::new();
    for tree in &tree.threads {
        if let Some(known) = threads.iter().find(|thread| thread.name == tree.name.text) {
            let message = format!("there are two abstract threads `{}`", tree.name.text);
            let known = known.span;
            let said = Diagnostic::error(tree.name.span, message).with_note(known, "the first one is here");
            resolver.diagnostics.push(said);
            continue;
        }
        threads.push(resolver.thread(tree, &invariant));
    }
    Specification { sources: program.sources.clone(), shared: resolver.shared, initially, threads }
}

/// The names of abstract threads, each once.
fn named(threads: &[ThreadTree]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for thread in threads {
        if !names.contains(&thread.name.text) {
            names.push(thread.name.text.clone());
        }
    }
    names
}

/// What a label comes to: a relation, the variables that may change, and what it does to another thread.
type Step = (Relation, Vec<usize>, Option<Life>);

struct Resolver<'a> {
    program: &'a Program,
    over: Over,
    shared: Vec<Shared>,
    locks: Vec<(Root, u64, LockKind)>,
    /// The abstract threads, by position.
    names: Vec<String>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Resolver<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    /// What the predicate language has read, or what it says is wrong.
    fn read<T>(&mut self, piece: &Piece, read: Result<T, SyntaxError>) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(error) => {
                let span = piece.at(error.column);
                self.diagnostics.push(Diagnostic::error(span, error.message));
                None
            }
        }
    }

    /// The local variable of a name, if nothing shared is called so.
    fn local(&self, name: &str) -> Option<String> {
        let functions = &self.program.functions;
        let has = |function: &&selvedge_program::Function| {
            function.registers.iter().any(|register| register.name.as_deref() == Some(name))
                || function.frame.iter().any(|local| local.name == name)
        };
        let is_global = self.program.objects.iter().any(|object| object.name == name);
        functions.iter().find(has).filter(|_| !is_global).map(|function| function.name.clone())
    }

    fn declare(&mut self, declared: &Declared) {
        let Declared { kind, place, .. } = declared;
        let Some(kind) = self.kind(kind.as_ref(), place) else { return };
        let name = place.text.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
        if let Some(function) = self.local(name) {
            let message = format!("`{name}` is a local variable of `{function}`: threads share global variables only");
            return self.error(place.span, message);
        }
        let Some((root, offset, shape)) = self.read(place, predicate::read_part(self.program, &place.text)) else {
            return;
        };
        if let Root::Static(object) = root {
            let object = self.program.object(object);
            match object.kind {
                ObjectKind::Global => {}
                ObjectKind::ThreadLocal => {
                    let message = format!("every thread has its own `{}`: it is not shared", object.name);
                    return self.error(place.span, message);
                }
                ObjectKind::Constant => {
                    return self.error(place.span, format!("`{}` never changes: it is a constant", object.name));
                }
            }
        }
        if let Root::Local(function, _) = root {
            let function = function_name(self.program, function);
            let message = format!("this is a local variable of `{function}`: threads share global variables only");
            return self.error(place.span, message);
        }
        match kind {
            Some(Kind::Lock(lock)) => self.declare_lock(declared, lock, (root, offset, &shape)),
            Some(Kind::Scalar { size, display }) => {
                self.declare_scalar(declared, Some((size, display)), (root, offset, &shape));
            }
            None => self.declare_scalar(declared, None, (root, offset, &shape)),
        }
    }

    /// The declared type; `Some(None)` where the program's counts.
    fn kind(&mut self, kind: Option<&Name>, place: &Piece) -> Option<Option<Kind>> {
        let Some(kind) = kind else {
            if self.over == Over::Program {
                return Some(None);
            }
            self.error(place.span, format!("`{}` needs a type: there is no C program to take it from", place.text));
            return None;
        };
        let known = Kind::of_words(&kind.text, self.program.data_model);
        if known.is_none() {
            let message = format!("`{}` is no type that threads can share", kind.text);
            let hint = "integers such as `int`, `bool` and `uint64_t`, pointers, `mutex`, `spinlock`, `rwlock`, \
                        `semaphore` and `once` are";
            self.diagnostics.push(Diagnostic::error(kind.span, message).with_note(Span::NOWHERE, hint));
        }
        known.map(Some)
    }

    fn declare_lock(&mut self, declared: &Declared, lock: LockKind, (root, offset, shape): (Root, u64, &Shape)) {
        let place = &declared.place;
        // The program does not tell one struct of the library's from another.
        if let Shape::Scalar { size, display } = shape
            && !matches!(lock, LockKind::SpinLock | LockKind::Once)
        {
            let is = scalar_name(*size, *display);
            return self.error(place.span, format!("`{}` is {is} in the program, not a {}", place.text, lock.noun()));
        }
        self.locks.push((root, offset, lock));
        for field in lock.fields() {
            let declared_as = field.declared();
            let width = declared_as.width(self.program.data_model);
            let initial = match (&declared.initial, field) {
                (Some(piece), GhostField::SemaphoreValue) => {
                    let Some(value) = self.value(piece, width, Display::Unsigned) else { return };
                    Some(value)
                }
                (Some(piece), _) => {
                    self.error(piece.span, format!("a {} begins free: it has no initial value", lock.noun()));
                    return;
                }
                // Locks begin free, and nobody waits for a semaphore's first value to be set.
                (None, GhostField::SemaphoreValue) => None,
                (None, _) => Some(Expr::constant(width, 0)),
            };
            let variable = Variable::Ghost { object: root, offset, field: *field };
            self.share(variable, width, declared_as.display(), initial, place.span);
        }
    }

    fn declare_scalar(
        &mut self,
        declared: &Declared,
        given: Option<(u32, Display)>,
        (root, offset, shape): (Root, u64, &Shape),
    ) {
        let place = &declared.place;
        let (size, display) = match shape {
            Shape::Scalar { size, display } => (*size, *display),
            Shape::Record(_) => {
                let message = format!("`{}` is a struct or union: name a member", place.text);
                let hint = format!("if it is a lock, say which: `shared mutex {}`", place.text);
                self.diagnostics.push(Diagnostic::error(place.span, message).with_note(Span::NOWHERE, hint));
                return;
            }
            Shape::Array { .. } => {
                return self.error(place.span, format!("`{}` is an array: name an element", place.text));
            }
            Shape::Opaque => {
                return self.error(place.span, format!("`{}` has no value that could be spoken of", place.text));
            }
        };
        if display == Display::Float {
            return self.error(
                place.span,
                format!("`{}` is a floating-point number: predicates do not speak of it", place.text),
            );
        }
        if let Some((wanted, shown)) = given
            && (wanted, shown) != (size, display)
        {
            let (is, said) = (scalar_name(size, display), scalar_name(wanted, shown));
            let message = format!("`{}` is {is} in the program, not {said}", place.text);
            let mut said = Diagnostic::error(place.span, message);
            if let Root::Static(object) = root
                && self.over == Over::Program
            {
                said = said.with_note(self.program.object(object).span, "it is declared here");
            }
            self.diagnostics.push(said);
            return;
        }
        let width = size * 8;
        let initial = match &declared.initial {
            Some(piece) => match self.value(piece, width, display) {
                Some(value) => Some(value),
                None => return,
            },
            None => None,
        };
        self.share(Variable::Cell { object: root, offset, size }, width, display, initial, place.span);
    }

    fn share(&mut self, variable: Variable, width: u32, display: Display, initial: Option<Expr>, span: Span) {
        let name = variable_name(self.program, variable);
        if let Some(known) = self.shared.iter().find(|shared| overlap(shared.variable, variable)) {
            let message = if known.variable == variable {
                format!("`{name}` is declared twice")
            } else {
                format!("`{name}` and `{}` have bytes in common", known.name)
            };
            self.diagnostics.push(Diagnostic::error(span, message).with_note(known.span, "it is declared here"));
            return;
        }
        self.shared.push(Shared { variable, name, width, display, initial, span });
    }

    /// A constant of a type.
    fn value(&mut self, piece: &Piece, width: u32, display: Display) -> Option<Expr> {
        let text: String = piece.text.chars().filter(|c| !c.is_whitespace()).collect();
        let number = match text.as_str() {
            "true" if display == Display::Bool => Some(1),
            "false" if display == Display::Bool => Some(0),
            "null" | "NULL" if display == Display::Pointer => Some(0),
            _ => match text.strip_prefix('-') {
                Some(digits) => literal(digits).map(|number| -number),
                None => literal(&text),
            },
        };
        let Some(number) = number else {
            self.error(piece.span, format!("`{}` is no constant of this type", piece.text));
            return None;
        };
        let fits = match display {
            Display::Bool => (0..=1).contains(&number),
            Display::Pointer => number == 0,
            Display::Signed => number >= -(1 << (width - 1)) && number < 1 << (width - 1),
            Display::Unsigned | Display::Float => (0..1 << width).contains(&number),
        };
        if !fits {
            self.error(piece.span, format!("{number} is not a value of `{}`", scalar_name(width / 8, display)));
            return None;
        }
        Some(Expr::signed(width, number))
    }

    /// Whether all that a relation speaks of is declared; if not, that is told.
    fn is_shared(&mut self, relation: &Relation, piece: &Piece) -> bool {
        for (variable, _) in relation.variables() {
            if self.shared.iter().any(|shared| shared.variable == *variable) {
                continue;
            }
            let name = variable_name(self.program, *variable);
            let message = match variable {
                Variable::Register(function, _) => {
                    let (_, local) = name.split_once("::").unwrap_or(("", &name));
                    let function = function_name(self.program, *function);
                    format!("`{local}` is a local variable of `{function}`: contracts speak of what is shared")
                }
                Variable::Cell { .. } | Variable::Ghost { .. } => {
                    format!("`{name}` is not declared as shared")
                }
                Variable::OwnGhost(_)
                | Variable::Changer { .. }
                | Variable::Tally { .. }
                | Variable::Unjoined
                | Variable::Alive(_)
                | Variable::Note(..)
                | Variable::Address(_)
                | Variable::Determinate { .. } => format!("`{name}` is known in proofs only"),
            };
            let word = name.split(|c: char| !(c.is_alphanumeric() || c == '_')).rfind(|word| !word.is_empty());
            let at = word.and_then(|word| piece.text.find(word)).map(|at| piece.text[..at].chars().count() + 1);
            let span = at.map_or(piece.span, |column| piece.at(column));
            self.error(span, message);
            return false;
        }
        true
    }

    fn relation(&mut self, piece: &Piece) -> Option<Relation> {
        let relation = self.read(piece, Relation::parse(self.program, &piece.text))?;
        self.is_shared(&relation, piece).then_some(relation)
    }

    /// A condition on one state.
    fn predicate(&mut self, piece: &Piece, what: &str) -> Option<Predicate> {
        let relation = self.relation(piece)?;
        let predicate = relation.predicate();
        if predicate.is_none() {
            let at = piece.text.find('\'').map_or(0, |at| piece.text[..at].chars().count());
            let message = format!("{what} is about one state: a primed variable is the value after a step");
            self.error(piece.at(at), message);
        }
        predicate
    }

    fn conjunction(&mut self, pieces: &[Piece], what: &str) -> Predicate {
        let truth = Predicate::new(&Expr::truth(), &[]);
        pieces.iter().fold(truth, |all, piece| match self.predicate(piece, what) {
            Some(one) => all.and(&one),
            None => all,
        })
    }

    fn thread(&mut self, tree: &ThreadTree, invariant: &Predicate) -> Thread {
        let function = find_function(self.program, &tree.name.text);
        if self.over == Over::Program && function.is_none() {
            let mut said = Diagnostic::error(tree.name.span, format!("there is no function `{}`", tree.name.text));
            let started: Vec<String> = self.program.entries.iter().map(|id| function_name(self.program, *id)).collect();
            if !started.is_empty() {
                let list = started.join("`, `");
                said = said.with_note(Span::NOWHERE, format!("threads of the program start in `{list}`"));
            }
            self.diagnostics.push(said);
        }
        let mut thread = Thread {
            name: tree.name.text.clone(),
            function,
            instances: tree.instances,
            states: Vec::new(),
            initial: Vec::new(),
            edges: Vec::new(),
            environment: None,
            span: tree.name.span,
        };
        match &tree.body {
            Body::Machine(states) => {
                self.machine(states, invariant, &mut thread);
                if thread.initial.is_empty() && tree.is_whole {
                    self.error(thread.span, format!("`{}` has no initial state", thread.name));
                }
            }
            Body::Modular { requires, invariants, steps, ensures } => {
                let whole = invariant.and(&self.conjunction(invariants, "an invariant"));
                let before = self.conjunction(requires, "a precondition");
                let after = self.conjunction(ensures, "a postcondition");
                self.row(steps, (&before, &whole, &after), &mut thread);
            }
        }
        for label in &tree.environment {
            let relation = self.environment(label);
            thread.environment = Some(match thread.environment.take() {
                Some(known) => known.and(&relation),
                None => relation,
            });
        }
        thread
    }

    fn machine(&mut self, states: &[StateTree], invariant: &Predicate, thread: &mut Thread) {
        let mut known: BTreeMap<&str, (StateId, Span)> = BTreeMap::new();
        for state in states {
            let id = StateId::new(thread.states.len());
            if let Some((_, first)) = known.get(state.name.text.as_str()) {
                let message = format!("there are two states `{}`", state.name.text);
                let said = Diagnostic::error(state.name.span, message).with_note(*first, "the first one is here");
                self.diagnostics.push(said);
                continue;
            }
            known.insert(&state.name.text, (id, state.name.span));
            let assertion = invariant.and(&self.conjunction(&state.assertions, "the assertion of a state"));
            let span = state.assertions.first().map_or(state.name.span, |piece| piece.span);
            thread.states.push(State { name: state.name.text.clone(), assertion, span, named: state.name.span });
            if state.is_initial {
                thread.initial.push(id);
            }
        }
        for state in states {
            let Some((source, _)) = known.get(state.name.text.as_str()).copied() else { continue };
            for edge in &state.edges {
                let Some((target, _)) = known.get(edge.target.text.as_str()).copied() else {
                    let message = format!("`{}` has no state `{}`", thread.name, edge.target.text);
                    self.error(edge.target.span, message);
                    continue;
                };
                if let Some((relation, changes, life)) = self.step(&edge.label) {
                    thread.edges.push(Edge { source, target, relation, changes, life, span: edge.label.span });
                }
            }
        }
    }

    /// States in a row: at the first the precondition holds, at all the invariant, and after the last step one that
    /// changes nothing ends the thread, where the postcondition holds.
    fn row(
        &mut self,
        steps: &[Label],
        (before, whole, after): (&Predicate, &Predicate, &Predicate),
        thread: &mut Thread,
    ) {
        let span = thread.span;
        for position in 0..=steps.len() {
            let assertion = if position == 0 { before.and(whole) } else { whole.clone() };
            let place = steps.get(position).map_or(span, |label| label.span);
            thread.states.push(State { name: format!("after{position}"), assertion, span: place, named: place });
        }
        thread.states[0].name = "begin".to_owned();
        thread.states.push(State { name: "end".to_owned(), assertion: whole.clone(), span, named: span });
        thread.initial.push(StateId(0));
        for (position, label) in steps.iter().enumerate() {
            let Some((relation, changes, life)) = self.step(label) else { continue };
            let (source, target) = (StateId::new(position), StateId::new(position + 1));
            thread.edges.push(Edge { source, target, relation, changes, life, span: label.span });
        }
        let (source, target) = (StateId::new(steps.len()), StateId::new(steps.len() + 1));
        let relation = Relation::of(after, Moment::Before);
        thread.edges.push(Edge { source, target, relation, changes: Vec::new(), life: None, span });
    }

    /// The relation of a label and what it may change: what the frame names, else what is primed.
    fn step(&mut self, label: &Label) -> Option<Step> {
        if let Some(life) = &label.life {
            let life = match life {
                LifeTree::Create(name) => Life::Create(self.abstract_thread(name)?),
                LifeTree::Join(Some(name)) => Life::Join(Some(self.abstract_thread(name)?)),
                LifeTree::Join(None) => Life::Join(None),
            };
            return Some((Relation::any(), Vec::new(), Some(life)));
        }
        let relation = self.parts(label)?;
        let primed: Vec<usize> = self.primed(&relation);
        let Some(frame) = &label.frame else { return Some((relation, primed, None)) };
        let changes = self.framed(frame)?;
        if let Some(position) = primed.iter().find(|position| !changes.contains(position)) {
            let name = &self.shared[*position].name;
            let message = format!("`{name}'` is spoken of, and `{name}` is said to be unchanged");
            self.error(frame.span, message);
            return None;
        }
        Some((relation, changes, None))
    }

    /// The position of an abstract thread.
    fn abstract_thread(&mut self, name: &Name) -> Option<usize> {
        let found = self.names.iter().position(|known| *known == name.text);
        if found.is_none() {
            self.error(name.span, format!("there is no abstract thread `{}`", name.text));
        }
        found
    }

    fn primed(&self, relation: &Relation) -> Vec<usize> {
        let after = |position: &usize| relation.mentions((self.shared[*position].variable, Moment::After));
        (0..self.shared.len()).filter(after).collect()
    }

    /// The variables of a frame, by position.
    fn framed(&mut self, frame: &Frame) -> Option<Vec<usize>> {
        let mut changes = Vec::new();
        for piece in &frame.except {
            let variables = self.meant(piece)?;
            changes.extend(variables);
        }
        changes.sort_unstable();
        changes.dedup();
        Some(changes)
    }

    /// The shared variables that a piece names: one, or all of a lock's.
    fn meant(&mut self, piece: &Piece) -> Option<Vec<usize>> {
        if let Some((lock, _)) = self.lock(piece) {
            let of_lock = |variable: Variable| matches!(variable, Variable::Ghost { object, offset, .. } if (object, offset) == lock);
            return Some((0..self.shared.len()).filter(|at| of_lock(self.shared[*at].variable)).collect());
        }
        let variable = self.read(piece, predicate::read_variable(self.program, &piece.text))?;
        let found = self.shared.iter().position(|shared| shared.variable == variable);
        if found.is_none() {
            self.error(piece.span, format!("`{}` is not declared as shared", piece.text));
        }
        found.map(|position| vec![position])
    }

    /// The declared lock that a piece names.
    fn lock(&self, piece: &Piece) -> Option<((Root, u64), LockKind)> {
        let (root, offset, _) = predicate::read_part(self.program, &piece.text).ok()?;
        let lock = self.locks.iter().find(|(known, at, _)| (*known, *at) == (root, offset))?;
        Some(((root, offset), lock.2))
    }

    fn environment(&mut self, label: &Label) -> Relation {
        if label.life.is_some() {
            self.error(label.span, "an environment says what others do to shared variables, not to threads");
            return Relation::any();
        }
        let Some(relation) = self.parts(label) else { return Relation::any() };
        let Some(frame) = &label.frame else { return relation };
        let Some(changes) = self.framed(frame) else { return relation };
        let kept = self.shared.iter().enumerate().filter(|(position, _)| !changes.contains(position));
        kept.fold(relation, |all, (_, shared)| all.and(&Relation::unchanged(shared.variable, shared.width)))
    }

    fn parts(&mut self, label: &Label) -> Option<Relation> {
        let mut whole = Relation::any();
        let mut is_right = true;
        for part in &label.parts {
            let relation = match part {
                Part::Relation(piece) => self.relation(piece),
                Part::Acquire(piece) => self.taken(piece, Taking::Acquire),
                Part::Release(piece) => self.taken(piece, Taking::Release),
                Part::HandOver { what, from, to } => self.handed_over(what, from, to),
            };
            match relation {
                Some(relation) => whole = whole.and(&relation),
                None => is_right = false,
            }
        }
        is_right.then_some(whole)
    }

    /// `acquire(m)`, `release(m)`.
    fn taken(&mut self, piece: &Piece, taking: Taking) -> Option<Relation> {
        let pointer = self.program.pointer_width();
        let own = || Expr::address(selvedge_program::Base::SelfThread, pointer);
        let null = || Expr::constant(pointer, 0);
        let Some(((object, offset), lock)) = self.lock(piece) else {
            // A word that the program makes a lock of: 0 is free, 1 is taken.
            let position = self.meant(piece)?.first().copied()?;
            let Shared { variable, width, .. } = self.shared[position];
            let [free, held] = [0, 1].map(|value| Expr::constant(width, value));
            let (from, to) = if taking == Taking::Acquire { (free, held) } else { (held, free) };
            return Some(goes(variable, width, from, to));
        };
        let field = match lock {
            LockKind::Mutex => GhostField::MutexOwner,
            LockKind::SpinLock => GhostField::SpinOwner,
            LockKind::ReadWriteLock => GhostField::WriteOwner,
            LockKind::Once => {
                self.error(piece.span, "what runs once is neither acquired nor released: speak of `once(…)`");
                return None;
            }
            LockKind::Semaphore => {
                let variable = Variable::Ghost { object, offset, field: GhostField::SemaphoreValue };
                return Some(counted(variable, GhostField::SemaphoreValue.width(self.program.data_model), taking));
            }
        };
        let variable = Variable::Ghost { object, offset, field };
        let (from, to) = if taking == Taking::Acquire { (null(), own()) } else { (own(), null()) };
        let taken = goes(variable, pointer, from, to);
        if lock == LockKind::ReadWriteLock && taking == Taking::Acquire {
            // Nobody reads.
            let readers = Variable::Ghost { object, offset, field: GhostField::Readers };
            let width = GhostField::Readers.width(self.program.data_model);
            let none = Expr::equal(Expr::register(RegisterId(0), width), Expr::constant(width, 0));
            return Some(taken.and(&Relation::new(&none, &[(readers, Moment::Before)])));
        }
        Some(taken)
    }

    fn handed_over(&mut self, what: &Piece, from: &Piece, to: &Piece) -> Option<Relation> {
        let position = match self.meant(what)?[..] {
            [position] => position,
            _ => {
                self.error(what.span, "only a variable can be handed over");
                return None;
            }
        };
        let Shared { variable, width, display, .. } = self.shared[position];
        let (from, to) = (self.value(from, width, display)?, self.value(to, width, display)?);
        Some(goes(variable, width, from, to))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taking {
    Acquire,
    Release,
}

/// That a variable goes from one value to another.
fn goes(variable: Variable, width: u32, from: Expr, to: Expr) -> Relation {
    let [before, after] = [0, 1].map(|at| Expr::register(RegisterId(at), width));
    let both = Expr::and(Expr::equal(before, from), Expr::equal(after, to));
    Relation::new(&both, &[(variable, Moment::Before), (variable, Moment::After)])
}

/// That a semaphore is counted down, where it is not 0, or up.
fn counted(variable: Variable, width: u32, taking: Taking) -> Relation {
    let [before, after] = [0, 1].map(|at| Expr::register(RegisterId(at), width));
    let zero = Expr::constant(width, 0);
    let both = match taking {
        Taking::Acquire => {
            let less = Expr::binary(BinaryOp::Subtract, before.clone(), Expr::constant(width, 1));
            Expr::and(Expr::equal(before, zero).not(), Expr::equal(after, less))
        }
        Taking::Release => Expr::equal(after, before.plus(1)),
    };
    Relation::new(&both, &[(variable, Moment::Before), (variable, Moment::After)])
}

/// Whether two variables have something in common.
fn overlap(one: Variable, other: Variable) -> bool {
    match (one, other) {
        (Variable::Cell { object, offset, size }, Variable::Cell { object: second, offset: start, size: length }) => {
            object == second && offset < start + u64::from(length) && start < offset + u64::from(size)
        }
        (one, other) => one == other,
    }
}
