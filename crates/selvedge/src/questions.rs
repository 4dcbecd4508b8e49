//! What is asked about a program: the checks that are known beforehand.

use selvedge_analysis::{AbstractObject, Facts, Field, Protection, unset_locks};
use selvedge_evidence::{Certificate, Subject, Task};
use selvedge_program::{CheckId, Program, Property, Span};
use std::collections::BTreeMap;

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Questions {
    /// The properties, in the order in which they are reported.
    pub properties: Vec<Property>,
    /// The subjects known beforehand: every assertion, every object on which there could be a race, deadlock. Undefined
    /// behaviour can be anywhere.
    pub subjects: Vec<Subject>,
    /// The properties of which the program has nothing to check.
    pub vacuous: Vec<Property>,
    /// How the objects are protected on which there could be a race, as far as facts alone say within their limits.
    pub protections: BTreeMap<AbstractObject, Protection>,
    /// The fields of these objects that are accessed while several threads may be there, with the same.
    pub fields: BTreeMap<(AbstractObject, Field), Option<Protection>>,
    /// Locks that nobody sets up, by name, with where they are taken.
    pub unset_locks: Vec<(Span, String)>,
}

impl Questions {
    /// Finds the subjects of a program; those of races are missing if the facts could not be found within their limits.
    pub fn of(facts: &Facts, task: &Task) -> Self {
        let mut questions = Questions::with(facts.program(), task, || racing(facts, task));
        if questions.of_property(Property::Race).next().is_some() {
            let mut protections = Protection::of_all(facts).unwrap_or_default();
            protections.retain(|object, _| questions.subjects.contains(&Subject::Race(*object)));
            questions.protections = protections;
            let mut fields = Protection::of_fields(facts).unwrap_or_default();
            fields.retain(|(object, _), _| questions.subjects.contains(&Subject::Race(*object)));
            questions.fields = fields;
        }
        questions.unset_locks = facts.points_to().map(|known| unset_locks(facts.program(), known)).unwrap_or_default();
        questions
    }

    /// The subjects that are seen without any analysis: those of races are missing.
    pub fn at_sight(program: &Program, task: &Task) -> Self {
        Questions::with(program, task, Vec::new)
    }

    fn with(program: &Program, task: &Task, racing: impl Fn() -> Vec<Subject>) -> Self {
        let subjects = task.properties.iter().flat_map(|property| match property {
            Property::Assertion => (0..program.checks.len()).map(|at| Subject::Assertion(CheckId::new(at))).collect(),
            Property::Race => racing(),
            Property::Deadlock => vec![Subject::Deadlock],
            Property::Livelock => vec![Subject::Livelock],
            Property::Memory | Property::Overflow => Vec::new(),
            Property::Atomicity => task.atomic.iter().copied().map(Subject::Atomicity).collect(),
        });
        let properties = task.properties.iter().copied();
        Questions {
            subjects: subjects.collect(),
            vacuous: properties.filter(|property| Certificate::of_nothing(program, *property).is_some()).collect(),
            properties: task.properties.clone(),
            protections: BTreeMap::new(),
            fields: BTreeMap::new(),
            unset_locks: Vec::new(),
        }
    }

    /// The subjects of one property.
    pub fn of_property(&self, property: Property) -> impl Iterator<Item = Subject> {
        self.subjects.iter().copied().filter(move |subject| subject.property() == property)
    }

    /// The subjects that need an answer of an engine.
    pub fn open(&self) -> impl Iterator<Item = Subject> {
        self.subjects.iter().copied().filter(|subject| !self.vacuous.contains(&subject.property()))
    }

    /// The properties that no list of subjects exhausts: only a proof of the whole property settles them.
    pub fn open_ended(&self) -> impl Iterator<Item = Property> {
        let is_listed = |property: Property| self.of_property(property).next().is_some();
        self.properties
            .iter()
            .copied()
            .filter(move |property| !is_listed(*property) && !self.vacuous.contains(property))
    }

    /// Whether there is nothing to check at all.
    pub fn are_none(&self) -> bool {
        self.properties.iter().all(|property| self.vacuous.contains(property))
    }
}

/// What the names of variables begin with that the models of library functions keep to themselves.
const MODELS: &str = "__selvedge_";

/// The objects of the program on which there could be a race at all.
fn racing(facts: &Facts, task: &Task) -> Vec<Subject> {
    let program = facts.program();
    let Ok(sharing) = facts.sharing_of_products() else { return Vec::new() };
    let is_own = |object: &AbstractObject| match object {
        AbstractObject::Static(id) => !program.object(*id).name.starts_with(MODELS),
        _ => true,
    };
    let could_race = sharing
        .shared
        .iter()
        .filter(|(object, used)| used.has_plain_access && !used.writers.is_empty() && is_own(object));
    could_race.map(|(object, _)| Subject::Race(*object)).filter(|subject| task.asks_about(program, *subject)).collect()
}
