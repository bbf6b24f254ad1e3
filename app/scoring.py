"""Protocols with everything that they can use here: the models that some of them measure with are of no concern to the
rules themselves."""

from __future__ import annotations

from core.scoring import registry
from core.scoring.rule import RecordScorer


def record_scorer(name: str) -> RecordScorer:
    """The protocol of this name. Raises UsageError naming the nearest."""
    return registry.record_scorer(name)
