"""How long tests wait for a fact: long, since a machine may be busy, and a test that passes never waits so long."""

from __future__ import annotations

PATIENCE = 60.0
"""Seconds."""
