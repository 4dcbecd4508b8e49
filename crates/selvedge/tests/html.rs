//! `selvedge check --html`: that the page stands alone, and, where there is a Chromium, what it shows when keys are
//! pressed.

use std::path::{Path, PathBuf};
use std::process::Command;

struct Page {
    folder: tempfile::TempDir,
    text: String,
}

impl Page {
    fn of(name: &str) -> Page {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let out = folder.path().join("page.html");
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reports").join(name);
        let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
        command.args(["check", "-q", "--engine", "explicit", "--engine", "modular", "--html"]).arg(&out).arg(program);
        assert!(command.output().expect("selvedge runs").status.code().is_some_and(|code| code < 2));
        let text = std::fs::read_to_string(&out).expect("the page was written");
        Page { folder, text }
    }

    /// The document after keys have been pressed; `None` without a browser.
    fn after(&self, keys: &str) -> Option<String> {
        let browser = browser()?;
        let url = format!("file://{}#keys={keys}", self.folder.path().join("page.html").display());
        let mut command = Command::new(browser);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000", "--dump-dom"]);
        command.arg(format!("--user-data-dir={}", self.folder.path().join("profile").display()));
        let output = command.arg(url).output().expect("the browser runs");
        let document = String::from_utf8_lossy(&output.stdout).into_owned();
        // The data hold all words of the report: what is shown is what stands before them.
        Some(document.split("<script").next().unwrap_or("").to_owned())
    }
}

fn browser() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&folders).flat_map(|folder| names.map(|name| folder.join(name))).find(|path| path.is_file())
}

/// The row of the current step.
fn current(document: &str) -> &str {
    let mut rows = document.split("<tr ").skip(1);
    rows.find(|row| row.starts_with("class=\"step") && row.contains("current")).unwrap_or("")
}

#[test]
fn the_page_needs_nothing_else() {
    let page = Page::of("heap_race.c").text;
    for from_elsewhere in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(from_elsewhere), "{from_elsewhere}");
    }
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("max-width: 860px"));
    assert!(!page.contains("{{"), "every part of the page is filled in");
}

/// A program's text must not become markup.
#[test]
fn the_sources_are_data() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let (program, out) = (folder.path().join("x.c"), folder.path().join("x.html"));
    let text = "// </script><script>alert(1)</script> <!-- \n#include <assert.h>\nint main(void) { assert(0); }\n";
    std::fs::write(&program, text).expect("the folder is writable");
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command.args(["check", "-q", "--html"]).arg(&out).arg(&program).output().expect("selvedge runs");
    let page = std::fs::read_to_string(&out).expect("the page was written");
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<!--") && page.contains("alert(1)"));
}

#[test]
fn the_keyboard_steps_through_a_schedule() {
    let page = Page::of("assertion.c");
    let Some(end) = page.after("End") else {
        println!("no Chromium here: the page was not opened");
        return;
    };
    assert!(end.contains("thread 0 (main)") && end.contains("thread 1 (work)") && end.contains("thread 2 (work)"));
    assert!(current(&end).contains("assert(counter == 2);"), "{end}");
    assert!(end.contains(r#"class="here marked""#), "the line is set off: {end}");
    let first = page.after("Home").expect("as before");
    assert!(current(&first).contains("starts thread 1"), "{first}");
    // Down twice and up once, by both kinds of keys, is the second step.
    let second = page.after("Home,j,ArrowDown,k").expect("as before");
    assert!(current(&second).contains("starts thread 2"), "{second}");
    assert!(second.contains(r#"<tr class="fresh"><td class="code">second</td><td class="code">thread 2</td></tr>"#));
    // Beyond the ends there is nothing.
    assert_eq!(current(&page.after("Home,k,k").expect("as before")), current(&first));
}

#[test]
fn another_violation_and_all_verdicts_are_a_key_away() {
    let page = Page::of("assertion.c");
    let Some(race) = page.after("]") else {
        println!("no Chromium here: the page was not opened");
        return;
    };
    assert!(race.contains("data race on `counter`") && current(&race).contains("is about to"), "{race}");
    let all = page.after("[").expect("as before");
    assert!(all.contains(r#"<li data-verdict="unsafe">"#) && !all.contains("<table"), "{all}");
    let safe = Page::of("safe.c").after("[").expect("as before");
    assert!(safe.contains("guarded by lock at 2 of 2 accesses"), "{safe}");
}
