"""Reading `aitw` records by columns gives what reading them field by field gives: values, refusals, lines."""

from __future__ import annotations

import gc
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.errors import UserError
from stepscope.core.scoring import aitw_records, records
from stepscope.core.scoring.aitw_records import AitwRecords, read_sheet
from stepscope.core.scoring.records import BadRecord, Records

Form = dict[str, Any]

# --- records, most of them good --------------------------------------------------------------------------------------

anything = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(st.characters(), max_size=3)
    | st.sampled_from([4, 10**20, -(10**30), 2**31, -(2**31) - 1, 2**63, 2**64, 10**400, "4", "nan", 4.0, True, ""]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["type", "text", "a"]), inner),
    max_leaves=6,
)  # fmt: skip
number = st.floats(0, 1) | st.integers(-2, 2) | st.just(10**25)
place = st.lists(number, min_size=2, max_size=2)
box = st.lists(number, min_size=4, max_size=4)
word = st.sampled_from(["", "a", "\u00e4\u2028", "\ud800", "\x00", "NaN"])
gesture = st.fixed_dictionaries(
    {"type": st.just(4), "touch": place, "lift": place}, optional={"text": st.none() | word, "more": anything}
)
other = st.fixed_dictionaries(
    {"type": st.sampled_from([3, 5, -7, 2**31 - 1]), "text": word},
    optional={"touch": st.none() | place, "lift": st.none() | place},
)
good = st.fixed_dictionaries(
    {
        "episode": st.sampled_from(["1", 1, "", "\u00e4", "\ud800", 0, 10**25, 2**64 - 1]),
        "step": st.integers(-3, 3),
        "reference": st.none() | gesture | other,
        "prediction": st.none() | gesture | other,
    },
    optional={"boxes": st.none() | st.lists(box, max_size=3), "note": anything},
)


def without(form: Form, path: tuple[str, ...]) -> Form:
    """A copy with one field less; the form itself where there is no such field."""
    key, *rest = path
    if not isinstance(form, dict) or key not in form:
        return form
    if rest:
        return {**form, key: without(form[key], tuple(rest))}
    return {name: value for name, value in form.items() if name != key}


def changed(form: Form, path: tuple[str, ...], value: Any) -> Form:
    key, *rest = path
    if rest and isinstance(form.get(key), dict):
        return {**form, key: changed(form[key], tuple(rest), value)}
    return form if rest else {**form, key: value}


SIDES = ("reference", "prediction")
PATHS = [(name,) for name in ("episode", "step", *SIDES, "boxes")]
PATHS += [(side, name) for side in SIDES for name in ("type", "touch", "lift", "text")]
odd = st.builds(without, good, st.sampled_from(PATHS)) | st.builds(changed, good, st.sampled_from(PATHS), anything)
nearly_all_good = st.lists(st.sampled_from([good] * 9 + [odd]).flatmap(lambda which: which), max_size=8)


# --- the two ways ----------------------------------------------------------------------------------------------------


