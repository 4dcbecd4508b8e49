//! The Boolean program as a whole: every template's places in a row, one statement for each step of the program, with
//! `goto` where control does not simply go on; and what variables hold at first.

use selvedge_abstraction::Stop;
use selvedge_broadcast::{
    Assignment, Constraint, Expr, Initial, Notification, Pc, Program, Statement, System, Template, TemplateId, Threads,
    Variable, is_name,
};
use selvedge_logic::Term;
use selvedge_program::{Action, Budget};
use selvedge_symbolic::Predicate;
use selvedge_symbolic::threads::{Arc, ArcId, ArcKind, NodeId, View, Who};

use crate::statement::{Abstractor, Cause, MAIN};
use crate::vocabulary::{Named, Vocabulary};
use crate::{Main, Options, Refused};

/// Passive threads are spoken of at most so many at a time.
pub const MOST_PASSIVE: u8 = 3;

/// What a statement of the Boolean program is there for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is an assertion of this step, before it is taken.
    Check(ArcId, Cause),
    /// It is this step.
    Step(ArcId),
    /// It belongs to the control flow.
    Flow,
}

/// A program's abstraction.
#[derive(Debug)]
pub struct Abstraction<'p, 'b> {
    pub(crate) on: Abstractor<'p, 'b>,
    pub(crate) program: Program,
    /// For each template and statement.
    origins: Vec<Vec<Origin>>,
    /// The constraints that refinement has added.
    pub(crate) refined: Vec<(TemplateId, ArcId, Constraint)>,
}

impl<'p, 'b> Abstraction<'p, 'b> {
    /// The Boolean program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The predicates, and which variables stand for them.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.on.vocabulary
    }

    /// What a statement is there for; nothing at the end of a template.
    pub fn origin(&self, template: TemplateId, pc: Pc) -> Option<&Origin> {
        self.origins[template.0 as usize].get(pc.0 as usize)
    }

    /// The program as one thread sees it.
    pub fn view(&mut self) -> &mut View<'p> {
        &mut self.on.view
    }

    /// The step that a template's arc takes.
    pub fn arc(&self, template: TemplateId, arc: ArcId) -> Arc {
        self.on.arc(self.on.vocabulary.templates[template.0 as usize], arc)
    }

    /// The same with more predicates; what was excluded stays so.
    ///
    /// # Errors
    /// As for [`crate::abstract_program`].
    pub fn with(self, more: &[Predicate], budget: &'b Budget) -> Result<Self, Refused> {
        let Abstraction { on, refined, .. } = self;
        let mut predicates = on.vocabulary.predicates;
        for predicate in more {
            let taken = |name: &String| predicates.iter().any(|known| known.name == *name);
            let mut name = format!("b{}", predicates.len() + 1);
            while taken(&name) {
                name.push('_');
            }
            predicates.push(Named { name, predicate: predicate.clone() });
        }
        let mut found = build(on.view, &predicates, on.options, budget)?;
        for (template, arc, constraint) in refined {
            let step = found.origins[template.0 as usize].iter().position(|origin| *origin == Origin::Step(arc));
            if let Some(step) = step {
                found.exclude((template, Pc(step as u32)), arc, constraint)?;
            }
        }
        Ok(found)
    }

    /// How many questions the solver was asked.
    pub fn queries(&self) -> u64 {
        self.on.asking.prover.queries
    }
}

pub(crate) fn build<'p, 'b>(
    mut view: View<'p>,
    predicates: &[Named],
    options: Options,
    budget: &'b Budget,
) -> Result<Abstraction<'p, 'b>, Refused> {
    for passive in 0..MOST_PASSIVE {
        view.introduce(Who::Passive(passive));
    }
    let vocabulary = Vocabulary::new(&mut view, predicates, options.main)?;
    let mut on = Abstractor::new(view, vocabulary, options, budget);
    if options.main == Main::LeftOut {
        leave_out(&mut on)?;
    }
    let mut templates: Vec<Template> = Vec::new();
    let mut origins = Vec::new();
    for place in 0..on.vocabulary.templates.len() {
        let template = on.vocabulary.templates[place];
        let (statements, origin) = Layout::new(&mut on, template).run()?;
        let threads = match (options.main, template) {
            (Main::LeftOut, _) => Threads::Many,
            (Main::Kept, MAIN) => Threads::Exactly(1),
            (Main::Kept, _) => Threads::Exactly(0),
        };
        let entry = on.view.universe.templates[template].0;
        let mut name = on.view.universe.program.function(entry).name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        while !is_name(&name) || templates.iter().any(|known| known.name == name) {
            name.push('_');
        }
        let locals = locals(&mut on, place)?;
        templates.push(Template { name, threads, locals, statements });
        origins.push(origin);
    }
    let shared = shared(&mut on)?;
    let program = Program { shared, templates };
    System::new(program.clone())?;
    Ok(Abstraction { on, program, origins, refined: Vec::new() })
}

