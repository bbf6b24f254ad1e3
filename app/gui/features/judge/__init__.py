"""Judge: pairs of descriptions of one trajectory, answered by key, blind, by several people and beside models."""
