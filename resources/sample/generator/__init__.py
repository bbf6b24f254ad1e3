"""Episodes made in numbers from goal templates, seeded: what the project's own small models learn from."""
