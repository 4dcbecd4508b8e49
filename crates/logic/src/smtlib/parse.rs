//! From expressions to terms and commands. Terms are built with a stack of tasks, so nesting may be as deep as memory
//! allows.

use rustc_hash::FxHashMap;

use super::reader::{Expr, Reader, Shape};
use super::{ParseError, vocabulary};
use crate::terms::{Sort, Term, Terms};

/// A command of a script that asks or states something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    Assert(Term),
    CheckSat,
    CheckSatAssuming(Vec<Term>),
    GetModel,
}

/// The commands of a script, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    pub commands: Vec<Command>,
}

impl Script {
    /// What the script asserts.
    pub fn assertions(&self) -> impl Iterator<Item = Term> + '_ {
        self.commands.iter().filter_map(|command| match command {
            Command::Assert(term) => Some(*term),
            _ => None,
        })
    }
}

/// Reads a script; its symbols are declared in `terms`.
pub fn parse_script(terms: &mut Terms, text: &str) -> Result<Script, ParseError> {
    let (reader, commands) = Reader::read(text)?;
    let mut parser = Parser::new(&reader, terms);
    let mut script = Script::default();
    for command in commands {
        if !parser.command(command, &mut script)? {
            break;
        }
    }
    Ok(script)
}

/// Reads one term over symbols already declared in `terms`.
pub fn parse_term(terms: &mut Terms, text: &str) -> Result<Term, ParseError> {
    let (reader, expressions) = Reader::read(text)?;
    match expressions[..] {
        [expr] => Parser::new(&reader, terms).term(expr),
        _ => Err(ParseError { line: 1, column: 1, message: "exactly one term is expected".to_string() }),
    }
}

/// A function defined in the script.
struct Macro {
    parameters: Vec<(String, Sort)>,
    result: Sort,
    body: Expr,
}

enum Task {
    Visit(Expr),
    /// The operands of this application are on the stack of values, from this height.
    Apply(Expr, usize),
    /// The values of this `let` are on the stack, from this height.
    Bind(Expr, usize),
    /// Forget the names beyond this number; look names up from this one on; functions before this one are visible. The
    /// value of a function's body must have the function's sort.
    Leave {
        names: usize,
        floor: usize,
        visible: usize,
        result: Option<(Expr, Sort)>,
    },
}

/// Terms built in one script; definitions that call definitions can ask for more than anyone has time for.
const STEPS: u64 = 50_000_000;

struct Parser<'a> {
    reader: &'a Reader,
    terms: &'a mut Terms,
    /// Names bound by `let` and parameters, innermost last.
    names: Vec<String>,
    /// What a name is bound to, and at which place in `names`; innermost last.
    bound: FxHashMap<String, Vec<(usize, Term)>>,
    /// Names before this one are not visible.
    floor: usize,
    macros: Vec<Macro>,
    macro_names: FxHashMap<String, usize>,
    visible: usize,
    steps: u64,
}

impl<'a> Parser<'a> {
    fn new(reader: &'a Reader, terms: &'a mut Terms) -> Self {
        Parser {
            reader,
            terms,
            names: Vec::new(),
            bound: FxHashMap::default(),
            floor: 0,
            macros: Vec::new(),
            macro_names: FxHashMap::default(),
            visible: 0,
            steps: 0,
        }
    }

    fn error<T>(&self, at: Expr, message: impl Into<String>) -> Result<T, ParseError> {
        Err(self.reader.place(at).error(message))
    }

