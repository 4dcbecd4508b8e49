//! The paper's own examples: Section 2 to the letter, Section 5 with the property it proves.

use expect_test::{Expect, expect};
use selvedge_cartesian::domain::{Count, Fixpoint, Group, Kept, Product, Shared, System, solve};
use selvedge_cartesian::models::{Threads, critical_sections, peterson, peterson_exceptions};
use selvedge_cartesian::table::Table;
use selvedge_program::bitset::BitSet;

fn fixpoint(mut table: Table) -> Fixpoint {
    match solve(&mut table, Kept::All, |_, _| Ok(())) {
        Ok(fixpoint) => fixpoint,
    }
}

/// A set of locations as the paper writes it.
fn set(group: &Group) -> String {
    let letters: Vec<String> = group.any().iter().map(|local| char::from(b'A' + local as u8).to_string()).collect();
    format!("{{{}}}", letters.join(","))
}

fn product(shared: usize, product: &Product) -> String {
    format!("{{{shared:03b}}} x {}", product.iter().map(set).collect::<Vec<_>>().join(" x "))
}

fn check(table: Table, expected: Expect) -> Fixpoint {
    let fixpoint = fixpoint(table);
    let mut own = Vec::new();
    let mut exceptions = Vec::new();
    for (shared, node) in fixpoint.nodes.iter().enumerate() {
        let sets: Product = node.sets.iter().cloned().map(Group::all).collect();
        if !node.sets.iter().any(|set| set.is_empty()) {
            own.push(product(shared, &sets));
        }
        exceptions.extend(node.exceptions.products().iter().map(|exception| product(shared, exception)));
    }
    own.append(&mut exceptions);
    expected.assert_eq(&(own.join("\n") + "\n"));
    fixpoint
}

/// Whether a state with both threads at D is in the fixpoint.
fn both_critical(fixpoint: &Fixpoint) -> bool {
    fixpoint
        .nodes
        .iter()
        .flat_map(|node| node.products(Kept::All))
        .any(|product| product.iter().all(|group| group.any().contains(3)))
}

/// The paper prints the eight products below with A besides for the second thread wherever y = 1. No step of the
/// program leads there (only its own steps change y or the place of the second thread, and the one to A sets y to 0),
/// and the paper's X4, which is inductive, has no such state either; so the printed products are an invariant, but not
/// the least one.
#[test]
fn peterson_without_exceptions_gives_the_eight_products_of_section_2() {
    let fixpoint = check(
        peterson(),
        expect![[r#"
            {000} x {A} x {A}
            {001} x {A} x {A}
            {010} x {A} x {B,C,D}
            {011} x {A} x {B,C,D}
            {100} x {B,C,D} x {A}
            {101} x {B,C,D} x {A}
            {110} x {B,C,D} x {B,C,D}
            {111} x {B,C,D} x {B,C,D}
        "#]],
    );
    let printed = [
        ["A", "A"],
        ["A", "A"],
        ["A", "ABCD"],
        ["A", "ABCD"],
        ["BCD", "A"],
        ["BCD", "A"],
        ["BCD", "ABCD"],
        ["BCD", "ABCD"],
    ];
    for (shared, printed) in printed.iter().enumerate() {
        for (thread, printed) in printed.iter().enumerate() {
            let printed: BitSet = printed.bytes().map(|letter| u32::from(letter - b'A')).collect();
            let beyond: Vec<u32> = printed.without(&fixpoint.nodes[shared].sets[thread]).iter().collect();
            assert!(fixpoint.nodes[shared].sets[thread].is_subset(&printed));
            assert_eq!(beyond, if thread == 1 && shared & 2 != 0 { vec![0] } else { vec![] });
        }
    }
    assert!(both_critical(&fixpoint), "the false alarm that the section speaks of");
}

#[test]
fn peterson_with_the_exceptions_of_section_2_gives_x4() {
    let table = Table { exceptions: peterson_exceptions(), ..peterson() };
    let fixpoint = check(
        table,
        expect![[r#"
            {000} x {A} x {A}
            {001} x {A} x {A}
            {010} x {A} x {B,C,D}
            {011} x {A} x {B}
            {100} x {B} x {A}
            {101} x {B,C,D} x {A}
            {110} x {B,D} x {B,C}
            {111} x {B,C} x {B,C,D}
            {110} x {B} x {D}
            {110} x {C} x {C}
            {111} x {D} x {B}
        "#]],
    );
    assert!(!both_critical(&fixpoint), "mutual exclusion is proven");
}

/// Two threads in critical sections at once, somewhere in the fixpoint.
fn excludes(fixpoint: &Fixpoint) -> bool {
    let is_critical = |local: u32| !local.is_multiple_of(3);
    fixpoint.nodes.iter().flat_map(|node| node.products(Kept::All)).all(|product| {
        let mut inside = 0;
        for group in &product {
            inside += group.slots.iter().filter(|slot| slot.iter().any(is_critical)).count();
            inside += if group.rest.iter().any(is_critical) { 2 } else { 0 };
        }
        inside <= 1
    })
}

#[test]
fn the_class_of_section_5_is_proved_for_every_number_of_threads() {
    for sections in [1, 2, 5] {
        let mut sizes = Vec::new();
        for count in
            [Count::Exactly(1), Count::Exactly(2), Count::Exactly(3), Count::Exactly(100_000), Count::Unbounded]
        {
            let fixpoint = fixpoint(critical_sections(Threads::Interchangeable(count), sections));
            assert!(excludes(&fixpoint), "{count:?}, {sections} sections");
            sizes.push((count, fixpoint.products, fixpoint.nodes[1].sets.clone()));
        }
        assert_eq!(sizes[3].1, sizes[4].1, "the work does not depend on the number of threads");
        assert_eq!(sizes[2].2, sizes[4].2);
        for number in [1, 2, 7] {
            assert!(excludes(&fixpoint(critical_sections(Threads::Distinct(number), sections))), "{number} threads");
        }
    }
}

#[test]
fn without_exceptions_section_5_is_a_false_alarm() {
    for threads in
        [Threads::Interchangeable(Count::Exactly(2)), Threads::Interchangeable(Count::Unbounded), Threads::Distinct(2)]
    {
        let table = Table { exceptions: Vec::new(), ..critical_sections(threads, 1) };
        assert!(table.exceptions(Shared(1)).is_empty());
        assert!(!excludes(&fixpoint(table)), "{threads:?}");
    }
}
