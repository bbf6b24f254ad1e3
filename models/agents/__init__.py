"""GUI agents that others publish: what each writes, in which coordinates, and how that becomes actions of ours."""
