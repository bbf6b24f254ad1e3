"""What is read without typer's validator is what the validator makes of it."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer

from stepscope.app.cli.plain_values import read_plainly


class Colour(StrEnum):
    RED = "red"
    NIGHT_BLUE = "night-blue"


def _asked(
    text: str = "",
    whole: Annotated[int, typer.Option(min=-5, max=2**31 - 1)] = 0,
    free: int | None = None,
    number: Annotated[float, typer.Option(min=0, max=1)] = 0.5,
    place: Path = Path(),
    colour: Colour = Colour.NIGHT_BLUE,
    flag: bool = False,
    texts: list[str] | None = None,
    places: list[Path] | None = None,
    wholes: list[int] | None = None,
    there: Annotated[Path, typer.Option(exists=True)] = Path(),
) -> None:
    """A command with every kind of value that commands take."""


def parameters() -> dict[str, Any]:
    application = typer.Typer(add_completion=False)
    application.command()(_asked)
    return {one.name: one for one in typer.main.get_command(application).params}


def told(parameter: Any, value: object) -> tuple[object, ...]:
    """What comes of a value: it and its type, or the words of the error."""
    try:
        got = parameter.get_runtime_param().coerce(value, param=parameter, ctx=None)
    except typer.BadParameter as error:
        return ("refused", error.message)
    return type(got), got


WRITTEN = (
    None, "", "x", "two words", "a\nb", "a\tb", "\ud800", "é€", "\u202e", "12", "-3", "+3", " 3 ", "007", "-0", "1_000",
    "1.0", "1e3", "0x10", "\u0663", "9" * 15, "9" * 16, "9" * 400, "0.25", ".5", "5.", "-0.0", "1e-3", "1E2", "1e400",
    "nan", "inf", "true", "red", "RED", "night-blue", "NIGHT_BLUE", "/", "/nowhere/at/all", "~", "a/../b", "./a",
)  # fmt: skip


@pytest.mark.parametrize("name", parameters())
def test_as_the_validator_reads(name):
    plain, typers = parameters()[name], parameters()[name]
    read_plainly(plain)
    for value in WRITTEN:
        if plain.multiple:
            assert told(plain, [value] * 2) == told(typers, [value] * 2)
        assert told(plain, value) == told(typers, value), value
    assert told(plain, plain.default) == told(typers, typers.default)


def test_what_is_plain_needs_no_validator():
    read = parameters()
    for parameter in read.values():
        read_plainly(parameter)
    given = {
        "text": "x",
        "whole": "7",
        "number": "0.5",
        "place": "/x",
        "colour": "red",
        "texts": ["a"],
        "wholes": ["3"],
    }
    for name, value in given.items():
        read[name].get_runtime_param()._typers = None
        assert told(read[name], value)[0] != "refused"
    assert "get_runtime_param" not in vars(read["there"])


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_that_may_not_be_read(tmp_path):
    closed = tmp_path / "closed"
    closed.touch(0)
    plain, typers = parameters()["place"], parameters()["place"]
    read_plainly(plain)
    assert told(plain, str(closed)) == told(typers, str(closed))
    assert told(plain, str(closed))[0] == "refused"
