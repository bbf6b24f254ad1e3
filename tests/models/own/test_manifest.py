"""Manifests: read back as they were written; what is wrong names the file and the field."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UserError
from stepscope.models.own.manifest import MANIFEST, ScreenInput, parse, read_manifest
from stepscope.models.own.toml_text import toml_text
from tests.models.own.forms import form_of, screen, text


def test_a_manifest_is_read_as_it_was_written(tmp_path: Path):
    form = form_of(
        inputs=[screen(mean=[0.5, 0.25, 0.125], colours="bgr"), text(pair="screen", padding="fixed", pad=3)],
        outputs=[{"name": "l", "means": "infeasible", "reading": "logits", "labels": ["ja", "nein \"x\" \\ \t"],
                  "positive": "ja"}],
        answer={"threshold": 0.25},
        licence="CC BY 4.0",
    )  # fmt: skip
    (tmp_path / MANIFEST).write_text(toml_text(form), encoding="utf-8")
    assert tomllib.loads(toml_text(form)) == form
    found = read_manifest(tmp_path / MANIFEST)
    assert found == parse(form, "x")
    assert (found.task, found.threshold, found.licence) == (Task.FEASIBILITY, 0.25, "CC BY 4.0")
    assert found.screen == ScreenInput(
        "image", 8, 8, colours="bgr", scale=1 / 255, mean=(0.5, 0.25, 0.125), std=(1.0, 1.0, 1.0)
    )
    assert found.outputs[0].labels == ("ja", 'nein "x" \\ \t')


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": 2}, "format is 2, and this version reads 1"),
        ({"task": "webtask"}, "task is 'webtask', and must be one of: feasibility, ask, automation, ordering"),
        ({"name": "../x"}, "name '../x' is none that a model can have"),
        ({"sha256": "abc"}, "sha256 is no SHA-256"),
        ({"licens": "MIT"}, "licens is no field here. Did you mean licence?"),
        ({"inputs": []}, "inputs are missing"),
        ({"inputs": [screen(), screen()]}, "inputs have one name twice"),
        ({"inputs": [screen(width=0)]}, "inputs.image.width must be a whole number from 1 to 4,096"),
        ({"inputs": [screen(width=True)]}, "inputs.image.width must be a whole number"),
        ({"inputs": [screen(std=[1, 0, 1])]}, "inputs.image.std has a zero"),
        ({"inputs": [screen(mean=[1, 2])]}, "inputs.image.mean must be three numbers"),
        ({"inputs": [screen(scale=float("nan"))]}, "inputs.image.scale must be a number"),
        ({"inputs": [screen(dtype="uint8")]}, "inputs.image.scale must be 1"),
        ({"inputs": [screen(fit="crop", side=4)]}, "inputs.image.side must be at least width and height"),
        ({"inputs": [text(text="instruction")]}, "take the text 'instruction', which feasibility has not"),
        ({"inputs": [text(length=10**9)]}, "inputs.ids.length must be a whole number"),
        ({"inputs": "image"}, "inputs must be at most 32 tables"),
        ({"outputs": [{"name": "p", "means": "point", "reading": "unit"}]}, "outputs.p.means is 'point'"),
        ({"outputs": [{"name": "p", "means": "infeasible", "reading": "logits"}]}, "outputs.p.labels must name"),
        (
            {"outputs": [{"name": "p", "means": "infeasible", "reading": "logits", "labels": ["a", "b"]}]},
            "outputs.p.positive must be the one of the labels that means infeasible",
        ),
        ({"answer": {"threshold": 2}}, "answer.threshold must be a number from 0 to 1"),
        ({"answer": {"treshold": 0.5}}, "answer.treshold is no field here"),
        ({"task": "ask", "outputs": [{"name": "p", "means": "due", "reading": "logit"}]}, "answer.question is missing"),
        (
            {"task": "automation", "outputs": [{"name": "k", "means": "kind", "reading": "logits", "labels": ["fly"]}]},
            "outputs.k.labels have 'fly', which is no kind of action",
        ),
        (
            {"task": "automation", "outputs": [{"name": "s", "means": "element", "reading": "scores"}]},
            "lack the boxes of the elements",
        ),
        (
            {"task": "ordering", "inputs": [text(text="step")],
             "outputs": [{"name": "b", "means": "before", "reading": "logit"}]},
            "lack the text of other step",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_names_the_file_and_the_field(changes: dict[str, Any], words: str):
    with pytest.raises(UserError) as raised:
        parse(form_of(**changes), "folder/stepscope-model.toml")
    assert str(raised.value).startswith("folder/stepscope-model.toml: ")
    assert words in str(raised.value)


@pytest.mark.parametrize("missing", ["format", "task", "file", "runtime"])
def test_what_is_missing_is_named(missing: str):
    form = form_of()
    del form[missing]
    if missing == "format":  # one without a number is of the first version
        assert parse(form, "x").name == "mine"
        return
    with pytest.raises(UserError, match=f"{missing} is"):
        parse(form, "x")


@pytest.mark.parametrize("data", [b"\xff\xfe", b"a = [" * 5000, b"format = 1\nformat = 2", b"x" * 40_000_000])
def test_a_damaged_file_is_one_clear_error(tmp_path: Path, data: bytes):
    (tmp_path / MANIFEST).write_bytes(data)
    with pytest.raises(UserError, match=MANIFEST):
        read_manifest(tmp_path / MANIFEST)


def test_no_file(tmp_path: Path):
    with pytest.raises(UserError, match="there is no manifest here"):
        read_manifest(tmp_path / MANIFEST)
    (tmp_path / MANIFEST).mkdir()
    with pytest.raises(UserError, match="cannot be read"):
        read_manifest(tmp_path / MANIFEST)


_PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
_VALUES = st.recursive(
    _PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
_FIELDS = st.sampled_from(
    ["format", "name", "task", "file", "sha256", "runtime", "inputs", "outputs", "answer", "compute", "licence"]
)


@given(st.dictionaries(_FIELDS, _VALUES, max_size=3))
def test_whatever_stands_in_a_field_is_a_manifest_or_one_error(changes: dict[str, Any]):
    try:
        parse(form_of(**changes), "m.toml")
    except UserError as error:
        assert error.place == "m.toml"


_INPUT = st.sampled_from(
    ["width", "height", "fit", "colours", "layout", "dtype", "scale", "mean", "std", "side", "holds"]
)


@given(st.dictionaries(_INPUT, _VALUES, max_size=3))
def test_whatever_stands_in_an_input_is_one_or_one_error(changes: dict[str, Any]):
    try:
        parse(form_of(inputs=[screen(**changes)]), "m.toml")
    except UserError as error:
        assert error.place == "m.toml"


_WRITTEN = st.booleans() | st.integers(-(2**62), 2**62) | st.floats(allow_nan=False) | st.text(max_size=30)


@given(
    st.dictionaries(st.from_regex(r"[a-z]{1,8}", fullmatch=True), _WRITTEN | st.lists(_WRITTEN, max_size=4), max_size=5)
)
def test_what_is_written_is_toml_that_reads_back_the_same(form: dict[str, Any]):
    expected = {name: _whole(value) for name, value in form.items()}
    assert tomllib.loads(toml_text(form)) == expected


def _whole(value: Any) -> Any:
    """Halves of surrogate pairs cannot stand in a file."""
    if isinstance(value, list):
        return [_whole(one) for one in value]
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
