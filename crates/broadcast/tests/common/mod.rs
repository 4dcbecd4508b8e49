//! Random Boolean broadcast programs, small enough that plain enumeration answers for four threads.

use selvedge_broadcast::*;
use selvedge_generate::random::Random;

/// How many times a search may ask whether to go on before it is given up.
pub const PATIENCE: u32 = 600;

/// Says go on so many times.
pub fn patience(mut left: u32) -> impl FnMut() -> bool {
    move || {
        left = left.saturating_sub(1);
        left > 0
    }
}

/// A random program that is well-formed.
pub fn random_system(seed: u64) -> System {
    let mut random = Random::new(seed);
    loop {
        let program = Generator { random: &mut random, shared: 0, locals: Vec::new(), sizes: Vec::new() }.program();
        // Atomic sections are put in anywhere, and not every place is well-formed.
        if let Ok(system) = System::new(program) {
            return system;
        }
    }
}

struct Generator<'a> {
    random: &'a mut Random,
    shared: u8,
    locals: Vec<u8>,
    sizes: Vec<u32>,
}

impl Generator<'_> {
    fn program(&mut self) -> Program {
        let templates = if self.random.chance(70) { 1 } else { 2 };
        self.shared = self.random.between(0, 2) as u8;
        for _ in 0..templates {
            self.locals.push(self.random.between(0, 2) as u8);
            self.sizes.push(self.random.between(2, 6) as u32);
        }
        let shared = self.variables("s", self.shared);
        let mut made = Vec::new();
        for number in 0..templates {
            let own = TemplateId(number as u16);
            let threads = match number {
                0 => Threads::Many,
                _ => Threads::Exactly(self.random.between(0, 1) as u32),
            };
            let locals = self.variables("l", self.locals[number]);
            let mut statements: Vec<Statement> = (0..self.sizes[number]).map(|_| self.statement(own)).collect();
            if self.random.chance(20) && statements.len() >= 3 {
                let begin = self.random.index(statements.len() - 2);
                let end = begin + 1 + self.random.index(statements.len() - begin - 1);
                statements[begin] = Statement::AtomicBegin;
                statements[end] = Statement::AtomicEnd;
            }
            made.push(Template { name: format!("t{number}"), threads, locals, statements });
        }
        Program { shared, templates: made }
    }

    fn variables(&mut self, name: &str, count: u8) -> Vec<Variable> {
        let initial = [Initial::False, Initial::True, Initial::Any];
        (0..count)
            .map(|number| Variable { name: format!("{name}{number}"), initial: *self.random.pick(&initial) })
            .collect()
    }

    fn pc(&mut self, template: TemplateId) -> Pc {
        Pc(self.random.below(u64::from(self.sizes[template.0 as usize]) + 1) as u32)
    }

    fn template(&mut self) -> TemplateId {
        TemplateId(self.random.index(self.locals.len()) as u16)
    }

    fn statement(&mut self, own: TemplateId) -> Statement {
        match self.random.below(20) {
            0..=2 => Statement::Goto((0..self.random.between(1, 2)).map(|_| self.pc(own)).collect()),
            3..=5 => Statement::Assert(self.constraint(own, &[When::Now])),
            6 if self.locals.len() > 1 || self.random.chance(30) => {
                let template = TemplateId(self.locals.len() as u16 - 1);
                let at = if self.random.chance(70) { Pc(0) } else { self.pc(template) };
                let values = self.values(template, &[own], 40);
                let condition = match self.random.chance(70) || self.locals[template.0 as usize] == 0 {
                    true => Expr::Constant(true),
                    false => {
                        let local = LocalVar(self.random.below(u64::from(self.locals[template.0 as usize])) as u8);
                        Expr::Local(Index::OTHER, local, When::Next).or(self.expr(&[own], &[When::Now], 1))
                    }
                };
                Statement::Start(Start { template, at, values, condition })
            }
            _ => Statement::Assign(self.assignment(own)),
        }
    }

    fn values(&mut self, of: TemplateId, threads: &[TemplateId], percent: u64) -> Vec<(LocalVar, Expr)> {
        let locals = self.locals[of.0 as usize];
        let mut found = Vec::new();
        for local in 0..locals {
            if self.random.chance(percent) {
                found.push((LocalVar(local), self.expr(threads, &[When::Now], 2)));
            }
        }
        found
    }

    fn assignment(&mut self, own: TemplateId) -> Assignment {
        let mut found = Assignment::default();
        for shared in 0..self.shared {
            if self.random.chance(40) {
                found.shared.push((SharedVar(shared), self.expr(&[own], &[When::Now], 2)));
            }
        }
        found.active = self.values(own, &[own], 50);
        for template in (0..self.locals.len()).map(|number| TemplateId(number as u16)) {
            if self.random.chance(35) {
                let values = self.values(template, &[own, template], 70);
                if !values.is_empty() {
                    found.passive.push(Notification { template, values });
                }
            }
        }
        for _ in 0..self.random.between(0, 2) {
            found.constraints.push(self.constraint(own, &[When::Now, When::Next]));
        }
        found
    }

    fn constraint(&mut self, own: TemplateId, times: &[When]) -> Constraint {
        let passive: Vec<TemplateId> = match self.random.below(10) {
            0..=4 => Vec::new(),
            5..=8 => vec![self.template()],
            _ => vec![self.template(), self.template()],
        };
        let threads = [&[own], passive.as_slice()].concat();
        Constraint { condition: self.expr(&threads, times, 3), passive }
    }

    fn expr(&mut self, threads: &[TemplateId], times: &[When], depth: u32) -> Expr {
        if depth == 0 || self.random.chance(30) {
            return self.leaf(threads, times);
        }
        match self.random.below(10) {
            0 | 1 => self.expr(threads, times, depth - 1).negated(),
            2 => {
                let one = self.expr(threads, times, depth - 1);
                Expr::Schoose(Box::new(one), Box::new(self.expr(threads, times, depth - 1)))
            }
            3 => {
                let [condition, then, otherwise] = [0; 3].map(|_| Box::new(self.expr(threads, times, depth - 1)));
                Expr::Conditional(condition, then, otherwise)
            }
            _ => {
                let operators =
                    [Operator::And, Operator::Or, Operator::Or, Operator::Differ, Operator::Equal, Operator::Implies];
                let operator = *self.random.pick(&operators);
                let left = self.expr(threads, times, depth - 1);
                left.with(operator, self.expr(threads, times, depth - 1))
            }
        }
    }

    fn leaf(&mut self, threads: &[TemplateId], times: &[When]) -> Expr {
        let when = *self.random.pick(times);
        let index = self.random.index(threads.len());
        let template = threads[index];
        let (index, locals) = (Index(index as u8), self.locals[template.0 as usize]);
        match self.random.below(12) {
            0 => Expr::Constant(self.random.chance(50)),
            1 => Expr::Choice,
            2 => Expr::At(index, self.pc(template)),
            3..=5 if self.shared > 0 => Expr::Shared(SharedVar(self.random.below(u64::from(self.shared)) as u8), when),
            _ if locals > 0 => Expr::Local(index, LocalVar(self.random.below(u64::from(locals)) as u8), when),
            _ => Expr::Choice,
        }
    }
}
