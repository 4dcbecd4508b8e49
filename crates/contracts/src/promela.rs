//! Compositions as models for SPIN, made of the same guarded updates as the program that our engines check: shared
//! variables are global, abstract threads are processes, states are labels, and an edge is one `d_step`. A state whose
//! assertion does not hold has a way to `assert(false)`; a state without edges is a valid end. Threads that are created are
//! processes that are run, and of those that are joined it is counted how many have ended.
//!
//! What SPIN has no means for is told: more than 32 bits, any number of processes, values out of a large range.

use std::fmt::Write;

use selvedge_program::{Base, BinaryOp, Conversion, Diagnostic, Display, Expr, RegisterId, UnaryOp};
use selvedge_symbolic::{Moment, Predicate, Relation};

use crate::compose::{Alternative, alternatives, slots};
use crate::spec::{Instances, Life, Shared, Specification, StateId, Thread};

/// The model of a composition of so many threads of each kind.
///
/// # Errors
/// For what SPIN has no means for.
pub fn model(spec: &Specification, instances: &dyn Fn(&Thread) -> Instances) -> Result<String, Vec<Diagnostic>> {
    let mut writer = Writer { spec, wrong: Vec::new() };
    let mut text = String::from("/* The composition of abstract threads, written by selvedge compose --promela. */\n");
    for (position, shared) in spec.shared.iter().enumerate() {
        let declared = writer.declaration(position, shared);
        text.push_str(&declared);
    }
    for predicate in &spec.initially {
        let span = spec.shared.first().map_or(selvedge_program::Span::NOWHERE, |shared| shared.span);
        if *predicate != Predicate::new(&Expr::truth(), &[]) {
            writer.wrong.push(Diagnostic::error(span, "SPIN needs initial values: `initially` says too little"));
        }
    }
    for (at, thread) in spec.threads.iter().enumerate() {
        if spec.is_joined(at) {
            let _ = writeln!(text, "byte {} = 0;", ended(thread));
        }
    }
    for (at, thread) in spec.threads.iter().enumerate() {
        let process = writer.process(thread, (!spec.is_created(at)).then(|| instances(thread)));
        text.push_str(&process);
    }
    if writer.wrong.is_empty() { Ok(text) } else { Err(writer.wrong) }
}

struct Writer<'a> {
    spec: &'a Specification,
    wrong: Vec<Diagnostic>,
}

/// The count of threads that have ended and are not joined.
fn ended(thread: &Thread) -> String {
    format!("ended_{}", name(&thread.name))
}

/// A name that is no keyword of SPIN's.
fn name(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("v_{}", plain.trim_matches('_'))
}

