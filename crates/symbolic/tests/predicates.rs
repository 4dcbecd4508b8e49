//! Predicates as text: what is written is read as it was, for texts by hand and for random conditions.

use selvedge_frontend::compile::{CompileOptions, compile_text};
use selvedge_generate::random::Random;
use selvedge_program::{
    BinaryOp, Bits, Conversion, Expr, FrameObjectId, GhostField, ObjectId, Program, RegisterId, SiteId, UnaryOp,
};
use selvedge_symbolic::{Note, Predicate, Reach, Root, Tally, Variable};

const SOURCE: &str = "
    typedef union { char size[40]; long align; } pthread_mutex_t;
    int pthread_mutex_lock(pthread_mutex_t *);
    void *malloc(unsigned long);
    int balance, limit;
    unsigned count;
    unsigned char small;
    long wide;
    int *pointer;
    double ratio;
    pthread_mutex_t m;
    struct node { struct node *next; int value; };
    struct { int head, tail; struct node items[4]; union { int a; unsigned char b; }; } queue;
    static int step(int n) { static int calls; calls += n; return calls; }
    int main(void) {
        int i = 0;
        unsigned u = 1;
        pthread_mutex_lock(&m);
        while (balance < limit) { i += step(balance); u += i; balance = i + u; }
        count = small = wide = queue.head = ratio;
        int near = 0;
        pointer = &balance;
        pointer = &near;
        pointer = malloc(8);
        return i;
    }";

fn program() -> Program {
    compile_text("t.c", SOURCE, &CompileOptions::default()).expect("compiles").program
}

