"""Writing and reading of whole values, one module per kind. Each takes the caller's session and never commits."""

from core.store.repositories import outcomes, runs, sessions, sources

__all__ = ["outcomes", "runs", "sessions", "sources"]