impl Writer<'_> {
    fn variable(&self, position: usize) -> String {
        let plain = name(&self.spec.shared[position].name);
        let earlier = &self.spec.shared[..position];
        match earlier.iter().any(|shared| name(&shared.name) == plain) {
            true => format!("{plain}_{position}"),
            false => plain,
        }
    }

    fn declaration(&mut self, position: usize, shared: &Shared) -> String {
        let kind = match (shared.display, shared.width) {
            (Display::Bool, _) => "bool",
            // Threads are their numbers, from 1 on; null is 0.
            (Display::Pointer, _) => "byte",
            (Display::Unsigned, 8) => "byte",
            (Display::Signed, 16) => "short",
            (Display::Signed, 32) => "int",
            (_, width) => {
                let message = format!("SPIN has no type for `{}`, which has {width} bits", shared.name);
                self.wrong.push(Diagnostic::error(shared.span, message));
                "int"
            }
        };
        let Some(Expr::Constant(bits)) = &shared.initial else {
            let message = format!("SPIN needs an initial value of `{}`", shared.name);
            self.wrong.push(Diagnostic::error(shared.span, message));
            return String::new();
        };
        let value = if shared.display == Display::Signed {
            bits.as_signed()
        } else {
            i128::try_from(bits.unsigned()).unwrap_or_default()
        };
        format!("{kind} {} = {value};\n", self.variable(position))
    }

    /// A process; of threads that are created, without a number.
    fn process(&mut self, thread: &Thread, instances: Option<Instances>) -> String {
        let number = match instances {
            None => 1,
            Some(Instances::Exactly(number)) if number < 255 => number,
            Some(Instances::Exactly(_)) => {
                self.wrong.push(Diagnostic::error(thread.span, "SPIN has at most 255 processes"));
                1
            }
            Some(Instances::Any) => {
                let message = format!("SPIN needs a number of threads: give one with --threads {}=N", thread.name);
                self.wrong.push(Diagnostic::error(thread.span, message));
                1
            }
        };
        if thread.environment.is_some() {
            self.wrong.push(Diagnostic::error(thread.span, "environments are not written for SPIN"));
        }
        if number == 0 {
            return String::new();
        }
        let active = if instances.is_some() { format!("active [{number}] ") } else { String::new() };
        let mut text = format!("\n{active}proctype {}()\n{{\n", name(&thread.name));
        for position in 0..self.spec.shared.len() {
            if thread.edges.iter().any(|edge| edge.changes.len() > 1 && edge.changes.contains(&position)) {
                let _ = writeln!(text, "    int t_{position} = 0;");
            }
        }
        let begins: Vec<String> =
            thread.initial.iter().map(|state| format!("    :: goto {}\n", label(thread, *state))).collect();
        let _ = writeln!(text, "    if\n{}    fi;", begins.concat());
        for index in 0..thread.states.len() {
            let state = self.state(thread, StateId::new(index));
            text.push_str(&state);
        }
        if self.is_joined(thread) {
            text.push_str("end_gone:\n    false\n");
        }
        text.push_str("}\n");
        text
    }

    fn is_joined(&self, thread: &Thread) -> bool {
        let at = self.spec.threads.iter().position(|known| known.name == thread.name);
        at.is_some_and(|at| self.spec.is_joined(at))
    }

    /// What an edge does to another thread, in one of these ways: when it can, and what it does.
    fn life(&self, life: Life) -> Vec<(String, String)> {
        let threads = &self.spec.threads;
        let joined: Vec<&Thread> = match life {
            Life::Create(thread) => return vec![("true".to_owned(), format!("run {}()", name(&threads[thread].name)))],
            Life::Join(Some(thread)) => vec![&threads[thread]],
            Life::Join(None) => {
                let created = threads.iter().enumerate().filter(|(at, _)| self.spec.is_created(*at));
                created.map(|(_, thread)| thread).collect()
            }
        };
        let taken = |thread: &Thread| (format!("{} > 0", ended(thread)), format!("{0} = {0} - 1", ended(thread)));
        joined.into_iter().map(taken).collect()
    }

    fn state(&mut self, thread: &Thread, id: StateId) -> String {
        let state = thread.state(id);
        let holds = slots(self.spec, &Relation::of(&state.assertion, Moment::Before));
        let is_asserted = state.assertion != Predicate::new(&Expr::truth(), &[]);
        let mut text = format!("{}:\n    if\n", label(thread, id));
        if is_asserted {
            let violated = self.expr(&holds.clone().not(), thread);
            let _ = writeln!(text, "    :: atomic {{ {violated} -> assert(false) }}");
        }
        let edges: Vec<_> = thread.leaving(id).collect();
        if edges.is_empty() && self.is_joined(thread) {
            let _ = writeln!(text, "    :: d_step {{ {0} = {0} + 1 }} goto end_gone", ended(thread));
        } else if edges.is_empty() && !is_asserted {
            // A process that waits at a valid end for good.
            text.push_str("    :: false\n");
        }
        for edge in edges {
            if let Some(life) = edge.life {
                let holds = self.expr(&holds, thread);
                let target = label(thread, edge.target);
                for (guard, update) in self.life(life) {
                    let _ = writeln!(text, "    :: atomic {{ {holds} && {guard} -> {update} }} goto {target}");
                }
                continue;
            }
            for way in alternatives(self.spec, edge) {
                for way in self.enumerated(way, edge.span) {
                    let guard = self.expr(&Expr::and(holds.clone(), way.guard.clone()).simplified(), thread);
                    let updates = self.updates(&way, thread, edge.changes.len() > 1);
                    let target = label(thread, edge.target);
                    let _ = writeln!(text, "    :: d_step {{ {guard} -> {updates} }} goto {target}");
                }
            }
        }
        text.push_str("    fi;\n");
        text
    }

    /// What is written: all values before all variables.
    fn updates(&mut self, way: &Alternative, thread: &Thread, by_copies: bool) -> String {
        let values: Vec<(usize, String)> =
            way.updates.iter().map(|(position, value)| (*position, self.expr(value, thread))).collect();
        let mut steps = Vec::new();
        if by_copies {
            steps.extend(values.iter().map(|(position, value)| format!("t_{position} = {value}")));
            steps.extend(values.iter().map(|(position, _)| format!("{} = t_{position}", self.variable(*position))));
            steps.extend(values.iter().map(|(position, _)| format!("t_{position} = 0")));
        } else {
            steps.extend(values.iter().map(|(position, value)| format!("{} = {value}", self.variable(*position))));
        }
        if steps.is_empty() { "skip".to_owned() } else { steps.join("; ") }
    }

    /// An alternative for each of the values of its choices.
    fn enumerated(&mut self, way: Alternative, span: selvedge_program::Span) -> Vec<Alternative> {
        let Some(position) = way.choices.first().copied() else { return vec![way] };
        let Shared { width, display, name, .. } = &self.spec.shared[position];
        let slot = RegisterId::new(self.spec.shared.len() + position);
        let highest = match (display, width) {
            (Display::Bool, _) => 1,
            (Display::Unsigned | Display::Signed, 8) => 255,
            _ => {
                let message = format!("SPIN would have to choose `{name}` among too many values");
                self.wrong.push(Diagnostic::error(span, message));
                return Vec::new();
            }
        };
        let with = |expr: &Expr, value: u128| {
            let mut replace = |register: RegisterId, of: u32| {
                if register == slot { Expr::constant(*width, value) } else { Expr::Register(register, of) }
            };
            expr.substitute(&mut replace).simplified()
        };
        let made = (0..=highest).map(|value| Alternative {
            guard: with(&way.guard, value),
            updates: way.updates.iter().map(|(at, expr)| (*at, with(expr, value))).collect(),
            choices: way.choices[1..].to_vec(),
        });
        let made: Vec<Alternative> = made.filter(|way| way.guard != Expr::falsehood()).collect();
        made.into_iter().flat_map(|way| self.enumerated(way, span)).collect()
    }

    fn expr(&mut self, expr: &Expr, thread: &Thread) -> String {
        match self.written(expr) {
            Some(text) => text,
            None => {
                let message = format!("an expression of `{}` has no counterpart in SPIN's language", thread.name);
                self.wrong.push(Diagnostic::error(thread.span, message));
                "0".to_owned()
            }
        }
    }

    /// In SPIN's words, which computes in `int`; `None` where that would be something else.
    fn written(&self, expr: &Expr) -> Option<String> {
        let fits = |width: u32| width <= 32;
        Some(match expr {
            Expr::Constant(bits) if bits.width() == 1 => if bits.is_zero() { "false" } else { "true" }.to_owned(),
            Expr::Constant(bits) if fits(bits.width()) => match bits.as_signed() {
                negative @ ..0 => format!("({negative})"),
                number => number.to_string(),
            },
            Expr::Constant(bits) if bits.is_zero() => "0".to_owned(),
            Expr::Constant(_) => return None,
            Expr::Register(slot, _) if slot.index() < self.spec.shared.len() => self.variable(slot.index()),
            Expr::Register(..) => return None,
            Expr::Address(Base::SelfThread, _) => "(_pid + 1)".to_owned(),
            Expr::Address(..) => return None,
            Expr::Unary(UnaryOp::Not, operand) if operand.width() == 1 => format!("!({})", self.written(operand)?),
            Expr::Unary(UnaryOp::Not, operand) if operand.width() == 32 => format!("~({})", self.written(operand)?),
            Expr::Unary(UnaryOp::Negate, operand) if operand.width() == 32 => {
                format!("(-({}))", self.written(operand)?)
            }
            Expr::Unary(..) => return None,
            // The variable's type has its sign already.
            Expr::Convert(Conversion::ZeroExtend, width, inner) if fits(*width) && !self.is_signed(inner) => {
                self.written(inner)?
            }
            Expr::Convert(Conversion::SignExtend, width, inner) if fits(*width) && self.is_signed(inner) => {
                self.written(inner)?
            }
            Expr::Convert(Conversion::Truncate, 8, inner) if fits(inner.width()) => {
                format!("(({}) & 255)", self.written(inner)?)
            }
            Expr::Convert(..) => return None,
            Expr::Binary(op, left, right) => {
                let sign = self.operator(*op, left, right)?;
                format!("({} {sign} {})", self.written(left)?, self.written(right)?)
            }
            Expr::IfThenElse(condition, then, otherwise) => {
                let [condition, then, otherwise] = [condition, then, otherwise].map(|part| self.written(part));
                format!("({} -> {} : {})", condition?, then?, otherwise?)
            }
        })
    }

    fn operator(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<&'static str> {
        let width = left.width();
        Some(match op {
            BinaryOp::And if width == 1 => "&&",
            BinaryOp::Or if width == 1 => "||",
            // Narrower values are what their types say, whoever compares them; wider ones are threads.
            BinaryOp::Equal if width <= 32 || is_thread(left) || is_thread(right) => "==",
            BinaryOp::LessSigned if width == 32 || self.is_signed(left) && self.is_signed(right) && width < 32 => "<",
            BinaryOp::LessUnsigned if width < 32 && !self.is_signed(left) && !self.is_signed(right) => "<",
            BinaryOp::Add if width == 32 => "+",
            BinaryOp::Subtract if width == 32 => "-",
            BinaryOp::Multiply if width == 32 => "*",
            BinaryOp::DivideSigned if width == 32 => "/",
            BinaryOp::RemainderSigned if width == 32 => "%",
            BinaryOp::And if width == 32 => "&",
            BinaryOp::Or if width == 32 => "|",
            BinaryOp::Xor if width == 32 => "^",
            _ => return None,
        })
    }

    /// Whether a variable of so few bits is signed; constants are, unless they are small.
    fn is_signed(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Register(slot, _) => {
                self.spec.shared.get(slot.index()).is_some_and(|shared| shared.display == Display::Signed)
            }
            Expr::Constant(bits) => bits.as_signed() < 0,
            _ => false,
        }
    }
}

fn is_thread(expr: &Expr) -> bool {
    match expr {
        Expr::Address(Base::SelfThread, _) => true,
        Expr::Constant(bits) => bits.is_zero(),
        _ => false,
    }
}

/// Where a process is in a state.
fn label(thread: &Thread, state: StateId) -> String {
    let is_last = thread.leaving(state).next().is_none();
    let prefix = if is_last { "end" } else { "at" };
    format!("{prefix}_{}_{}", state.index(), thread.state(state).name)
}
