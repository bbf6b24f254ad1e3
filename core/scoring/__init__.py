"""Matching rules and metrics as pure functions; each rule says where it comes from."""
