//! Every pair of accesses that races is told of, not only the first of an object; and of a struct, which fields do not.

use std::process::Command;

const PROGRAM: &str = "#include <pthread.h>
int x;
static void *writes(void *unused)
{
    x = 1;
    return unused;
}
static void *reads(void *unused)
{
    int seen = x;
    x = seen + 1;
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writes, 0);
    pthread_create(&b, 0, reads, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
";

#[test]
fn all_pairs_of_accesses_to_an_object_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("main.c"), PROGRAM).expect("a program");
    let run = |words: &[&str]| {
        let command = &mut Command::new(env!("CARGO_BIN_EXE_selvedge"));
        let output = command.current_dir(folder.path()).args(["check", "--engine", "explicit", "main.c"]).args(words);
        String::from_utf8_lossy(&output.output().expect("it runs").stdout).into_owned()
    };
    let report: serde_json::Value = serde_json::from_str(&run(&["--json"])).expect("JSON");
    let checks = report["checks"].as_array().expect("checks");
    let race = checks.iter().find(|check| check["marks"].is_array()).expect("a race");
    let lines = |marks: &serde_json::Value| -> Vec<u64> {
        let mut lines: Vec<u64> =
            marks.as_array().expect("marks").iter().filter_map(|mark| mark["location"]["line"].as_u64()).collect();
        lines.sort_unstable();
        lines
    };
    let mut pairs = vec![lines(&race["marks"])];
    pairs.extend(race["further"].as_array().expect("further races").iter().map(lines));
    pairs.sort();
    assert_eq!(pairs, [[5, 10], [5, 11]]);
    let text = run(&[]);
    assert!(text.contains("also: main.c:5: written by thread 1 (writes), holding no lock; main.c:1"), "{text}");
}

const POOL: &str = "#include <pthread.h>
struct pool { pthread_mutex_t lock; int count, other, limit; } pool = {PTHREAD_MUTEX_INITIALIZER};
static void *work(void *unused)
{
    pthread_mutex_lock(&pool.lock);
    pool.count++;
    pthread_mutex_unlock(&pool.lock);
    pool.other += pool.limit;
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pool.limit = 3;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
";

/// Whoever finds the race, the fields that are protected are told of.
#[test]
fn fields_have_verdicts_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("main.c"), POOL).expect("a program");
    let run = |words: &[&str]| {
        let command = &mut Command::new(env!("CARGO_BIN_EXE_selvedge"));
        let output = command.current_dir(folder.path()).args(["check", "main.c"]).args(words);
        String::from_utf8_lossy(&output.output().expect("it runs").stdout).into_owned()
    };
    for engine in ["explicit", "modular"] {
        let report: serde_json::Value = serde_json::from_str(&run(&["--json", "--engine", engine])).expect("JSON");
        let checks = report["checks"].as_array().expect("checks");
        let race = checks.iter().find(|check| check["property"] == "race").expect("a race");
        let fields = race["fields"].as_array().expect("fields").iter();
        let fields: Vec<String> = fields.map(|field| format!("{} {}", field["name"], field["verdict"])).collect();
        let expected = [r#""pool.count" "safe""#, r#""pool.other" "unsafe""#, r#""pool.limit" "safe""#];
        assert_eq!(fields, expected, "{engine}");
    }
    let text = run(&["--engine", "explicit"]);
    assert!(text.contains("protected: pool.count: guarded by pool.lock at 2 of 2 accesses"), "{text}");
    assert!(text.contains("protected: pool.limit: only read while other threads run"), "{text}");
    let asked = run(&["--engine", "explicit", "--explain"]);
    assert!(asked.contains("  unsafe: no data race on pool.other"), "{asked}");
}
