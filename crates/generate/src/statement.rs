//! Random statements around random expressions: declarations, branches, bounded loops, switches.
//!
//! Every loop has its own counter that nothing else writes, so every program ends.

use std::fmt::Write;

use crate::expression::Generator;
use crate::integer::Integer;
use crate::scope::{Form, Function, Variable};

/// The statements of one function, as they are generated.
pub(crate) struct Body<'g, 'r> {
    pub generator: &'g mut Generator<'r>,
    text: String,
    indent: usize,
    /// How many loops are around; they multiply the work, so nesting is limited.
    loops: usize,
    /// Variables whose final values are printed.
    results: Vec<Variable>,
}

impl<'g, 'r> Body<'g, 'r> {
    pub fn new(generator: &'g mut Generator<'r>) -> Self {
        let results = generator.scope.variables.clone();
        Body { generator, text: String::new(), indent: 1, loops: 0, results }
    }

    pub fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", self.indent * 4);
    }

    /// Declares initialised local variables of random types, some of them arrays.
    pub fn declare_locals(&mut self, count: u64) {
        for _ in 0..self.generator.random.between(2, count) {
            let name = format!("v{}", self.generator.fresh());
            let ty = Integer::any(self.generator.random);
            let storage = *self.generator.random.pick(&["", "", "", "static ", "register ", "volatile "]);
            let access = self.generator.scope.access();
            if self.generator.random.chance(20) {
                let log = self.generator.random.between(1, 3) as u32;
                let value = self.generator.constant(1).text;
                self.line(&format!("{} {name}[{}] = {{{value}}};", ty.name(), 1 << log));
                self.generator.scope.add(&name, ty, Form::Array(log));
            } else {
                let value = match storage {
                    "static " => self.generator.constant(2).text,
                    _ => self.generator.expression(2, access).text,
                };
                self.line(&format!("{storage}{} {name} = {value};", ty.name()));
                self.generator.scope.add(&name, ty, Form::Scalar);
            }
            if let Some(variable) = self.generator.scope.variables.last() {
                self.results.push(variable.clone());
            }
        }
    }

    /// Adds a variable that the caller has declared, to be printed at the end.
    pub fn watch(&mut self, variable: Variable) {
        self.results.push(variable);
    }

    pub fn assign_or_print(&mut self, depth: u32) {
        let access = self.generator.scope.access();
        if self.generator.random.chance(35) {
            let value = self.generator.expression(depth, access);
            let label = format!("e{}", self.generator.fresh());
            let line = value.ty.print(&label, &value.text);
            self.line(&line);
        } else {
            let Some(variable) = self.generator.scope.writable(access, self.generator.random) else {
                return;
            };
            let line = self.generator.assignment_to(&variable, depth, access);
            self.line(&format!("{line};"));
        }
    }

    /// One statement of any kind; `depth` bounds the nesting.
    pub fn statement(&mut self, depth: u32) {
        let choice = if depth == 0 { 0 } else { self.generator.random.below(12) };
        match choice {
            0..=4 => self.assign_or_print(2),
            5 | 6 => self.branch(depth),
            7 | 8 if self.loops < 2 => self.bounded_loop(depth),
            9 => self.switch(depth),
            10 => self.forward_goto(depth),
            _ => self.scoped_block(depth),
        }
    }

    fn condition(&mut self) -> String {
        let access = self.generator.scope.access();
        self.generator.expression(2, access).text
    }

    fn block(&mut self, depth: u32) {
        let visible = self.generator.scope.variables.len();
        self.indent += 1;
        for _ in 0..self.generator.random.between(1, 3) {
            self.statement(depth - 1);
        }
        self.indent -= 1;
        self.generator.scope.variables.truncate(visible);
    }

    fn branch(&mut self, depth: u32) {
        let condition = self.condition();
        self.line(&format!("if ({condition}) {{"));
        self.block(depth);
        if self.generator.random.chance(50) {
            self.line("} else {");
            self.block(depth);
        }
        self.line("}");
    }

    fn bounded_loop(&mut self, depth: u32) {
        let counter = format!("i{}", self.generator.fresh());
        let times = self.generator.random.between(1, 5);
        let kind = self.generator.random.below(3);
        let visible = self.generator.scope.variables.len();
        match kind {
            0 => self.line(&format!("for (int {counter} = 0; {counter} < {times}; {counter}++) {{")),
            1 => self.line(&format!("{{ unsigned char {counter} = {times}; while ({counter}-- > 0) {{")),
            _ => self.line(&format!("{{ long {counter} = 0; do {{")),
        }
        let ty = [Integer::Int, Integer::UnsignedChar, Integer::Long][kind as usize];
        self.generator.scope.add_constant(&counter, ty);
        self.loops += 1;
        if self.generator.random.chance(30) {
            let condition = self.condition();
            let leave = *self.generator.random.pick(&["break", "continue"]);
            self.line(&format!("    if ({condition}) {leave};"));
        }
        self.block(depth);
        self.loops -= 1;
        self.generator.scope.variables.truncate(visible);
        match kind {
            0 => self.line("}"),
            1 => self.line("} }"),
            _ => self.line(&format!("}} while (++{counter} < {times}); }}")),
        }
    }

    fn switch(&mut self, depth: u32) {
        let selector = self.condition();
        let wide = self.generator.random.chance(30);
        let cast = if wide { "(long)" } else { "(int)" };
        self.line(&format!("switch ({cast}({selector}) & 7) {{"));
        let default = self.generator.random.below(6);
        let mut label = 0;
        for arm in 0..self.generator.random.between(2, 4) {
            let last = label + self.generator.random.below(2);
            match last > label {
                true => self.line(&format!("case {label} ... {last}:")),
                false => self.line(&format!("case {label}:")),
            }
            label = last + 1;
            if arm == default {
                self.line("default:");
            }
            self.line("{");
            self.block(depth);
            self.line("}");
            if self.generator.random.chance(65) {
                self.line("break;");
            }
        }
        self.line("}");
    }

    fn forward_goto(&mut self, depth: u32) {
        let label = format!("L{}", self.generator.fresh());
        let condition = self.condition();
        self.line(&format!("if ({condition}) goto {label};"));
        self.line("{");
        self.block(depth);
        self.line("}");
        self.line(&format!("{label}:;"));
    }

    fn scoped_block(&mut self, depth: u32) {
        let visible = self.generator.scope.variables.len();
        let shown = self.results.len();
        self.line("{");
        self.indent += 1;
        self.declare_locals(2);
        self.indent -= 1;
        self.block(depth);
        self.results.truncate(shown);
        self.generator.scope.variables.truncate(visible);
        self.line("}");
    }

    /// The text so far, followed by the printing of every result.
    pub fn finish(mut self) -> String {
        for variable in std::mem::take(&mut self.results) {
            match variable.form {
                Form::Array(log) => {
                    for index in 0..1u32 << log {
                        let place = format!("{}[{index}]", variable.text);
                        let line = variable.ty.print(&place, &place);
                        self.line(&line);
                    }
                }
                _ => {
                    let line = variable.ty.print(&variable.text, &variable.text);
                    self.line(&line);
                }
            }
        }
        self.text
    }

    /// The text so far and nothing else.
    pub fn into_text(self) -> String {
        self.text
    }
}

