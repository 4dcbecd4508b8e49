//! placeholder
#[derive(Debug)]
pub struct ConformanceFile;