/// What a text is written as when it has been read.
fn check(program: &Program, text: &str, expected: &str) {
    let predicate = Predicate::parse(program, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(predicate.text(program), expected, "{text}");
    let again = Predicate::parse(program, expected).unwrap_or_else(|error| panic!("{expected}: {error}"));
    assert_eq!(again, predicate, "{text}");
}

#[test]
fn texts_are_written_as_people_write_them() {
    let program = program();
    for same in [
        "balance >= 0",
        "owner(m) == self",
        "owner(m) != null",
        "main::i < limit",
        "balance == main::i + 1",
        "limit * 2 < balance - 1",
        "balance >= 0 && limit < 100 || count != 3",
        "(balance < 0 || limit < 0) && count > 7",
        "!(balance < 0 && limit < 0)",
        "queue.head == queue.tail % 4",
        "queue.items[2].value > 0",
        "queue.items[0].next == &queue.items[3]",
        "pointer == &queue.items[1].value",
        "pointer == &balance",
        "queue.b < 7",
        "small == 200",
        "small + 1 > 255",
        "wide < balance",
        "count < 4294967295",
        "(count & 7) == 3",
        "wide >> 3 == 5",
        "count / 2 == limit % 3",
        "-balance < ~limit",
        "(balance < 0) == (limit < 0)",
        "(balance < 0 ? limit : 7) > 3",
        "step.calls >= 0",
        "kind(m) == 1",
        "waiting_on(self) == null",
        "pointer == &step",
        "ult(balance, limit)",
        "add(small, small) == 3",
        "true",
        "false",
    ] {
        check(&program, same, &same.replace("owner(m) != null", "owner(m) != 0").replace("== null", "== 0"));
    }
    for (text, expected) in [
        ("!(balance < 0)", "balance >= 0"),
        ("0 < balance", "balance > 0"),
        ("balance", "balance != 0"),
        ("!balance", "balance == 0"),
        ("((balance)) == 0x10", "balance == 16"),
        ("balance <= limit", "limit >= balance"),
        ("small == small", "true"),
        ("count == -1", "count == 4294967295"),
        ("bytes(queue, 2, 4) == 1", "bytes(queue, 2, 4) == 1"),
    ] {
        check(&program, text, expected);
    }
}

#[test]
fn reach_is_that_of_the_variables() {
    let program = program();
    let reach = |text: &str| Predicate::parse(&program, text).expect("is well-formed").reach(&program);
    assert_eq!(reach("balance >= 0"), Reach::Shared);
    assert_eq!(reach("main::i < 3"), Reach::Local);
    assert_eq!(reach("main::i < balance"), Reach::Mixed);
    assert_eq!(reach("owner(m) == self"), Reach::Mixed);
    assert_eq!(reach("waiting_on(self) == 0"), Reach::Local);
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let program = program();
    for (text, expected) in [
        ("", "column 1: an operand is expected here"),
        ("balance >", "column 10: an operand is expected here"),
        ("balance > $", "column 11: `$` is not expected here"),
        ("balance > 1)", "column 12: `)` is not expected here"),
        ("(balance > 1", "column 13: `)` is expected here"),
        ("blance > 1", "column 1: there is no variable `blance`, or more than one"),
        ("step > 1", "column 1: there is no variable `step`, or more than one, only a function"),
        ("main::j > 1", "column 7: `main` has no variable `j` in a register, or more than one (then `#5`)"),
        ("queue > 1", "column 1: this is a struct or union: name a member"),
        ("queue.items > 1", "column 7: this is an array: name an element"),
        ("queue.items[4].value > 1", "column 13: there is no such element"),
        ("queue.middle > 1", "column 7: there is no member `middle`"),
        ("ratio > 1", "column 1: a floating-point number cannot be spoken of"),
        ("holder(m) == self", "column 1: `holder` is neither a ghost field nor an operator"),
        ("zext(8, balance) == 1", "column 16: a value of 32 bits is not converted so"),
        ("bytes(balance, 2, 4) == 1", "column 20: the object does not have these bytes"),
        ("add(balance, wide) == 1", "column 18: the operands must have one width"),
        (&"(".repeat(1000), "column 101: this is nested too deeply"),
    ] {
        let error = Predicate::parse(&program, text).expect_err(text);
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

/// Names that mean something else in predicates, or could not be read as names, are written by number.
#[test]
fn names_that_cannot_be_read_are_written_by_number() {
    let source = "
        int self, bytes, null, tr$ap, *where; double ratio;
        struct { int a$b, c; } odd;
        static int true_(int n) { int false = n; return false; }
        int main(void) { int bytes$ = self; double *near = &ratio; where = &self; return true_(bytes$ + bytes) + *near; }";
    let program = compile_text("t.c", source, &CompileOptions::default()).expect("compiles").program;
    let mut written = 0;
    for (index, object) in program.objects.iter().enumerate() {
        let root = Root::Static(ObjectId::new(index));
        for (offset, size) in [(0, 4), (4, 4), (0, 8)].into_iter().filter(|(at, size)| at + size <= object.size) {
            let cell = Variable::Cell { object: root, offset, size: size as u32 };
            let value = Expr::register(RegisterId::new(0), size as u32 * 8);
            let zero = Expr::constant(size as u32 * 8, 0);
            check_written(&program, &Predicate::new(&Expr::equal(value, zero), &[cell]));
            written += 1;
        }
        let (at, pointer) = (Variable::Changer { object: root, offset: 4 }, program.pointer_width());
        for offset in [0, 4, 8, u64::MAX - 3] {
            let address = Expr::address(selvedge_program::Base::Object(ObjectId::new(index)), pointer).plus(offset);
            let same = Expr::equal(Expr::register(RegisterId::new(0), pointer), address);
            check_written(&program, &Predicate::new(&same, &[at]));
            written += 1;
        }
    }
    for (index, function) in program.functions.iter().enumerate() {
        for (register, of) in function.registers.iter().enumerate() {
            let variable = Variable::Register(selvedge_program::FunctionId::new(index), RegisterId::new(register));
            let value = Expr::register(RegisterId::new(0), of.width);
            check_written(&program, &Predicate::new(&Expr::equal(value, Expr::constant(of.width, 0)), &[variable]));
            written += 1;
        }
    }
    assert!(written > 30, "{written} predicates");
}

fn check_written(program: &Program, predicate: &Predicate) {
    let text = predicate.text(program);
    assert_eq!(Predicate::parse(program, &text).as_ref(), Ok(predicate), "{text}");
}

/// Constants of any width, the widest included.
#[test]
fn wide_constants_are_read_as_they_were_written() {
    let program = program();
    for width in [1, 2, 63, 64, 65, 126, 127, 128] {
        for number in [0, 1, u128::MAX >> (128 - width), 1 << (width - 1)] {
            let text = format!("bits({width}, {number}) == bits({width}, {number})");
            assert_eq!(
                Predicate::parse(&program, &text).map(|read| read.text(&program)),
                Ok("true".to_owned()),
                "{text}"
            );
            let wide = "zext(128, balance)";
            let narrow = if width == 128 { wide.to_owned() } else { format!("trunc({width}, {wide})") };
            let text = format!("eq({narrow}, bits({width}, {number}))");
            check_written(
                &program,
                &Predicate::parse(&program, &text).unwrap_or_else(|error| panic!("{text}: {error}")),
            );
        }
    }
}

/// No text makes reading panic: random ones of all words and signs that predicates have, and very long ones.
#[test]
fn no_text_is_too_strange() {
    let program = program();
    let words = [
        "balance",
        "queue",
        "wide",
        "small",
        "ratio",
        "pointer",
        "main::i",
        "main::near",
        "main",
        "step",
        "m",
        "self",
        "null",
        "true",
        "false",
        "0",
        "1",
        "31",
        "127",
        "128",
        "0x7fffffffffffffff",
        "170141183460469231731687303715884105727",
        "340282366920938463463374607431768211455",
        "18446744073709551615",
        "(",
        ")",
        "(",
        ")",
        ",",
        ",",
        ".",
        ".items",
        ".value",
        "[",
        "]",
        "[3]",
        "[18446744073709551615]",
        "+",
        "-",
        "*",
        "/",
        "%",
        "<<",
        ">>",
        "<",
        ">=",
        "==",
        "!=",
        "&&",
        "||",
        "?",
        ":",
        "!",
        "~",
        "&",
        "|",
        "^",
        "::",
        "@",
        "@0",
        "@f0",
        "@site0",
        "#",
        "#1",
        "bytes(",
        "owner(",
        "changer(",
        "added(",
        "all_taken(readers(",
        "alive(",
        "born(",
        "maker(",
        "determinate(",
        "address(",
        "unjoined()",
        "zext(",
        "sext(",
        "trunc(",
        "bits(",
        "ite(",
        "add(",
        "sub(",
        "udiv(",
        "sdiv(",
        "srem(",
        "shl(",
        "ashr(",
        "eq(",
        "slt(",
        "neg(",
        "not(",
        "127,",
        "128,",
        "64,",
        "é",
        "$",
        "fadd32(",
        "flt64(",
        "feq32(",
        "fneg64(",
        "start_of(",
        "is_within(",
        "utof32(",
        "stof64(",
        "ftou64(",
        "ftos32(",
        "ftof32(",
        "32,",
    ];
    let mut random = Random::new(3);
    let mut read = 0;
    for text in [
        "flt64(bytes(ratio, 0, 8), fneg64(bytes(ratio, 0, 8)))",
        "feq32(balance, fadd32(stof32(32, limit), ftof64(32, bytes(ratio, 0, 8))))",
        "ftos64(32, fdiv64(bytes(ratio, 0, 8), utof64(64, count))) == balance",
        "ftou32(8, bits(32, 2143289344)) == small",
        "is_within(pointer)",
        "start_of(pointer) == &balance",
    ] {
        check_written(&program, &Predicate::parse(&program, text).unwrap_or_else(|error| panic!("{text}: {error}")));
    }
    for _ in 0..60_000 {
        let text: Vec<&str> = (0..1 + random.index(9)).map(|_| *random.pick(&words)).collect();
        if let Ok(predicate) = Predicate::parse(&program, &text.join(" ")) {
            let _ = predicate.fits(&program);
            check_written(&program, &predicate);
            read += 1;
        }
    }
    assert!(read > 300, "only {read} texts are read");
    for long in
        ["balance + ", "balance < ", "limit && ", "1 << ", "limit ? limit : ", "!", "-", "add(1, ", "@", "owner("]
    {
        let _ = Predicate::parse(&program, &(long.repeat(20_000) + "limit"));
    }
    let sum = "balance + ".repeat(1000) + "limit";
    let predicate = Predicate::parse(&program, &sum).expect("a thousand operators are read");
    assert!(predicate.fits(&program));
    assert_eq!(
        Predicate::parse(&program, &("balance + ".repeat(1001) + "limit")).expect_err("is too long").message,
        "there are more than 1000 operators"
    );
}

/// Random conditions over all kinds of variables, in all operators that predicates have.
struct Conditions<'p> {
    random: Random,
    variables: &'p [(Variable, u32)],
}

impl Conditions<'_> {
    fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit as u64) as usize
    }

    fn leaf(&mut self, width: u32) -> Expr {
        let fitting: Vec<usize> = (0..self.variables.len()).filter(|at| self.variables[*at].1 == width).collect();
        if fitting.is_empty() || self.random.chance(30) {
            let number = [0, 1, 2, 3, 7, 127, 255, u128::MAX, u128::MAX - 4, 1 << 31][self.below(10)];
            return Expr::Constant(Bits::new(width, number));
        }
        Expr::register(RegisterId::new(fitting[self.below(fitting.len())]), width)
    }

    fn value(&mut self, width: u32, depth: u32) -> Expr {
        if width == 1 {
            return self.condition(depth);
        }
        if depth == 0 {
            return self.leaf(width);
        }
        match self.below(6) {
            0 => self.leaf(width),
            1 => Expr::unary([UnaryOp::Negate, UnaryOp::Not][self.below(2)], self.value(width, depth - 1)),
            2 => {
                let from = [8, 16, 32, 64][self.below(4)];
                let value = self.value(from, depth - 1);
                match from.cmp(&width) {
                    std::cmp::Ordering::Less if self.random.chance(50) => {
                        Expr::convert(Conversion::SignExtend, width, value)
                    }
                    _ => value.resize_unsigned(width),
                }
            }
            3 => {
                let condition = self.condition(depth - 1);
                let (then, otherwise) = (self.value(width, depth - 1), self.value(width, depth - 1));
                Expr::if_then_else(condition, then, otherwise)
            }
            _ => {
                let op = BinaryOp::ARITHMETIC[self.below(BinaryOp::ARITHMETIC.len())];
                Expr::binary(op, self.value(width, depth - 1), self.value(width, depth - 1))
            }
        }
    }

    fn condition(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return Expr::Constant(Bits::bool(self.random.chance(50)));
        }
        match self.below(6) {
            0 => self.condition(depth - 1).not(),
            1 => self.condition(depth - 1).and(self.condition(depth - 1)),
            2 => self.condition(depth - 1).or(self.condition(depth - 1)),
            _ => {
                let width = [8, 32, 32, 64][self.below(4)];
                let op = [BinaryOp::Equal, BinaryOp::LessUnsigned, BinaryOp::LessSigned][self.below(3)];
                Expr::binary(op, self.value(width, depth - 1), self.value(width, depth - 1))
            }
        }
    }
}

