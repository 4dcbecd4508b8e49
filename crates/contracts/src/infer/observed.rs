//! A specification of what was seen of threads in all executions of a program ([`super::explore`]): every stand is a state, and
//! what a step did to shared variables there is an edge. The assertion of a state says what values the variables that its steps look
//! at had, as far as that makes a difference.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use selvedge_evidence::conformance::{Joined, joins};
use selvedge_program::{Budget, Display, EdgeId, FunctionId, GhostField, Program};
use selvedge_symbolic::predicate::{function_name, variable_name};
use selvedge_symbolic::{Root, Variable};

use super::explore::{Explored, Life, Part, Seen, StandId, Taken, Use, explore, seen};
use super::states_named;
use crate::text::lock_word;

/// More states no abstract thread is written with.
const MOST_STATES: usize = selvedge_evidence::conformance::MOST_STATES;

/// With more values than this, the range is said that they are in.
const MOST_VALUES: usize = 16;

/// The text of a specification that all executions of a program suggest.
///
/// # Errors
/// Why there is none, in a sentence.
pub fn observe(program: &Program, budget: &Budget) -> Result<String, String> {
    let explored = explore(program, budget)?;
    if explored.initial.is_empty() {
        return Err("no thread is started".to_owned());
    }
    let mut parts: BTreeMap<Part, Shown> = BTreeMap::new();
    for part in explored.taken.iter().flat_map(|taken| taken.uses.keys()) {
        if !parts.contains_key(part) {
            parts.insert(*part, shown(program, *part)?);
        }
    }
    let writer = Writer { program, explored: &explored, parts, joins: joins(program) };
    writer.text()
}

/// How a part is written.
#[derive(Clone, Debug)]
struct Shown {
    name: String,
    width: u32,
    display: Display,
}

fn shown(program: &Program, part: Part) -> Result<Shown, String> {
    match part {
        Part::Bytes { object, offset, size } => {
            let object_name = &program.object(object).name;
            let name = variable_name(program, Variable::Cell { object: Root::Static(object), offset, size });
            let is_scalar = !name.starts_with("bytes(");
            let display = program.object(object).shape.display(offset, size).filter(|_| is_scalar);
            let display = display.ok_or_else(|| format!("a part of `{object_name}` is accessed that is no scalar"))?;
            match display {
                Display::Pointer | Display::Float => {
                    Err(format!("`{name}` is shared, and a specification cannot say what it holds"))
                }
                Display::Signed | Display::Unsigned | Display::Bool => Ok(Shown { name, width: size * 8, display }),
            }
        }
        Part::Ghost { object, key } => {
            let variable = Variable::Ghost { object: Root::Static(object), offset: key.offset, field: key.field };
            let declared = key.field.declared();
            let width = declared.width(program.data_model);
            Ok(Shown { name: variable_name(program, variable), width, display: declared.display() })
        }
    }
}

struct Writer<'a> {
    program: &'a Program,
    explored: &'a Explored,
    parts: BTreeMap<Part, Shown>,
    joins: BTreeMap<(FunctionId, EdgeId), Joined>,
}

