//! `docs/report.schema.json` is generated from the types of the report.

use crate::model::{Refusal, Report};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What `selvedge check --json` prints.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant)]
enum Printed {
    /// The verdicts on a program.
    Report(Report),
    /// Why there is none.
    Refusal(Refusal),
}

/// Set `UPDATE_EXPECT=1` to write the schema anew.
#[test]
fn the_published_schema_is_that_of_the_types() {
    let schema = serde_json::to_string_pretty(&schemars::schema_for!(Printed)).expect("a schema is JSON") + "\n";
    expect_test::expect_file!["../../../docs/report.schema.json"].assert_eq(&schema);
}