/// What is known of a condition at first.
fn at_first(on: &mut Abstractor<'_, '_>, begins: &[Term], holds: Term) -> Result<Initial, Stop> {
    let value = on.asking.value(&mut on.view.builder, holds, begins, &[], 0)?;
    Ok(initial(&value.value()))
}

fn initial(value: &Expr) -> Initial {
    match value {
        Expr::Constant(true) => Initial::True,
        Expr::Constant(false) => Initial::False,
        _ => Initial::Any,
    }
}

/// That everything that is spoken of is as it is when the program begins.
fn beginning(on: &mut Abstractor<'_, '_>) -> Vec<Term> {
    let predicates = on.vocabulary.predicates.clone();
    on.view.begins(predicates.iter().map(|named| &named.predicate))
}

fn shared(on: &mut Abstractor<'_, '_>) -> Result<Vec<Variable>, Stop> {
    let begins = beginning(on);
    let mut found = Vec::new();
    for predicate in on.vocabulary.shared.clone() {
        let Named { name, predicate } = on.vocabulary.predicates[predicate].clone();
        let holds = on.view.holds(&predicate, Who::Own);
        found.push(Variable { name, initial: at_first(on, &begins, holds)? });
    }
    Ok(found)
}

/// What a thread of a template holds when it is there from the start. What is started is told by whoever starts it.
fn locals(on: &mut Abstractor<'_, '_>, place: usize) -> Result<Vec<Variable>, Stop> {
    let begins = beginning(on);
    let template = on.vocabulary.templates[place];
    let mut found: Vec<Variable> = Vec::new();
    for predicate in on.vocabulary.locals[place].clone() {
        let Named { name, predicate } = on.vocabulary.predicates[predicate].clone();
        let initial = if template == MAIN {
            let holds = on.view.holds(&predicate, Who::Own);
            at_first(on, &begins, holds)?
        } else {
            Initial::Any
        };
        found.push(Variable { name, initial });
    }
    if on.options.main == Main::Kept {
        return Ok(found);
    }
    let mut known: Option<Vec<Initial>> = None;
    for arc in starts(on, place) {
        let moved = on.moved(MAIN, arc);
        let values = on.begins_with(&moved, place, &begins, &[])?;
        let values: Vec<Initial> = values.iter().map(|(_, value)| initial(&value.value())).collect();
        known = Some(match known {
            None => values,
            Some(known) => {
                let both = known.into_iter().zip(values);
                both.map(|(one, other)| if one == other { one } else { Initial::Any }).collect()
            }
        });
    }
    for (variable, initial) in found.iter_mut().zip(known.unwrap_or_default()) {
        variable.initial = initial;
    }
    Ok(found)
}

/// The steps of `main` that start threads of a template.
fn starts(on: &Abstractor<'_, '_>, place: usize) -> Vec<Arc> {
    let entry = on.view.universe.templates[on.vocabulary.templates[place]].0;
    let arcs = on.view.universe.unfolded(MAIN).arcs.iter();
    arcs.filter(|arc| arc.kind == ArcKind::Spawn(entry)).copied().collect()
}

/// Checks that nothing is lost without `main`.
fn leave_out(on: &mut Abstractor<'_, '_>) -> Result<(), Refused> {
    let unfit = |why: &str| Err(Refused::Unfit(format!("`main` cannot be left out: {why}")));
    for arc in on.view.universe.unfolded(MAIN).arcs.clone() {
        let assignment = on.assignment(MAIN, arc)?;
        if !assignment.shared.is_empty() || !assignment.passive.is_empty() {
            return unfit("it changes what its threads see");
        }
        if !on.checks(MAIN, arc)?.is_empty() {
            return unfit("it has assertions of its own");
        }
    }
    let is_started = |place: usize| !starts(on, place).is_empty();
    if !(0..on.vocabulary.templates.len()).all(is_started) || on.vocabulary.templates.is_empty() {
        return unfit("it does not start all threads by itself");
    }
    Ok(())
}

/// Where a jump goes.
enum Target {
    Node(NodeId),
    Pc(Pc),
    End,
}

/// A template under way.
struct Layout<'a, 'p, 'b> {
    on: &'a mut Abstractor<'p, 'b>,
    template: usize,
    statements: Vec<Statement>,
    origins: Vec<Origin>,
    /// Where each place is.
    at: Vec<Option<Pc>>,
    /// Jumps whose targets have no place yet, by statement.
    jumps: Vec<(usize, Vec<Target>)>,
    waiting: Vec<NodeId>,
}

impl<'a, 'p, 'b> Layout<'a, 'p, 'b> {
    fn new(on: &'a mut Abstractor<'p, 'b>, template: usize) -> Self {
        let nodes = on.view.universe.unfolded(template).nodes.len();
        let first = on.view.universe.unfolded(template).first();
        Layout {
            on,
            template,
            statements: Vec::new(),
            origins: Vec::new(),
            at: vec![None; nodes],
            jumps: Vec::new(),
            waiting: vec![first],
        }
    }

    fn here(&self) -> Pc {
        Pc(self.statements.len() as u32)
    }