#[test]
fn what_is_written_is_read_as_it_was() {
    let program = program();
    let cell = |name: &str, offset, size| {
        let object = program.objects.iter().position(|object| object.name == name).expect("there is such an object");
        (Variable::Cell { object: Root::Static(ObjectId::new(object)), offset, size }, size * 8)
    };
    let main = program.entries[0];
    let mut variables = vec![
        cell("balance", 0, 4),
        cell("count", 0, 4),
        cell("small", 0, 1),
        cell("wide", 0, 8),
        cell("pointer", 0, 8),
        cell("queue", 16, 8),
        cell("queue", 2, 4),
    ];
    let near =
        program.function(main).frame.iter().position(|local| local.name == "near").expect("its address is taken");
    let (near, one) = (Root::Local(main, FrameObjectId::new(near)), Root::One(SiteId::new(0)));
    variables.extend([
        (Variable::Cell { object: near, offset: 0, size: 4 }, 32),
        (Variable::Cell { object: one, offset: 4, size: 4 }, 32),
        (Variable::Determinate { object: near, offset: 0, size: 4 }, 1),
        (Variable::Alive(near), 1),
        (Variable::Note(Note::Born, one), 1),
        (Variable::Note(Note::Escaped, one), 1),
        (Variable::Note(Note::Maker, one), 64),
        (Variable::Address(one), 64),
        (Variable::Unjoined, 64),
    ]);
    for tally in Tally::ALL {
        variables.push((Variable::Tally { object: near, offset: 0, field: None, tally }, 40));
        variables.push((Variable::Tally { object: one, offset: 4, field: Some(GhostField::Readers), tally }, 40));
    }
    for (index, register) in program.function(main).registers.iter().enumerate() {
        variables.push((Variable::Register(main, RegisterId::new(index)), register.width));
    }
    let table: Vec<Variable> = variables.iter().map(|(variable, _)| *variable).collect();
    let mut infix = 0;
    for seed in 0..3000 {
        let mut conditions = Conditions { random: Random::new(seed), variables: &variables };
        let predicate = Predicate::new(&conditions.condition(4), &table);
        let text = predicate.text(&program);
        infix += usize::from([" < ", " == ", " > ", " + "].iter().any(|sign| text.contains(sign)));
        let read = Predicate::parse(&program, &text).unwrap_or_else(|error| panic!("seed {seed}: {text}: {error}"));
        assert_eq!(read, predicate, "seed {seed}: {text} is read as {}", read.text(&program));
        let negated = predicate.not();
        assert_eq!(Predicate::parse(&program, &negated.text(&program)), Ok(negated.clone()), "seed {seed}: {text}");
    }
    assert!(infix > 1000, "only {infix} of the texts have an operator of C");
}
