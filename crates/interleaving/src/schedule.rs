//! Calmer schedules: an execution put into an order with fewer switches between threads. Events that touch the same
//! cell keep their order, so every read sees what it saw; within that, a thread goes on as long as it can. The result
//! is run again like any other course, so nothing depends on it being right.

use rustc_hash::FxHashMap;

use crate::execution::{Course, Execution};
use crate::layout::{Access, Layout};
use crate::skeleton::{CellId, EventId, SectionPlace, Skeleton};

/// A course through the same steps in another order.
pub(crate) fn calmer(skeleton: &Skeleton, layout: &Layout, course: &Course, execution: &Execution) -> Course {
    let mut events: Vec<EventId> = execution.happened.iter().map(|&stop| skeleton.stop(stop).event).collect();
    events.dedup();
    let needs = dependencies(skeleton, layout, execution, &events);
    let mut waiting: Vec<std::collections::VecDeque<usize>> = vec![Default::default(); skeleton.threads.len()];
    for (number, &event) in events.iter().enumerate() {
        waiting[layout.thread_of(event).index()].push_back(number);
    }
    let mut done = vec![false; events.len()];
    let mut order = Vec::with_capacity(course.order.len());
    let mut current = 0;
    let ready = |waiting: &[std::collections::VecDeque<usize>], done: &[bool], thread: usize| {
        waiting[thread].front().is_some_and(|&next| needs[next].iter().all(|&earlier| done[earlier]))
    };
    while order.len() < events.len() {
        if !ready(&waiting, &done, current) {
            // The first event that is left needs nothing else that is left.
            let Some(next) = (0..waiting.len()).find(|&thread| ready(&waiting, &done, thread)) else { break };
            current = next;
        }
        let Some(next) = waiting[current].pop_front() else { break };
        done[next] = true;
        order.push(events[next]);
    }
    let happened: rustc_hash::FxHashSet<EventId> = events.into_iter().collect();
    order.extend(course.order.iter().filter(|event| !happened.contains(event)));
    Course { order, ..course.clone() }
}

/// For each event, earlier ones that must stay before it.
fn dependencies(skeleton: &Skeleton, layout: &Layout, execution: &Execution, events: &[EventId]) -> Vec<Vec<usize>> {
    let numbers: FxHashMap<EventId, usize> =
        events.iter().enumerate().map(|(number, &event)| (event, number)).collect();
    let mut written: FxHashMap<CellId, usize> = FxHashMap::default();
    let mut read: FxHashMap<CellId, Vec<usize>> = FxHashMap::default();
    let mut needs: Vec<Vec<usize>> = vec![Vec::new(); events.len()];
    for (number, &event) in events.iter().enumerate() {
        let thread = skeleton.thread(layout.thread_of(event));
        let spawn = thread.parent.and_then(|parent| numbers.get(&skeleton.stop(parent.spawn).event).copied());
        needs[number].extend(spawn);
        for &access in layout.stops_of_event[event.index()].iter().flat_map(|stop| &layout.accesses[stop.index()]) {
            match access {
                Access::Read(id) => {
                    let cell = skeleton.read(id).cell;
                    needs[number].extend(written.get(&cell));
                    read.entry(cell).or_default().push(number);
                }
                Access::Write(id) => {
                    let cell = skeleton.write(id).cell;
                    needs[number].extend(written.insert(cell, number));
                    needs[number].extend(read.remove(&cell).unwrap_or_default());
                }
            }
        }
    }
    // What happens in a section that a thread still stands in comes last.
    for stop in execution.standing.iter().flatten().map(|&stop| skeleton.stop(stop)) {
        if stop.section == SectionPlace::Inside
            && let Some(&number) = numbers.get(&stop.event)
        {
            needs[number].extend(0..number);
        }
    }
    for (number, needs) in needs.iter_mut().enumerate() {
        needs.retain(|&earlier| earlier < number);
        needs.sort_unstable();
        needs.dedup();
    }
    needs
}
