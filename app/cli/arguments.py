"""Arguments that several commands share, and `--set a=b c=d`: several values behind one option."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Annotated

import typer

from stepscope.core.domain.largest_number import LARGEST_NUMBER

JsonFlag = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on stdout.")]
StoreOption = Annotated[
    str | None,
    typer.Option("--store", metavar="URL", help="SQLAlchemy URL of the store [default: the user's own SQLite file]."),
]
FormatOption = Annotated[
    str | None, typer.Option("--format", metavar="F", help="Read as this format instead of finding out.")
]
AsOption = Annotated[
    str | None,
    typer.Option("--as", metavar="procedures", help="Open episodes as procedures: steps whose order is to be found."),
]
ShownAsOption = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="procedures|asks",
        help="Show as a procedure (steps whose order is to be found) or as an ask record (what was left out).",
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE ...", help="Option of the protocol; repeat it, or give several after one --set."
    ),
]
FilterOption = Annotated[
    str | None, typer.Option("--filter", metavar="TEXT", help="Only episodes that pass this filter.")
]
StrengthOption = Annotated[
    list[str] | None,
    typer.Option("--strength", metavar="LAYER=S", help="How strongly a layer is drawn, 0 to 1; repeat it for more."),
]


def finite(value: float | None) -> float | None:
    """Refuses nan, which is neither below nor above any bound of an option."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is no finite number.")
    return value


SeedOption = Annotated[
    int, typer.Option("--seed", metavar="N", min=0, max=LARGEST_NUMBER, help="Seed of models that draw.")
]
DrawSeedOption = Annotated[
    int, typer.Option("--seed", metavar="S", min=0, max=LARGEST_NUMBER, help="Seed of these draws.")
]
MOST_DRAWS = 1_000_000
"""Draws for an interval: their sums are in memory together (ours; the usual number is a thousand)."""
DataPath = Annotated[Path, typer.Argument(metavar="PATH", help="The data set's folder or file.")]

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)


def spread_settings(arguments: list[str]) -> list[str]:
    """Put `--set` before every further `name=value` that follows one directly.

    A word that names an existing file is left alone; nothing behind `--` is touched.
    """
    spread: list[str] = []
    following = False
    for place, word in enumerate(arguments):
        if word == "--":
            return [*spread, *arguments[place:]]
        value = bool(spread) and spread[-1] == "--set"
        if following and not value and _ASSIGNMENT.fullmatch(word) and not Path(word).exists():
            spread.append("--set")
        elif not value:
            following = word == "--set" or word.startswith("--set=")
        spread.append(word)
    return spread
