"""How many values a JSON text has, told before it is parsed.

What a text takes as Python objects is up to its values, not its length: 120 MB of `{}` become 3 GB. A text that is too
short to hold too many is not looked at; of a longer one commas and opening brackets are counted, which are as many as
its values or more; only where these are too many is the text looked through for those that stand outside of texts. How
deep values nest the parser bounds by itself (RecursionError beyond some thousand), and no reader recurses.
"""

from __future__ import annotations

import json
from typing import Any

from stepscope.core.limits import limit


class TooManyValues(ValueError):  # noqa: N818 - it is what is wrong with the text
    """A JSON text goes beyond the limit `json-nodes`. Who passes over broken JSON passes over it as well."""

    def __init__(self, most: int) -> None:
        super().__init__(f"the JSON has more than {most:,} values")


def bounded_loads(text: str) -> Any:
    """The value of a stranger's JSON text. Raises TooManyValues above `json-nodes` and what `json.loads` raises:
    ValueError, RecursionError."""
    check_values(text)
    return json.loads(text)


def check_values(text: str | bytes) -> None:
    """Raise TooManyValues for JSON, as text or in UTF-8, that has more values than `json-nodes`."""
    most = limit("json-nodes")
    if len(text) < 2 * most:  # a value takes a character at least, and another one parts it from the next
        return
    from stepscope.core.json_counting import holds_more

    if holds_more(text, most):
        raise TooManyValues(most)