    /// Follows a command; false after `exit`.
    fn command(&mut self, command: Expr, script: &mut Script) -> Result<bool, ParseError> {
        let reader = self.reader;
        let Some([head, rest @ ..]) = reader.list(command) else {
            return self.error(command, "a command is expected");
        };
        let Some(name) = reader.symbol(*head) else { return self.error(*head, "a command's name is expected") };
        match (name, rest) {
            ("set-logic" | "set-info" | "set-option" | "echo" | "get-info", _) => {}
            ("exit", _) => return Ok(false),
            ("declare-const", &[name, sort]) => self.declare(name, sort)?,
            ("declare-fun", &[name, parameters, sort]) => match reader.list(parameters) {
                Some([]) => self.declare(name, sort)?,
                _ => return self.error(parameters, "uninterpreted functions are not supported"),
            },
            ("define-fun", &[name, parameters, sort, body]) => self.define(name, parameters, sort, body)?,
            ("define-const", &[name, sort, body]) => {
                let result = self.sort(sort)?;
                self.define_macro(name, Vec::new(), result, body)?;
            }
            ("assert", &[formula]) => {
                let term = self.truth(formula)?;
                script.commands.push(Command::Assert(term));
            }
            ("check-sat", []) => script.commands.push(Command::CheckSat),
            ("check-sat-assuming", &[assumptions]) => {
                let Some(assumptions) = reader.list(assumptions) else {
                    return self.error(assumptions, "a list of assumptions is expected");
                };
                let assumptions = assumptions.iter().map(|&formula| self.truth(formula)).collect::<Result<_, _>>()?;
                script.commands.push(Command::CheckSatAssuming(assumptions));
            }
            ("get-model", []) => script.commands.push(Command::GetModel),
            _ => return self.error(command, format!("the command `{name}` in this form is not supported")),
        }
        Ok(true)
    }

    fn declare(&mut self, name: Expr, sort: Expr) -> Result<(), ParseError> {
        let sort = self.sort(sort)?;
        let Some(text) = self.reader.symbol(name) else { return self.error(name, "a name is expected") };
        if self.macro_names.contains_key(text) {
            return self.error(name, format!("`{text}` is already defined"));
        }
        match self.terms.declare(text, sort) {
            Ok(_) => Ok(()),
            Err(error) => self.error(name, error.to_string()),
        }
    }

    fn define(&mut self, name: Expr, parameters: Expr, sort: Expr, body: Expr) -> Result<(), ParseError> {
        let reader = self.reader;
        let Some(list) = reader.list(parameters) else { return self.error(parameters, "parameters are expected") };
        let mut named = Vec::new();
        for &parameter in list {
            match reader.list(parameter) {
                Some(&[name, sort]) if reader.symbol(name).is_some() => {
                    let sort = self.sort(sort)?;
                    named.push((reader.symbol(name).unwrap_or_default().to_string(), sort));
                }
                _ => return self.error(parameter, "a parameter is a name and a sort"),
            }
        }
        let result = self.sort(sort)?;
        self.define_macro(name, named, result, body)
    }

    fn define_macro(
        &mut self,
        name: Expr,
        parameters: Vec<(String, Sort)>,
        result: Sort,
        body: Expr,
    ) -> Result<(), ParseError> {
        let Some(text) = self.reader.symbol(name) else { return self.error(name, "a name is expected") };
        if self.terms.lookup(text).is_some() || self.macro_names.contains_key(text) {
            return self.error(name, format!("`{text}` is already declared"));
        }
        self.macros.push(Macro { parameters, result, body });
        self.macro_names.insert(text.to_string(), self.macros.len() - 1);
        Ok(())
    }

    fn sort(&self, expr: Expr) -> Result<Sort, ParseError> {
        if self.reader.symbol(expr) == Some("Bool") {
            return Ok(Sort::Bool);
        }
        if let Some(&[underscore, name, width]) = self.reader.list(expr)
            && self.reader.symbol(underscore) == Some("_")
            && self.reader.symbol(name) == Some("BitVec")
        {
            return match self.reader.number(width) {
                Some(width) if (1..=crate::terms::MAX_WIDTH).contains(&width) => Ok(Sort::Bits(width)),
                _ => self.error(width, format!("a width from 1 to {} is expected", crate::terms::MAX_WIDTH)),
            };
        }
        self.error(expr, "`Bool` or `(_ BitVec N)` is expected")
    }

    fn truth(&mut self, expr: Expr) -> Result<Term, ParseError> {
        let term = self.term(expr)?;
        match self.terms.sort(term) {
            Sort::Bool => Ok(term),
            sort => self.error(expr, format!("a formula is expected, but this has sort {sort}")),
        }
    }

