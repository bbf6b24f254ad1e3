"""Tables that no terminal shows are drawn as rich draws them."""

from __future__ import annotations

import io
import random
from contextlib import redirect_stdout

import pytest

from stepscope.app.cli import output

CELLS = (
    None,
    "",
    "x",
    "two words",
    0.25,
    -1,
    True,
    False,
    "a" * 60,
    "–",
    "a…b",
    " [bold]x[/bold] ",
    ":smile:",
    "a  b",
    "x" * 290,
)


def shown(columns, rows, numbers):
    with redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)) as out:
        output.table(columns, rows, numbers=numbers)
    return out.buffer.getvalue().decode()


def test_as_rich_draws_it(monkeypatch):
    rng = random.Random(3)
    plain = output.plain_table
    drawn = []
    for _ in range(60):
        columns = [rng.choice(("", "a", "name", "seconds each")) + str(place) for place in range(rng.randint(1, 5))]
        rows = [[rng.choice(CELLS) for _ in columns] for _ in range(rng.randint(0, 4))]
        numbers = columns[rng.randint(0, len(columns)) :]
        monkeypatch.setattr(output, "plain_table", lambda *given: drawn.append(plain(*given)) or drawn[-1])
        ours = shown(columns, rows, numbers)
        monkeypatch.setattr(output, "plain_table", lambda *given: "")
        assert ours == shown(columns, rows, numbers), (columns, rows, numbers)
    assert 20 < sum(map(bool, drawn)) < 60


@pytest.mark.parametrize("text", ["日本", "e\u0301", "\U0001f600", "√"])
def test_letters_that_may_be_wide_are_left_to_it(text):
    assert output.plain_table(["a"], [[text]], [False]) == ""
