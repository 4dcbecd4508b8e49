//! What the tests against the system's compiler share: the bytes it makes of static data.

use std::process::Command;

/// Writing to a string cannot fail.
pub fn put(_: std::fmt::Result) {}

/// The contents of the section `image` of a program compiled with a flag.
pub fn section_image(program: &str, flag: &str) -> Vec<u8> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = |name: &str| directory.path().join(name);
    let (source, object, image) = (path("a.c"), path("a.o"), path("a.bin"));
    std::fs::write(&source, program).expect("the program can be written");
    let output = Command::new("cc")
        .args(["-std=gnu11", "-w", "-O0", "-fno-toplevel-reorder", flag, "-c", "-o"])
        .args([&object, &source])
        .output()
        .expect("there is a C compiler");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}\n{program}");
    let status = Command::new("objcopy")
        .args(["-O", "binary", "-j", "image", "--set-section-flags", "image=alloc,load,contents"])
        .args([&object, &image])
        .status();
    assert!(status.expect("binutils are installed with the compiler").success());
    std::fs::read(&image).expect("objcopy wrote the section")
}
