"""Ordering: a procedure's steps as the shown runs put them."""