/// Defines a function without side effects and makes it callable; some recurse, up to four deep.
pub(crate) fn declare_function(generator: &mut Generator<'_>, text: &mut String) {
    let name = format!("f{}", generator.fresh());
    let result = Integer::any(generator.random);
    let recursive = generator.random.chance(30);
    let mut parameters: Vec<Integer> =
        (0..generator.random.between(1, 4)).map(|_| Integer::any(generator.random)).collect();
    if recursive {
        parameters[0] = Integer::Int;
    }
    let outer = std::mem::take(&mut generator.scope.variables);
    let mut list = Vec::new();
    for (position, ty) in parameters.iter().enumerate() {
        let parameter = format!("p{position}");
        list.push(format!("{} {parameter}", ty.name()));
        if recursive && position == 0 {
            generator.scope.add_constant(&parameter, *ty);
        } else {
            generator.scope.add(&parameter, *ty, Form::Scalar);
        }
    }
    let _ = writeln!(text, "static {} {name}({}) {{", result.name(), list.join(", "));
    for _ in 0..2 {
        let access = generator.scope.access();
        if let Some(variable) = generator.scope.writable(access, generator.random) {
            let _ = writeln!(text, "    {};", generator.assignment_to(&variable, 2, access));
        }
    }
    let access = generator.scope.access().pure();
    if recursive {
        let arguments: Vec<String> =
            (1..parameters.len()).map(|_| format!(", {}", generator.expression(1, access).text)).collect();
        let _ = writeln!(text, "    if (p0 > 0) return {name}(p0 - 1{});", arguments.concat());
    }
    let _ = writeln!(text, "    return {};\n}}", generator.expression(3, access).text);
    generator.scope.variables = outer;
    generator.scope.functions.push(Function { name, result, parameters, recursive });
}
