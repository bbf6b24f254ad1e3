"""Web tasks: the live page, its fields, people and solvers."""