impl Writer<'_> {
    fn text(&self) -> Result<String, String> {
        let mut text = String::from("// Written by `selvedge contract` from all executions of the program.\n\n");
        let mut locks: BTreeSet<String> = BTreeSet::new();
        for (part, shown) in &self.parts {
            text.push_str(&self.declared(*part, shown, &mut locks)?);
        }
        let mut entries: Vec<FunctionId> = Vec::new();
        for stand in &self.explored.stands {
            if !entries.contains(&stand.entry) {
                entries.push(stand.entry);
            }
        }
        for entry in entries {
            text.push('\n');
            text.push_str(&self.thread(entry)?);
        }
        Ok(text)
    }

    /// The declaration of a part, with what it is when the first thread is started.
    fn declared(&self, part: Part, shown: &Shown, locks: &mut BTreeSet<String>) -> Result<String, String> {
        let nobody = selvedge_program::ThreadIndex(u32::MAX);
        let initial: BTreeSet<Seen> =
            self.explored.initial.iter().map(|state| seen(self.program, state, part, nobody)).collect();
        let only = match initial.iter().collect::<Vec<_>>()[..] {
            [Seen::Number(number)] => Some(self.number(*number, shown)),
            _ => None,
        };
        match part {
            Part::Bytes { .. } => Ok(match only {
                Some(value) => format!("shared {} = {value};\n", shown.name),
                None => format!("shared {};\ninitially {};\n", shown.name, self.among(shown, &initial)),
            }),
            Part::Ghost { key, .. } => {
                let lock = shown.name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
                let (lock, word) = lock.zip(lock_word(key.field)).ok_or("a lock has no name")?;
                if !locks.insert(lock.to_owned()) {
                    return Ok(String::new());
                }
                match (key.field, only) {
                    (GhostField::SemaphoreValue, Some(value)) => Ok(format!("shared {word} {lock} = {value};\n")),
                    (_, Some(value)) if value == "0" => Ok(format!("shared {word} {lock};\n")),
                    _ => Err(format!("`{lock}` is not free when the first thread is started")),
                }
            }
        }
    }

    fn number(&self, number: u128, shown: &Shown) -> String {
        if shown.display == Display::Signed && shown.width < 128 && number >> (shown.width - 1) == 1 {
            return format!("{}", number as i128 - (1 << shown.width));
        }
        number.to_string()
    }

    /// That a part holds a value, before a step or after it.
    fn equals(&self, shown: &Shown, value: Seen, prime: &str) -> String {
        let name = format!("{}{prime}", shown.name);
        match value {
            Seen::Number(0) if shown.display == Display::Pointer => format!("{name} == null"),
            Seen::Number(number) => format!("{name} == {}", self.number(number, shown)),
            Seen::Own => format!("{name} == self"),
            Seen::Other => format!("{name} != null && {name} != self"),
            Seen::Something => "true".to_owned(),
        }
    }

    /// That a part holds one of these values.
    fn among(&self, shown: &Shown, values: &BTreeSet<Seen>) -> String {
        let order = |number: u128| match shown.display {
            Display::Signed if shown.width < 128 && number >> (shown.width - 1) == 1 => {
                number as i128 - (1 << shown.width)
            }
            _ => number as i128,
        };
        let mut numbers: Vec<i128> = Vec::new();
        for value in values {
            match value {
                Seen::Number(number) if shown.display != Display::Pointer => numbers.push(order(*number)),
                Seen::Number(_) | Seen::Own | Seen::Other | Seen::Something => {}
            }
        }
        numbers.sort_unstable();
        if numbers.len() == values.len()
            && let (Some(first), Some(last)) = (numbers.first(), numbers.last())
        {
            let is_range = *last - *first == numbers.len() as i128 - 1;
            if numbers.len() > MOST_VALUES || is_range && numbers.len() > 2 {
                return format!("{0} >= {first} && {0} <= {last}", shown.name);
            }
        }
        if shown.display == Display::Pointer {
            let has = |value: Seen| values.contains(&value);
            match (has(Seen::Number(0)), has(Seen::Own), has(Seen::Other)) {
                (true, true, true) => return "true".to_owned(),
                (true, false, true) => return format!("{} != self", shown.name),
                (false, true, true) => return format!("{} != null", shown.name),
                _ => {}
            }
        }
        let all: Vec<String> = values.iter().map(|value| self.equals(shown, *value, "")).collect();
        all.join(" || ")
    }

    fn thread(&self, entry: FunctionId) -> Result<String, String> {
        let stands = self.explored.stands.iter().enumerate().filter(|(_, stand)| stand.entry == entry);
        let is_used = |stand: &StandId| {
            self.explored.begins.contains(stand)
                || self.explored.taken.iter().any(|taken| taken.from == *stand || taken.to == *stand)
        };
        let states: Vec<StandId> = stands.map(|(stand, _)| stand).filter(is_used).collect();
        let name = function_name(self.program, entry);
        if states.len() > MOST_STATES {
            return Err(format!("`{name}` would have {} states", states.len()));
        }
        let names = self.names(&states);
        let word = if self.explored.most(entry) > 1 { "threads" } else { "thread" };
        let mut text = format!("{word} {name} {{\n");
        for (stand, state) in states.iter().zip(&names) {
            let initial = if self.explored.begins.contains(stand) { "initial " } else { "" };
            let _ = writeln!(text, "    {initial}state {state} {{");
            let steps: Vec<&Taken> = self.explored.taken.iter().filter(|taken| taken.from == *stand).collect();
            let targets: BTreeSet<StandId> = steps.iter().map(|taken| taken.to).collect();
            let is_told_apart = targets.len() > 1 || steps.iter().any(|taken| taken.is_guarded);
            for assertion in self.assertions(*stand, &steps, is_told_apart) {
                let _ = writeln!(text, "        assert {assertion};");
            }
            let mut said: BTreeSet<String> = BTreeSet::new();
            for target in &targets {
                let there: Vec<&Taken> = steps.iter().copied().filter(|taken| taken.to == *target).collect();
                let at = states.iter().position(|state| state == target).unwrap_or_default();
                for label in self.labels(&there, is_told_apart) {
                    let edge = match label.as_str() {
                        "" if target == stand => continue,
                        "" => format!("        to {};", names[at]),
                        label => format!("        to {}: {label};", names[at]),
                    };
                    if said.insert(edge.clone()) {
                        let _ = writeln!(text, "{edge}");
                    }
                }
            }
            text.push_str("    }\n");
        }
        text.push_str("}\n");
        Ok(text)
    }

    /// What is asserted at a stand: of the parts whose values before a step make a difference.
    fn assertions(&self, stand: StandId, steps: &[&Taken], is_told_apart: bool) -> Vec<String> {
        let is_checked = steps.iter().any(|taken| taken.is_checked);
        let mut read: BTreeSet<Part> = BTreeSet::new();
        for taken in steps {
            read.extend(taken.uses.iter().filter(|(_, used)| used.is_read).map(|(part, _)| *part));
        }
        let mut said: Vec<String> = Vec::new();
        let mut together: Vec<Part> = Vec::new();
        for part in read {
            let shown = &self.parts[&part];
            let values: BTreeSet<Seen> =
                self.explored.seen_at(self.program, &BTreeSet::from([stand]), &[part]).into_iter().flatten().collect();
            let matters = values.len() == 1 || is_told_apart || is_checked || matches!(part, Part::Ghost { .. });
            if !matters {
                continue;
            }
            let among = self.among(shown, &values);
            if among != "true" {
                said.push(among);
            }
            if shown.display != Display::Pointer && values.len() > 1 {
                together.push(part);
            }
        }
        if together.len() > 1 {
            let tuples = self.explored.seen_at(self.program, &BTreeSet::from([stand]), &together);
            let tuple = |values: &Vec<Seen>| {
                let all = together.iter().zip(values).map(|(part, value)| self.equals(&self.parts[part], *value, ""));
                format!("({})", all.collect::<Vec<_>>().join(" && "))
            };
            if tuples.len() <= MOST_VALUES {
                said.push(tuples.iter().map(tuple).collect::<Vec<_>>().join(" || "));
            }
        }
        said
    }

    /// The labels of steps from one stand to another.
    fn labels(&self, steps: &[&Taken], is_told_apart: bool) -> BTreeSet<String> {
        let mut labels = BTreeSet::new();
        for taken in steps {
            if let Some(life) = taken.life {
                labels.insert(self.life(life));
                continue;
            }
            let pieces = taken.uses.iter().filter_map(|(part, used)| {
                let same: BTreeSet<Use> = steps.iter().filter_map(|other| other.uses.get(part)).copied().collect();
                self.piece(*part, *used, &same, is_told_apart)
            });
            labels.insert(pieces.collect::<Vec<_>>().join(", "));
        }
        labels
    }

    /// What a step does to a part, among steps that lead to the same stand.
    fn piece(&self, part: Part, used: Use, all: &BTreeSet<Use>, is_told_apart: bool) -> Option<String> {
        let shown = &self.parts[&part];
        let field = match part {
            Part::Ghost { key, .. } => Some(key.field),
            Part::Bytes { .. } => None,
        };
        let lock = shown.name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or_default();
        let after = self.equals(shown, used.after, "'");
        let step = difference(used, shown.width);
        match (field, used.before, used.after) {
            (Some(GhostField::MutexOwner), Seen::Number(0), Seen::Own) => return Some(format!("acquire({lock})")),
            (Some(GhostField::MutexOwner), Seen::Own, Seen::Number(0)) => return Some(format!("release({lock})")),
            (Some(GhostField::SemaphoreValue), ..) if step == Some(-1) => return Some(format!("acquire({lock})")),
            (Some(GhostField::SemaphoreValue), ..) if step == Some(1) => return Some(format!("release({lock})")),
            _ => {}
        }
        if !used.is_read {
            return Some(after);
        }
        let steps: BTreeSet<Option<i128>> = all.iter().map(|used| difference(*used, shown.width)).collect();
        if let (Some(Some(step)), 1, true) = (steps.first(), steps.len(), all.len() > 1)
            && !(is_told_apart && field.is_none())
            && *step != 0
        {
            let sign = if *step < 0 { '-' } else { '+' };
            return Some(format!("{0}' == {0} {sign} {1}", shown.name, step.unsigned_abs()));
        }
        let is_guard = is_told_apart || field.is_some() || used.before != used.after;
        let before = self.equals(shown, used.before, "");
        match (is_guard, used.before == used.after) {
            (false, _) => None,
            (true, true) => Some(before),
            (true, false) => Some(format!("{before} && {after}")),
        }
    }

    fn life(&self, life: Life) -> String {
        match life {
            Life::Create(function) => format!("create {}", function_name(self.program, function)),
            Life::Join(function, edge) => {
                let joined = self.joins.get(&(function, edge));
                match joined.map(|joined| joined.functions.iter().collect::<Vec<_>>()).as_deref() {
                    Some([one]) => format!("join {}", function_name(self.program, **one)),
                    Some(_) | None => "join".to_owned(),
                }
            }
        }
    }

    /// Names of states: the line of the next step, and what that is about.
    fn names(&self, states: &[StandId]) -> Vec<String> {
        let base = |stand: &StandId| {
            let Some((function, location)) = self.explored.stands[*stand].place() else { return "done".to_owned() };
            let function = self.program.function(function);
            let line = function.location(location).outgoing.first().map_or(0, |edge| function.edge(*edge).span.line);
            let steps = || self.explored.taken.iter().filter(|taken| taken.from == *stand);
            let part = steps().find_map(|taken| taken.uses.keys().next());
            let life = steps().find_map(|taken| taken.life);
            match (part, life) {
                (Some(part), _) => format!("line_{line}_{}", self.parts[part].name),
                (None, Some(Life::Create(_))) => format!("line_{line}_create"),
                (None, Some(Life::Join(..))) => format!("line_{line}_join"),
                (None, None) => format!("line_{line}"),
            }
        };
        states_named(states.iter().map(base))
    }
}

/// By how much a step changes a number.
fn difference(used: Use, width: u32) -> Option<i128> {
    match (used.before, used.after) {
        (Seen::Number(before), Seen::Number(after)) => {
            let modulus = 1_i128 << width.min(100);
            let step = (after as i128 - before as i128).rem_euclid(modulus);
            Some(if step > modulus / 2 { step - modulus } else { step })
        }
        _ => None,
    }
}