@contextmanager
def field_by_field() -> Iterator[None]:
    """Nothing is read by columns, and no block of lines at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(aitw_records, "_quick", lambda *_: None)
        patch.setattr(aitw_records, "_typed", lambda *_: None)
        patch.setattr(records, "_quick", lambda *_: None)
        yield


Outcome = tuple[list[Any], list[BadRecord]] | tuple[str, str]


def outcome(given: Records) -> Outcome:
    """What was read, as plain values, and what was skipped; or the refusal and its line."""
    try:
        sheet = read_sheet(given)
    except UserError as error:
        return error.message, error.record
    return [*values(sheet), sheet.lines.tolist()], given.skipped


def values(sheet: AitwRecords) -> list[Any]:
    columns = sheet.columns
    return [
        columns.reference.types.tolist(), columns.reference.places.tolist(),
        columns.prediction.types.tolist(), columns.prediction.places.tolist(),
        columns.same_text.tolist(), columns.boxes.tolist(), columns.first.tolist(),
        sheet.scored.tolist(), sheet.answered.tolist(), sheet.group.tolist(),
        [(type(name), name) for name in sheet.names], sheet.steps.tolist(),
    ]  # fmt: skip


@settings(max_examples=settings().max_examples * 2)
@given(nearly_all_good, st.booleans())
def test_records_from_memory(forms: list[Form], skip_bad: bool) -> None:
    quick = outcome(Records.of(forms, skip_bad=skip_bad))
    with field_by_field():
        assert quick == outcome(Records.of(forms, skip_bad=skip_bad))


def test_most_batches_of_good_records_are_read_by_columns() -> None:
    """Else the comparison above would compare the slow way with itself."""
    taps = {"type": 4, "touch": [0, 0.5], "lift": [1, 1e-3]}
    forms = [
        {"episode": "a", "step": 0, "reference": taps, "prediction": {"type": 3, "text": "x"}, "boxes": [[0, 0, 1, 1]]},
        {"episode": 1, "step": 1, "reference": None, "prediction": {**taps, "text": None}},
        {"episode": "1", "step": 2, "reference": {"type": 5, "text": "", "touch": None}, "prediction": None},
    ]
    part = aitw_records._quick(range(1, 4), forms)
    assert part is not None
    assert (part.scored.tolist(), part.answered.tolist()) == ([True, False, True], [True, True, False])
    assert part.types[0].tolist() == [4, -1, 5]
    assert part.counts.tolist() == [1, 0, 0]


# --- bytes -----------------------------------------------------------------------------------------------------------


def line_of(form: Form, ascii_only: bool) -> bytes:
    return json.dumps(form, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")


faulty = st.sampled_from(
    [
        b"{", b"[]", b"null", b"\x00", b"\xff\xfe", b'{"a": "\xc3\x28"}', b'{"a": NaN}', b'{"a": 1e999}',
        b"\x1f\x8b\x08",
        b'{"a": ' + b"[" * 1000 + b"]" * 1000 + b"}", b'{"a": ' + b"9" * 5000 + b"}", b'{"episode": "' + b"x" * 70_000,
        b'{"a": "\x00"}', b'{"a": 1}{"b": 2}', "\ufeff{}".encode(),
    ]
)  # fmt: skip
lines = st.lists(
    st.one_of(
        st.builds(line_of, good, st.just(True)),
        st.builds(line_of, good, st.booleans()),
        st.builds(line_of, good.map(lambda form: {**form, "note": "x" * 70_000}), st.just(True)),
        st.builds(line_of, odd, st.booleans()),
        st.sampled_from([b"", b" \t", b"\r"]),
        faulty,
    ),
    max_size=8,
)
ends = st.sampled_from([b"\n", b"\r\n", b" \n"])


def file_of(content: list[bytes], end: bytes, mark: bool, cut: int) -> bytes:
    """The lines, with a byte order mark or without, the last `cut` bytes missing."""
    data = (b"\xef\xbb\xbf" if mark else b"") + b"".join(line + end for line in content)
    return data[: len(data) - cut] if cut else data


@given(lines, ends, st.booleans(), st.integers(0, 5), st.booleans())
def test_records_from_bytes(content: list[bytes], end: bytes, mark: bool, cut: int, skip_bad: bool) -> None:
    data = file_of(content, end, mark, cut)
    quick = outcome(Records.from_stream(io.BytesIO(data), skip_bad=skip_bad))
    with field_by_field():
        assert quick == outcome(Records.from_stream(io.BytesIO(data), skip_bad=skip_bad))


@given(lines, ends, st.integers(0, 5), st.booleans())
def test_records_of_many_blocks(content: list[bytes], end: bytes, cut: int, skip_bad: bool) -> None:
    """Every line is a block of its own, so that all but the first are decoded into typed values."""
    data = file_of([line_of(TYPICAL, True), *content], end, False, cut)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records, "_BLOCK", 1)
        typed = outcome(Records.from_stream(io.BytesIO(data), skip_bad=skip_bad))
        with field_by_field():
            assert typed == outcome(Records.from_stream(io.BytesIO(data), skip_bad=skip_bad))


TYPICAL = {"episode": "a", "step": 0, "reference": {"type": 5, "text": ""}, "prediction": None}


def typed_and_strict(data: bytes) -> tuple[Any, Any]:
    """What the typed decoder makes of a block, None for nothing; and what the field checks make of it."""
    part = aitw_records._typed(data, 1)
    with field_by_field():
        strict = outcome(Records.from_stream(io.BytesIO(data)))
    return None if part is None else outcome_of_part(part), strict


def outcome_of_part(part: Any) -> Outcome:
    names = dict.fromkeys(part.episodes)
    group = np.array([list(names).index(name) for name in part.episodes])
    sheet = aitw_records._sheet([part], tuple(names), [group], [np.array(part.lines)])
    return [*values(sheet), sheet.lines.tolist()], []


@settings(max_examples=settings().max_examples * 2)
@given(lines.filter(bool), ends)
def test_what_is_decoded_typed_is_what_the_checks_accept(content: list[bytes], end: bytes) -> None:
    typed, strict = typed_and_strict(b"".join(line + end for line in content))
    assert typed is None or typed == strict


def test_ordinary_lines_are_decoded_typed() -> None:
    """Else the comparisons above would compare the field checks with themselves."""
    tap = {"type": 4, "touch": [0, 0.1234567890123456789], "lift": [1e-5, -0.0], "text": None}
    forms = [
        {**TYPICAL, "episode": 1, "reference": tap, "boxes": [[0, 0, 1, 1], [1, 2, 3, 4]]},
        {**TYPICAL, "prediction": {"type": 3, "text": "\u00e4\U0001f600", "touch": None}, "boxes": None},
        {**TYPICAL, "episode": "1", "reference": None, "prediction": tap},
    ]
    for ascii_only in (True, False):
        typed, strict = typed_and_strict(b"".join(line_of(form, ascii_only) + b"\n" for form in forms))
        assert typed == strict
    assert typed[0][1] == [[0, 0, 0], [0.12345678901234568, 0, 0], [1e-5, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    "data",
    [
        b"{a}{a}\n\n", b"\n{a}\n", b"{a}\n\n{a}\n", b"{a}\r\n{a}\r\n", b"{a} {a}\n\n", b"{a}\n{a}{a}\n\n",
        b" {a}\n{a}\n",
        b"{a}{a}\n \n{a}\n{a", b"\xef\xbb\xbf{a}\n", b"{a}\n{}\n", b"{a}\nnull\n", b"{a}\n{a},\n", b"[{a}\n,{a}]\n",
    ],
)  # fmt: skip
def test_lines_are_counted_before_typed_values_are_taken(data: bytes) -> None:
    typed, strict = typed_and_strict(data.replace(b"{a}", line_of(TYPICAL, True)))
    assert typed is None or typed == strict


@given(
    st.lists(st.from_regex(r"-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][-+]?[0-9]{1,3})?", fullmatch=True), min_size=1)
)
def test_numbers_are_rounded_as_by_the_standard_library(numbers: list[str]) -> None:
    boxes = ", ".join(f"[{number}, 0, 0, 1]" for number in numbers)
    line = json.dumps(TYPICAL)[:-1] + f', "boxes": [{boxes}]' + "}\n"
    part = aitw_records._typed(line.encode(), 1)
    expected = [float(json.loads(number)) for number in numbers]
    if part is None:
        assert not np.isfinite(expected).all()
    else:
        assert part.boxes[::4].tolist() == expected


def is_good(line: bytes) -> bool:
    """By the standard library and the field checks alone."""
    try:
        form = json.loads(line.decode(), parse_constant=lambda name: float(f"no {name}"))
        aitw_records.read_record(1, form)
    except (ValueError, RecursionError, UserError, AttributeError, TypeError):
        return False
    return isinstance(form, dict) and "1e999" not in line.decode()


@settings(max_examples=settings().max_examples // 2)
@given(lines)
def test_skipping_gives_the_file_without_its_bad_lines(content: list[bytes]) -> None:
    kept = [line for line in content if line.strip() and is_good(line)]
    bad = [place for place, line in enumerate(content, 1) if line.strip() and not is_good(line)]
    given = Records.from_stream(io.BytesIO(b"\n".join(content)), skip_bad=True)
    sheet = read_sheet(given)
    assert values(sheet) == values(read_sheet(Records.from_stream(io.BytesIO(b"\n".join(kept)))))
    assert [one.line for one in given.skipped] == bad
    assert sheet.lines.tolist() == [
        place for place, line in enumerate(content, 1) if line.strip() and place not in set(bad)
    ]
    if bad:
        with pytest.raises(UserError) as caught:
            read_sheet(Records.from_stream(io.BytesIO(b"\n".join(content))))
        assert (caught.value.record, caught.value.message) == (str(bad[0]), given.skipped[0].message)


def test_a_file_of_many_blocks_with_one_bad_line_far_down() -> None:
    """Line numbers go on over blocks, batches and blank lines; one odd line slows its own block only."""
    line = line_of(
        {"episode": "a", "step": 0, "reference": {"type": 5, "text": ""}, "prediction": {"type": 5, "text": ""}}, True
    )
    content = [line] * 5000
    content[3000] = b""
    content[4001] = line.replace(b'"a"', b"null")
    content[4500] = b'{"episode": "\\ud800"'
    given = Records.from_stream(io.BytesIO(b"\n".join(content)), skip_bad=True)
    sheet = read_sheet(given)
    assert [bad.line for bad in given.skipped] == [4002, 4501]
    assert len(sheet.lines) == 5000 - 3
    assert sheet.lines[-1] == 5000 and sheet.names == ("a",)
    assert np.array_equal(sheet.columns.first, np.zeros(4998))


def test_skipping_leaves_no_cycles_for_the_collector() -> None:
    """It rests while records are judged."""
    data = b'{"episode": null}\n{"episode"\n' * 2000
    gc.collect()
    gc.disable()
    try:
        read_sheet(Records.from_stream(io.BytesIO(data), skip_bad=True))
        assert gc.collect() < 1000
    finally:
        gc.enable()
