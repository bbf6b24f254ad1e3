"""The libraries that crowd-work pages call for, answered from this folder.

`index.json` names each file, what is in it, its licences, and the addresses that it answers: regular expressions over
host and path in lower case, the first that fits wins. Few versions serve many: an address of jQuery 1 or 2 gets 1.12.4
with jQuery Migrate, which brings back what older pages use; one of a slim build gets the whole; Bootstrap is its last
release of the same major version, but for the scripts of 4.0 to 4.4: later ones no longer choose a button by its
label. Files without a licence of their own are ours. No Qt here.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

FOLDER = Path(__file__).resolve().parent
_LONGEST = 2000


def answer(url: str) -> Path | None:
    """The file that answers a request for `url`; None when there is none. Host and scheme do not matter, so that
    mirrors and `//host/…` are answered too; only http and https are."""
    if len(url) > _LONGEST:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https", ""):
        return None
    asked = f"{parts.netloc}{parts.path}".lower()
    return next((file for file, rules in _table() if any(rule.search(asked) for rule in rules)), None)


@cache
def _table() -> tuple[tuple[Path, tuple[re.Pattern[str], ...]], ...]:
    index = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))
    return tuple((FOLDER / row["file"], tuple(map(re.compile, row["answers"]))) for row in index)
