//! Specifications as text (`.threads`).
