"""The documentation's page of limits, made of the table itself:
`python -m stepscope.app.services.limit_page docs/limits.md`."""

from __future__ import annotations

import sys
from pathlib import Path

from stepscope.core.limits import LIMITS, VARIABLE, written_figure

HEAD = f"""# Limits

What data of strangers, servers and pages may take of the machine. What goes beyond a limit is refused with one message
that names the file, the record and the limit; the rest still opens. `stepscope limits` prints the figures in force.

A limit is raised (or lowered)

* for one command or one window: `--limit-NAME VALUE`, say `--limit-json-bytes 512MB`, before or behind other options;
* for good: Edit ▸ Preferences (Ctrl+,), page Limits. It counts at once, Ctrl+Z takes it back;
* for all that is started in a shell: the environment variable `{VARIABLE}`, `NAME=NUMBER` with commas between.

Sizes are written as `700`, `64KB`, `512MB`, `2GB` (powers of 1,024), counts as `5000000`, `5,000,000` or `5M`, times in
seconds. Raise a limit only for what you trust: those on memory keep a small hostile file from taking all there is.

| limit | usually | bounds | why so much |
|---|---|---|---|
"""


def page() -> str:
    """The page of today's limits."""
    rows = (
        f"| `{row.name}` | {written_figure(row.unit, row.value)} | {row.words} | {row.reason} |"
        for row in LIMITS.values()
    )
    return HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), "utf-8")