    fn term(&mut self, root: Expr) -> Result<Term, ParseError> {
        self.names.clear();
        self.bound.clear();
        (self.floor, self.visible) = (0, self.macros.len());
        let mut tasks = vec![Task::Visit(root)];
        let mut values: Vec<Term> = Vec::new();
        while let Some(task) = tasks.pop() {
            self.steps += 1;
            if self.steps > STEPS {
                return self.error(root, "the definitions of this script expand to too large a term");
            }
            match task {
                Task::Visit(expr) => self.visit(expr, &mut tasks, &mut values)?,
                Task::Apply(expr, height) => {
                    let operands = values.split_off(height);
                    self.application(expr, &operands, &mut tasks, &mut values)?;
                }
                Task::Bind(expr, height) => {
                    let bound = values.split_off(height);
                    let bindings = self.bindings(expr)?;
                    bindings.into_iter().zip(bound).for_each(|((name, _), term)| self.bind(name, term));
                }
                Task::Leave { names, floor, visible, result } => {
                    self.unbind(names);
                    (self.floor, self.visible) = (floor, visible);
                    if let (Some((body, sort)), Some(&value)) = (result, values.last())
                        && self.terms.sort(value) != sort
                    {
                        return self.error(body, format!("a term of sort {sort} is expected"));
                    }
                }
            }
        }
        match values[..] {
            [term] => Ok(term),
            _ => self.error(root, "this is not a term"),
        }
    }

    fn visit(&mut self, expr: Expr, tasks: &mut Vec<Task>, values: &mut Vec<Term>) -> Result<(), ParseError> {
        let reader = self.reader;
        let Some(items) = reader.list(expr) else {
            return self.atom(expr, tasks, values);
        };
        let Some(&head) = items.first() else { return self.error(expr, "an empty list is not a term") };
        match (reader.symbol(head), items) {
            (Some("let"), &[_, _, body]) => {
                let bindings = self.bindings(expr)?;
                tasks.push(self.leave(None));
                tasks.push(Task::Visit(body));
                tasks.push(Task::Bind(expr, values.len()));
                tasks.extend(bindings.into_iter().rev().map(|(_, value)| Task::Visit(value)));
            }
            (Some("!"), &[_, inner, ..]) => tasks.push(Task::Visit(inner)),
            (Some("_"), &[_, name, width]) => {
                let digits = reader.symbol(name).and_then(|name| name.strip_prefix("bv"));
                match (digits.and_then(|digits| digits.parse().ok()), reader.number(width)) {
                    (Some(value), Some(width)) => {
                        let made = self.terms.try_bits(width, value);
                        values.push(self.placed(expr, made)?);
                    }
                    _ => return self.error(expr, "a constant such as `(_ bv10 32)` is expected"),
                }
            }
            (_, [_, operands @ ..]) if !operands.is_empty() => {
                tasks.push(Task::Apply(expr, values.len()));
                tasks.extend(operands.iter().rev().map(|&operand| Task::Visit(operand)));
            }
            _ => return self.error(expr, "this is not a term"),
        }
        Ok(())
    }

    fn atom(&mut self, expr: Expr, tasks: &mut Vec<Task>, values: &mut Vec<Term>) -> Result<(), ParseError> {
        let made = match self.reader.shape(expr) {
            Shape::Hex(digits) => {
                let value = u128::from_str_radix(digits, 16);
                self.literal(expr, value.ok(), digits.len().saturating_mul(4))?
            }
            Shape::Binary(digits) => {
                let value = u128::from_str_radix(digits, 2);
                self.literal(expr, value.ok(), digits.len())?
            }
            Shape::Symbol(name) => {
                if let Some(term) = self.bound_to(name) {
                    term
                } else if let Some(index) = self.visible_macro(name) {
                    return self.call(expr, index, &[], tasks);
                } else if let Some(symbol) = self.terms.lookup(name) {
                    self.terms.symbol_term(symbol)
                } else {
                    match name.as_str() {
                        "true" => self.terms.bool(true),
                        "false" => self.terms.bool(false),
                        _ => return self.error(expr, format!("unknown symbol `{name}`")),
                    }
                }
            }
            _ => return self.error(expr, "a term is expected"),
        };
        values.push(made);
        Ok(())
    }

