"""The licence of a folder of weights, as the files beside them say it; nobody else is asked."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from stepscope.core.plain_text import safe
from stepscope.core.regular_files import open_regular

_MOST = 65_536
"""Bytes that are looked at: a licence stands at the beginning."""
_LONGEST = 60
_FRONT = re.compile(r"\A---\s*\n(.*?)\n---", re.DOTALL)
_SAID = re.compile(r"^license(?:_name)?:[ \t]*['\"]?([^\s'\"#\[][^'\"#\n]*)", re.MULTILINE)
_KNOWN = (
    ("Apache License", "Apache-2.0"), ("MIT License", "MIT"), ("Permission is hereby granted, free of charge", "MIT"),
    ("Redistribution and use in source and binary forms", "BSD"), ("GNU AFFERO", "AGPL"), ("GNU LESSER", "LGPL"),
    ("GNU GENERAL PUBLIC", "GPL"), ("Attribution-NonCommercial", "CC BY-NC"), ("Attribution-ShareAlike", "CC BY-SA"),
    ("Attribution 4.0", "CC BY"), ("CC0", "CC0"),
)  # fmt: skip


def licence_of(path: Path) -> str:
    """What the folder's README.md (its head), a LICENSE or the config says; "" where nothing does, and for a file."""
    if not path.is_dir():
        return ""
    head = _FRONT.match(_start(path / "README.md"))
    said = [one for one in _SAID.findall(head[1]) if one.strip().lower() != "other"] if head else []
    found = said[-1] if said else _of_text([_start(path / name) for name in ("LICENSE", "LICENSE.txt", "LICENSE.md")])
    return safe((found or _of_config(path / "config.json")).strip()[:_LONGEST])


def _of_text(texts: Sequence[str]) -> str:
    for text in filter(None, texts):
        known = [name for words, name in _KNOWN if words.lower() in text.lower()]
        first = next((line.strip("# \t") for line in text.splitlines() if line.strip()), "")
        return known[0] if known else first
    return ""


def _of_config(file: Path) -> str:
    try:
        found = json.loads(_start(file) or "{}")
    except (ValueError, RecursionError):
        return ""
    said = found.get("license") if isinstance(found, dict) else ""
    return said if isinstance(said, str) else ""


def _start(file: Path) -> str:
    try:
        with open_regular(file) as stream:
            return stream.read(_MOST).decode("utf-8", "replace")
    except OSError:
        return ""
