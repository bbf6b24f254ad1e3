"""Names of types: a search for one finds one thing."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("core", "models", "widgets", "app", "resources")


def test_no_two_types_share_a_name() -> None:
    """Private types and types inside functions count too."""
    found = defaultdict(list)
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        for name in re.findall(r"^ *class (\w+)[:(]", path.read_text(encoding="utf-8"), re.MULTILINE):
            found[name].append(str(path.relative_to(ROOT)))
    assert len(found) > 1000
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}
