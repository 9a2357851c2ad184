//! Nothing but tests.
