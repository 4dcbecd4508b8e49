//! Whether an address in memory may be overwritten in part, by a number: `u.bytes[0] = 4` beside `u.pointer`.
//!
//! What is there afterwards may point elsewhere into the object, by what the machine does, and what pointers are said to
//! point to is silent about that. Who uses such an address is taken to use none, and that must be said.
//!
//! Looked for are writes to a place that is known, and writes of the program's own to an object that is known. Those of
//! the library through pointers (`memset`) overwrite whole objects nearly always, and are taken to.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_analysis::points_to::SharedTargets;
use selvedge_analysis::{AbstractObject, Offset, PointsTo, Target};
use selvedge_program::{AccessKind, Budget, Exhausted, FunctionId, Program, Touched};

/// What the names of the library's models begin with.
const MODELS: &str = "__selvedge_";

/// Whether there is such a write.
///
/// # Errors
/// When the budget is used up.
pub fn is_any(program: &Program, points_to: &PointsTo, budget: &Budget) -> Result<bool, Exhausted> {
    let width = u64::from(program.pointer_width() / 8);
    let mut addresses: FxHashMap<AbstractObject, Vec<(Offset, u64)>> = FxHashMap::default();
    let mut seen: FxHashSet<(SharedTargets, u64, bool)> = FxHashSet::default();
    for (index, function) in program.functions.iter().enumerate() {
        budget.check()?;
        let is_model = function.name.starts_with(MODELS);
        for touch in function.edges.iter().flat_map(|edge| edge.action.touches()) {
            let Touched::Bytes(size) = touch.what else { continue };
            if touch.mode.kind != AccessKind::Write || size >= width {
                continue;
            }
            let targets = points_to.shared_targets_of(FunctionId::new(index), touch.address);
            if !seen.insert((targets.clone(), size, is_model)) {
                continue;
            }
            let is_known = |target: &&Target| target.offset.stride == 0 || targets.len() == 1 && !is_model;
            for target in targets.iter().filter(is_known) {
                let held = addresses.entry(target.object).or_insert_with(|| held(points_to, target.object, width));
                if held.iter().any(|(offset, width)| target.offset.may_overlap(size, *offset, *width)) {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Where whole addresses are kept in an object.
fn held(points_to: &PointsTo, object: AbstractObject, width: u64) -> Vec<(Offset, u64)> {
    let cells = points_to.cells_of(object).into_iter().map(|(offset, size, held)| (offset, u64::from(size), held));
    cells.filter(|(_, size, held)| *size == width && !held.is_empty()).map(|(offset, size, _)| (offset, size)).collect()
}
