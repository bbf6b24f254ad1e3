"""Adapters as files: the program's, a person's own, and broken ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from stepscope.core.domain.action import Tap
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.errors import UsageError, UserError
from stepscope.models.agents.adapter import adapter_named, adapters, own_folder, read_adapter, read_answer

OWN = """\
title = "Mine"
version = "3"
space = "nine99"
platform = ["web"]
source = "ours"
forms = ["points"]
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    own_folder().mkdir(parents=True)
    return own_folder()


def test_a_person_adds_one(own: Path) -> None:
    (own / "mine.toml").write_text(OWN)
    found, problems = adapters()
    assert not problems and found["mine"].title == "Mine"
    screen = Size(1998, 999)
    assert read_answer(adapter_named("mine"), "[999, 0]", screen).actions == (Tap(Point(1998, 0, screen)),)


def test_a_persons_own_takes_the_place_of_the_programs(own: Path) -> None:
    (own / "uground.toml").write_text(OWN)
    assert adapters()[0]["uground"].title == adapter_named("uground").title == "Mine"


def test_a_file_elsewhere_is_named_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "elsewhere.toml"
    file.write_text(OWN)
    assert adapter_named(str(file)).name == "elsewhere"


def test_a_broken_one_is_told_and_the_rest_is_there(own: Path) -> None:
    (own / "broken.toml").write_text(OWN.replace("nine99", "inches"))
    found, problems = adapters()
    assert len(found) == 25 and "broken.toml: is no adapter: space is" in str(problems[0])
    with pytest.raises(UserError, match="'inches', not one of unit, thousand, nine99, resized, original"):
        adapter_named("broken")


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('title = "Mine"\n', "", "missing 1 required positional argument: 'title'"),
        ('title = "Mine"\n', "title = 5\n", "title of Adapter is 5"),
        ('forms = ["points"]', "forms = []", "forms is empty"),
        ('forms = ["points"]', 'forms = ["dots"]', "forms of Adapter is ['dots']"),
        ('forms = ["points"]', 'forms = ["points"]\nnewline_submits = 1', "newline_submits of Adapter is 1"),
        ('forms = ["points"]', 'forms = ["points"]\nactions = 1', "actions of Adapter is 1"),
        ('forms = ["points"]', 'forms = ["points"]\ncolour = 1', "Adapter has no 'colour'"),
        ('forms = ["points"]', 'forms = ["points"]\nresize = 1', "resize is no table"),
        ('forms = ["points"]', 'forms = ["points"]\n[writes]\nclick = "x"', "writes has 'click', which is no action"),
        ('forms = ["points"]', 'forms = ["points"]\n[writes]\ntap = 1', "writes of Adapter is {'tap': 1}"),
        ('forms = ["points"]', 'forms = ["points"]\nscreens = -1', "decimals or screens is below 0"),
        ('forms = ["points"]', 'forms = ["points"]\nprompt = 1', "PromptTemplate is 1, not an object"),
        ('forms = ["points"]', 'forms = ["points"]\n[prompt]\nuser = "{goal}"', "argument: 'version'"),
        ('forms = ["points"]', 'forms = ["points"]\n[prompt]\nversion = "1"\nuser = "Do"', "neither {goal} nor"),
        ('forms = ["points"]', 'forms = ["points"]\n[resize]\nrule = "x"', "rule is 'x', not one of none, factor"),
        ('forms = ["points"]', 'forms = ["points"]\n[resize]\nrule = "none"\nmost = 0', "of resize is below 1"),
        ('forms = ["points"]', 'forms = ["points"]\n[resize]\nrule = "none"\nsize = 1', "ResizeRule has no 'size'"),
    ],
)
def test_what_is_wrong_is_told_by_its_field(tmp_path: Path, before: str, after: str, told: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(OWN.replace(before, after))
    with pytest.raises(UserError) as caught:
        read_adapter(file)
    assert "bad.toml: is no adapter: " in str(caught.value) and told in str(caught.value)


def test_what_is_no_toml_or_no_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    with pytest.raises(UserError, match="cannot be read"):
        adapter_named(str(file))
    file.write_text("title = ")
    with pytest.raises(UserError, match="is no adapter: "):
        adapter_named(str(file))


def test_another_name_is_told_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="no adapter 'qwen25-vl'") as caught:
        adapter_named("qwen25-vl")
    assert "qwen2.5-vl" in str(caught.value)