    fn literal(&mut self, at: Expr, value: Option<u128>, width: usize) -> Result<Term, ParseError> {
        match (value, u32::try_from(width)) {
            (Some(value), Ok(width)) => {
                let made = self.terms.try_bits(width, value);
                self.placed(at, made)
            }
            _ => self.error(at, format!("a bit-vector has at most {} bits", crate::terms::MAX_WIDTH)),
        }
    }

    fn placed(&self, at: Expr, made: crate::error::Result<Term>) -> Result<Term, ParseError> {
        made.map_err(|error| self.reader.place(at).error(error.to_string()))
    }

    fn visible_macro(&self, name: &str) -> Option<usize> {
        self.macro_names.get(name).copied().filter(|&index| index < self.visible)
    }

    fn leave(&self, result: Option<(Expr, Sort)>) -> Task {
        Task::Leave { names: self.names.len(), floor: self.floor, visible: self.visible, result }
    }

    fn bind(&mut self, name: String, term: Term) {
        self.bound.entry(name.clone()).or_default().push((self.names.len(), term));
        self.names.push(name);
    }

    fn unbind(&mut self, down_to: usize) {
        for name in self.names.drain(down_to..) {
            if let Some(bound) = self.bound.get_mut(&name) {
                bound.pop();
            }
        }
    }

    fn bound_to(&self, name: &str) -> Option<Term> {
        let &(place, term) = self.bound.get(name)?.last()?;
        (place >= self.floor).then_some(term)
    }

    /// The body of a definition is a term over its parameters and what was defined before it.
    fn call(&mut self, at: Expr, index: usize, operands: &[Term], tasks: &mut Vec<Task>) -> Result<(), ParseError> {
        let called = &self.macros[index];
        if called.parameters.len() != operands.len() {
            return self.error(at, format!("{} operands are expected", called.parameters.len()));
        }
        for ((_, sort), &operand) in called.parameters.iter().zip(operands) {
            if self.terms.sort(operand) != *sort {
                return self.error(at, format!("an operand of sort {sort} is expected"));
            }
        }
        tasks.push(self.leave(Some((called.body, called.result))));
        tasks.push(Task::Visit(called.body));
        self.floor = self.names.len();
        let names: Vec<String> = called.parameters.iter().map(|(name, _)| name.clone()).collect();
        names.into_iter().zip(operands).for_each(|(name, &operand)| self.bind(name, operand));
        self.visible = index;
        Ok(())
    }

    fn bindings(&self, expr: Expr) -> Result<Vec<(String, Expr)>, ParseError> {
        let list = self.reader.list(expr).and_then(|items| items.get(1)).copied();
        let Some(bindings) = list.and_then(|list| self.reader.list(list)) else {
            return self.error(expr, "`let` is followed by its bindings");
        };
        bindings
            .iter()
            .map(|&binding| match self.reader.list(binding) {
                Some(&[name, value]) if self.reader.symbol(name).is_some() => {
                    Ok((self.reader.symbol(name).unwrap_or_default().to_string(), value))
                }
                _ => self.error(binding, "a binding is a name and a term"),
            })
            .collect()
    }

    fn application(
        &mut self,
        expr: Expr,
        operands: &[Term],
        tasks: &mut Vec<Task>,
        values: &mut Vec<Term>,
    ) -> Result<(), ParseError> {
        let reader = self.reader;
        let Some(&head) = reader.list(expr).and_then(|items| items.first()) else {
            return self.error(expr, "a function is expected");
        };
        let made = match (reader.symbol(head), reader.list(head)) {
            (Some(name), _) => match self.visible_macro(name) {
                Some(index) => return self.call(expr, index, operands, tasks),
                None => vocabulary::apply(self.terms, name, operands),
            },
            (_, Some([underscore, name, indices @ ..])) if reader.symbol(*underscore) == Some("_") => {
                let indices: Option<Vec<u32>> = indices.iter().map(|&index| reader.number(index)).collect();
                match (reader.symbol(*name), indices) {
                    (Some(name), Some(indices)) => vocabulary::apply_indexed(self.terms, name, &indices, operands),
                    _ => None,
                }
            }
            _ => None,
        };
        match made {
            Some(made) => {
                values.push(self.placed(expr, made)?);
                Ok(())
            }
            None => self.error(head, "unknown function"),
        }
    }
}
