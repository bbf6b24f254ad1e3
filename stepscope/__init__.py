"""Stepscope: a desktop workbench for people who build GUI agents.

Installed, the rooms (`stepscope.app`, `core`, `models`, `resources`, `widgets`) lie in this folder. In a checkout they
lie beside it, at the top of the repository, and are found there.
"""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent

if not (_HERE / "core").is_dir():
    __path__.append(str(_HERE.parent))
