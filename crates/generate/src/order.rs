//! Small random programs that compare addresses as numbers: whatever order objects lie in, it is one order and stays
//! so. Some take locks by it, in the same order or not.

use crate::part::{self, Snippet};
use crate::random::Random;

/// A random program.
pub fn program(seed: u64) -> String {
    part::program(&mut Random::new(seed ^ 0xa500_0000_0000_0000), part)
}

/// Addresses of objects, of parts of them, and none.
const ADDRESSES: [&str; 12] = ["&x", "&x", "&y", "&y", "&c", "a", "&a[1]", "a + 2", "&l", "h", "h + 1", "0"];

const LESS: [&str; 4] = ["<", ">", "<=", ">="];

pub(crate) fn part(random: &mut Random) -> Snippet {
    let mut part = Snippet::default();
    if random.chance(35) {
        locks(&mut part, random);
        return part;
    }
    let [first, second, third] = [(); 3].map(|()| *random.pick(&ADDRESSES));
    let all = [first, second, third];
    if all.contains(&"&l") {
        part.say("int l = 0, *keep = &l;");
        part.say("*keep = 0;");
    }
    if all.iter().any(|address| address.starts_with('h')) {
        part.say("int *h = malloc(sizeof(int));");
    }
    let ty = if random.chance(80) { "unsigned long" } else { "long" };
    part.say(format!("{ty} p = ({ty}){first}, q = ({ty}){second}, r = ({ty}){third};"));
    for _ in 0..random.between(1, 2) {
        let line = usage(random, ty, [first, second]);
        part.say(format!("{{ {line} }}"));
    }
    if all.iter().any(|address| address.starts_with('h')) && random.chance(50) {
        part.say("free(h);");
        if random.chance(30) {
            part.say("if (p < q) x = 3;");
        }
    }
    part
}

/// One comparison, or several that belong together.
fn usage(random: &mut Random, ty: &str, [first, second]: [&str; 2]) -> String {
    let less = *random.pick(&LESS);
    let good = *random.pick(&["x = 3;", "y = 0;", "c = 7;", "x = x + 1;", "a[1] = 5;"]);
    match random.below(10) {
        0 => format!("if (p {less} q) {{ {good} }}"),
        1 => format!("if (p {less} q) {{ {good} }} else {{ x = 2; }}"),
        2 => format!("_Bool o = p {less} q; if (o != (p {less} q)) reach_error();"),
        3 => "if (p < q && q < r && r < p) reach_error();".into(),
        4 => "if (p < q && q < r && !(p < r)) reach_error();".into(),
        5 => "if (p < q && q < p) reach_error();".into(),
        6 => "if (!(p < q) && !(q < p) && p != q) reach_error();".into(),
        7 => format!("if (({ty}){first} {less} ({ty}){second}) reach_error();"),
        8 => format!("if (({ty}){first} < q) {{ {good} if (q < ({ty}){first}) reach_error(); }}"),
        _ => format!("if (p {less} r) {{ {good} }} if (q < r) {{ x = 3; }}"),
    }
}

/// Two locks, taken in the order of their addresses, or against it.
fn locks(part: &mut Snippet, random: &mut Random) {
    let less = *random.pick(&LESS);
    part.before("static void both@(pthread_mutex_t *p, pthread_mutex_t *q) {");
    part.before(format!("    if ((unsigned long)p {less} (unsigned long)q) {{"));
    part.before("        pthread_mutex_lock(p); pthread_mutex_lock(q);");
    part.before("    } else {");
    part.before("        pthread_mutex_lock(q); pthread_mutex_lock(p);");
    part.before("    }");
    part.before("    x = x + 1;");
    part.before("    pthread_mutex_unlock(p); pthread_mutex_unlock(q);");
    part.before("}");
    part.say(*random.pick(&["both@(&first_lock, &second_lock);", "both@(&second_lock, &first_lock);"]));
}
