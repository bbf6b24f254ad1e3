"""Writing and reading of whole values, one module per kind. Each takes the caller's session and never commits."""

from stepscope.core.store.repositories import annotations, outcomes, runs, sessions, sources

__all__ = ["annotations", "outcomes", "runs", "sessions", "sources"]