    fn push(&mut self, statement: Statement, origin: Origin) {
        self.statements.push(statement);
        self.origins.push(origin);
    }

    fn jump(&mut self, targets: Vec<Target>) {
        self.jumps.push((self.statements.len(), targets));
        self.push(Statement::Goto(Vec::new()), Origin::Flow);
    }

    fn run(mut self) -> Result<(Vec<Statement>, Vec<Origin>), Stop> {
        while let Some(node) = self.waiting.pop() {
            let mut next = Some(node);
            while let Some(node) = next.filter(|node| self.at[node.0 as usize].is_none()) {
                next = self.node(node)?;
            }
        }
        let end = self.here();
        for (statement, targets) in std::mem::take(&mut self.jumps) {
            let targets = targets.into_iter().map(|target| match target {
                Target::Node(node) => self.at[node.0 as usize].unwrap_or(end),
                Target::Pc(pc) => pc,
                Target::End => end,
            });
            self.statements[statement] = Statement::Goto(targets.collect());
        }
        Ok((self.statements, self.origins))
    }

    /// The statements of a place and of all steps from it; the place that control goes on to behind them, if it has no place yet.
    fn node(&mut self, node: NodeId) -> Result<Option<NodeId>, Stop> {
        self.at[node.0 as usize] = Some(self.here());
        let arcs = self.on.view.universe.unfolded(self.template).outgoing(node).to_vec();
        let Some((last, others)) = arcs.split_last() else {
            self.jump(vec![Target::End]);
            return Ok(None);
        };
        let fork = self.statements.len();
        if !others.is_empty() {
            self.push(Statement::Goto(Vec::new()), Origin::Flow);
        }
        let mut branches = Vec::new();
        for arc in others {
            branches.push(Target::Pc(self.here()));
            match self.arc(*arc)? {
                Some(target) => {
                    self.jump(vec![Target::Node(target)]);
                    self.waiting.push(target);
                }
                None => self.jump(vec![Target::End]),
            }
        }
        branches.push(Target::Pc(self.here()));
        let target = self.arc(*last)?;
        if !others.is_empty() {
            self.jumps.push((fork, branches));
        }
        match target {
            Some(target) if self.at[target.0 as usize].is_none() => Ok(Some(target)),
            Some(target) => {
                self.jump(vec![Target::Node(target)]);
                Ok(None)
            }
            None => {
                self.jump(vec![Target::End]);
                Ok(None)
            }
        }
    }

    /// The statements of one step; where it leads.
    fn arc(&mut self, id: ArcId) -> Result<Option<NodeId>, Stop> {
        let arc = self.on.arc(self.template, id);
        let node = self.on.view.universe.unfolded(self.template).get(arc.source);
        for (check, cause) in self.on.checks(self.template, arc)? {
            self.push(check, Origin::Check(id, cause));
        }
        let action = &self.on.view.universe.program.function(node.function).edge(arc.edge).action;
        match (action, arc.kind) {
            (Action::AtomicBegin, _) if node.sections == 0 => self.push(Statement::AtomicBegin, Origin::Step(id)),
            (Action::AtomicEnd, _) if node.sections == 1 => self.push(Statement::AtomicEnd, Origin::Step(id)),
            (_, ArcKind::Spawn(entry)) => self.spawn(id, arc, entry, node.sections > 0)?,
            _ => {
                let assignment = self.on.assignment(self.template, arc)?;
                self.push(Statement::Assign(assignment), Origin::Step(id));
            }
        }
        if arc.target.is_none() && node.sections > 0 {
            // Whoever ends inside a section lets others go on, which is more than there is.
            self.push(Statement::AtomicEnd, Origin::Flow);
        }
        Ok(arc.target)
    }

    /// A thread is started, and as one with that the starting one changes.
    fn spawn(&mut self, id: ArcId, arc: Arc, entry: selvedge_program::FunctionId, is_inside: bool) -> Result<(), Stop> {
        let place = self.on.view.universe.template_of(entry).and_then(|found| self.on.vocabulary.place_of(found));
        let Some(place) = place else {
            // `main` is left out, so that it is not looked at: nobody else starts threads of what is not there.
            return Ok(());
        };
        let start = self.on.start(self.template, arc, place)?;
        let mut assignment = self.on.beside_start(self.template, arc)?;
        // The started thread is told what the others are, though it begins with what is so afterwards.
        for Notification { values, .. } in assignment.passive.iter_mut().filter(|told| told.template == start.template)
        {
            values.iter_mut().for_each(|(_, value)| *value = Expr::Choice);
        }
        let is_alone = assignment == Assignment::default();
        let section = !is_alone && !is_inside;
        if section {
            self.push(Statement::AtomicBegin, Origin::Flow);
        }
        self.push(Statement::Start(start), Origin::Step(id));
        if !is_alone {
            self.push(Statement::Assign(assignment), Origin::Flow);
        }
        if section {
            self.push(Statement::AtomicEnd, Origin::Flow);
        }
        Ok(())
    }
}
