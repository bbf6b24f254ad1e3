"""What is wrong with a page of one's own and its table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from stepscope.app.services.webtask.preview import page_problems
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.webtask import FieldType
from stepscope.core.sources.turkingbench import open_turkingbench
from stepscope.core.webtask.page import PageField, PageLook

NewTask = Callable[..., Path]
SIZE = Size(800, 600)


def problems(folder: Path, **more: object) -> dict[str, tuple[str, ...]]:
    source = open_turkingbench(folder)
    task, instance = source.read_task(folder.name), source.read_instance(f"{folder.name}/0")
    return {one.kind: one.names for one in page_problems(task, instance.inputs, **more)}  # type: ignore[arg-type]


def test_a_sound_page_has_no_problem(tasks: Path) -> None:
    assert problems(tasks / "Rate 1") == {"unused": ("unused",)}
    assert problems(tasks / "Plain", answered=False) == {}


PAGE = """<p>${goal} ${gone}</p><script>var a = `${local}`;</script><!-- <input name="comment"> -->
<input name="q"><textarea name="q"></textarea><input name="w"><input><select><option>1</select>
<input type="radio" name="r" value="1"><input type="radio" name="r" value="2"><button type="button">no</button>"""


def test_everything_that_is_wrong_is_told(tmp_path: Path, new_task: NewTask) -> None:
    header = ["goal", "extra", "Answer.q", "Answer.made"]
    folder = new_task(tmp_path / "t", header, [["a", "b", "c", "d"]], PAGE)
    assert problems(folder) == {
        "columns": ("gone",),
        "unused": ("extra",),
        "missing": ("made",),
        "unanswered": ("w", "r"),
        "doubled": ("q",),
        "unnamed": (),
        "submit": (),
    }
    source = open_turkingbench(folder)
    words = [one.words for one in page_problems(source.read_task("t"), source.read_instance("t/0").inputs)]
    assert words[0] == "The table has no column for ${gone}."
    assert (
        words[2] == "The page has no field for the answers to made. It may be made by a script: open the page to see."
    )
    assert words[-2] == "2 fields have no name: what is filled in there is lost."


def test_the_open_page_knows_what_scripts_made(tmp_path: Path, new_task: NewTask) -> None:
    folder = new_task(tmp_path / "t", ["goal", "Answer.q", "Answer.made"], [["a", "c", "d"]], PAGE)
    box = Box(0, 0, 10, 10, SIZE)
    fields = (
        PageField("q", FieldType.TEXT, "", box=box),
        PageField("made", FieldType.TEXT, "", box=box),
        PageField("new", FieldType.TEXT, "", box=box),
        PageField("hidden", FieldType.HIDDEN, ""),
    )
    found = problems(folder, look=PageLook(fields, SIZE, SIZE, Point(0, 0, SIZE)))
    assert "missing" not in found and found["unanswered"] == ("new",)
    found = problems(folder, look=PageLook(fields[:1], SIZE, SIZE, Point(0, 0, SIZE)))
    assert found["missing"] == ("made",) and "unanswered" not in found


@pytest.mark.parametrize(
    ("button", "has"),
    [
        ('<input type="SUBMIT">', True),
        ("<button>Send</button>", True),
        ("<crowd-form></crowd-form>", True),
        ('<crowd-button form-action="submit">x</crowd-button>', True),
        ('<button type="reset">x</button>', False),
        ("<!-- <button>x</button> -->", False),
        ("<crowd-button>x</crowd-button>", False),
    ],
)
def test_what_submits_a_page(tmp_path: Path, new_task: NewTask, button: str, has: bool) -> None:
    folder = new_task(tmp_path / "t", ["goal", "Answer.q"], [["a", "b"]], f"${{goal}}<input name=q>{button}")
    assert ("submit" not in problems(folder)) == has
