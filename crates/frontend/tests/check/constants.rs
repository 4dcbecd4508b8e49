//! Constant expressions against the system's compiler: values and types of random ones.

use super::checked;
use selvedge_frontend::hir::Constant;
use selvedge_generate::random::Random;
use selvedge_program::DataModel;
use std::fmt::Write;
use std::process::Command;

const LEAVES: &[&str] = &[
    "0",
    "1",
    "7",
    "255",
    "2147483647",
    "4294967295",
    "1u",
    "0x80000000",
    "3l",
    "5ul",
    "9ll",
    "0xffffffffffffffff",
    "'a'",
    "'\\xff'",
    "sizeof(int)",
    "sizeof(struct s)",
    "_Alignof(double)",
    "A",
    "B",
    "BIG",
    "__builtin_offsetof(struct s, y)",
    "(char)200",
    "(unsigned char)200",
    "(short)-3",
    "(_Bool)5",
    "-1",
    "-128l",
    "~0u",
    "0777",
    "0x7fffffffffffffffll",
    "(unsigned short)65535",
    "__builtin_popcount(0xf0f0)",
    "__builtin_bswap16(0x1234)",
    "__builtin_constant_p(3)",
];
const CASTS: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
    "enum e",
];

fn expression(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return LEAVES[random.index(LEAVES.len())].to_owned();
    }
    let sub = |random: &mut Random| expression(random, depth - 1);
    match random.index(16) {
        0 => format!("({} + {})", sub(random), sub(random)),
        1 => format!("({} - {})", sub(random), sub(random)),
        2 => format!("({} * {})", sub(random), sub(random)),
        3 => format!("({} / (({}) | 1))", sub(random), sub(random)),
        4 => format!("({} % (({}) | 1))", sub(random), sub(random)),
        5 => format!("({} << (({}) & 7))", sub(random), sub(random)),
        6 => format!("({} >> (({}) & 7))", sub(random), sub(random)),
        7 => format!("({} {} {})", sub(random), ["<", ">", "<=", ">=", "==", "!="][random.index(6)], sub(random)),
        8 => format!("({} {} {})", sub(random), ["&", "|", "^"][random.index(3)], sub(random)),
        9 => format!("({} {} {})", sub(random), ["&&", "||"][random.index(2)], sub(random)),
        10 => format!("({} ? {} : {})", sub(random), sub(random), sub(random)),
        11 => format!("{}({})", ["-", "~", "!", "+"][random.index(4)], sub(random)),
        12 | 13 => format!("({})({})", CASTS[random.index(CASTS.len())], sub(random)),
        14 => format!("(long)((double)({}) * 0.001)", sub(random)),
        _ => format!("(unsigned char)((float)(({}) & 0xffffff) / 65536)", sub(random)),
    }
}

const PRELUDE: &str =
    "struct s { char x; double y; };\nenum e { A = -3, B = 70000 };\nenum big { BIG = 0x123456789 };\n";

#[test]
fn random_constants() {
    let mut random = Random::new(7);
    let expressions: Vec<String> = (0..600).map(|number| expression(&mut random, 1 + number % 4)).collect();
    let mut program = PRELUDE.to_owned();
    for (number, expression) in expressions.iter().enumerate() {
        let _ = writeln!(program, "unsigned long long v{number} = (unsigned long long)({expression});");
        let _ = writeln!(program, "typeof({expression}) t{number};");
    }
    let checked = checked(&program, DataModel::Lp64);
    let errors: Vec<&String> = checked.messages.iter().filter(|message| message.contains("error")).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let mut main = String::new();
    for (number, expression) in expressions.iter().enumerate() {
        let find = |name: String| {
            let named = |name_of: Option<_>| name_of.is_some_and(|found| checked.names.name(found) == name);
            checked.unit.globals.iter().find(|global| named(global.name)).expect("every variable is there")
        };
        let Some(Constant::Integer(value)) = find(format!("v{number}")).initial.first().map(|item| item.value.clone())
        else {
            panic!("no value for {expression}");
        };
        let ty = checked.types.name(find(format!("t{number}")).ty, &checked.names);
        let _ = writeln!(main, "if (v{number} != {}ull) report({number});", value as u64);
        let _ = writeln!(
            program,
            "_Static_assert(__builtin_types_compatible_p(typeof({expression}), {ty}), \"{number} is not {ty}\");"
        );
    }
    let program = format!(
        "{program}int printf(const char *, ...);\nint wrong; void report(int n) {{ wrong = 1; printf(\"%d \", n); }}\nint main(void) {{ {main} return wrong; }}\n"
    );
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (source, binary) = (directory.path().join("a.c"), directory.path().join("a.out"));
    std::fs::write(&source, &program).expect("the program can be written");
    let compiled = Command::new("cc").args(["-std=gnu11", "-w", "-fwrapv", "-o"]).args([&binary, &source]).output();
    let compiled = compiled.expect("there is a C compiler");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(&binary).output().expect("the program runs");
    let wrong: Vec<&String> = String::from_utf8_lossy(&run.stdout)
        .split_whitespace()
        .filter_map(|number| number.parse().ok())
        .filter_map(|number: usize| expressions.get(number))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
