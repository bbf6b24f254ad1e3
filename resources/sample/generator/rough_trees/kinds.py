"""Which trees a build is to have."""

from __future__ import annotations

from enum import StrEnum


class TreeKinds(StrEnum):
    """Which trees the episodes of a build have; mixed: half of them rough."""

    MIXED = "mixed"
    CLEAN = "clean"
    ROUGH = "rough"
