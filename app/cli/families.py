"""The names of the command line's commands. Light to import: the window's start asks it."""

from __future__ import annotations

FAMILIES = {
    "formats": "formats",
    "inspect": "data",
    "episode": "episode",
    "asks": "asks",
    "ambiguous": "ambiguous",
    "render": "render",
    "score": "score",
    "protocols": "protocols",
    "evaluate": "evaluate",
    "references": "references",
    "rollout": "rollout",
    "presets": "presets",
    "models": "models",
    "agents": "agents",
    "weights": "weights",
    "servers": "servers",
    "goals": "goals",
    "sample": "sample",
    "runs": "runs",
    "reproduce": "reproduce",
    "annotate": "annotations",
    "annotations": "annotations",
    "judgements": "judgements",
    "orders": "orders",
    "campaign": "campaign",
    "webtask": "webtask",
    "devices": "devices",
    "record": "record",
    "recordings": "recordings",
    "doctor": "doctor",
    "limits": "limits",
}
"""Commands in the order of the help, and the module of `app.cli` that each stands in."""

COMMANDS = frozenset(FAMILIES)
"""First words that mean a command; any other first word is a path for the window."""
