"""Reading records, options, lookups, the result object."""

import contextlib
import gc
import gzip
import io
import json
from pathlib import Path

import pytest

from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import ActionAnswer, Prediction, Task
from stepscope.core.domain.score import Score
from stepscope.core.errors import UsageError, UserError
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.options import allowed, default_options, parse_assignments, parse_options
from stepscope.core.scoring.records import Records, reading
from stepscope.core.scoring.registry import (
    PROTOCOLS,
    record_scorer,
    result_json,
    run_protocols,
    run_scorer,
    score_file,
    score_records,
    step_protocols,
    step_scorer,
)
from stepscope.core.scoring.rule import Options, ProtocolInfo, StepScorer

MOTIF = PROTOCOLS["motif"].info
MADE_UP = ProtocolInfo(
    "made-up", "", Task.AUTOMATION, "1", "", (Option("share", 0.5, "", "ours", low=0.0, high=1.0),), ()
)


def lines(data: bytes, **how: bool) -> list[int]:
    return list(Records.from_stream(io.BytesIO(data), **how).each(lambda line, _: line))


def test_blank_lines_count_and_are_skipped() -> None:
    assert lines(b'\n{"a": 1}\r\n  \n\n{"b": 2}') == [2, 5]
    assert lines(b"") == []
    assert lines('\ufeff{"a": "\u2028"}\n{}'.encode()) == [1, 2]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (b'{"a": NaN}', "NaN"),
        (b'{"a": -Infinity}', "Infinity"),
        (b"[1]", "not an object"),
        (b"3", "not an object"),
        (b'{"a": 1', "not JSON"),
        (b'{"a": 1} {"b": 2}', "not JSON"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "too many digits"),
        (b'{"a": 1e999}', "too large"),
        (b'{"a": "\x00"}', "not JSON"),
    ],
)
def test_a_bad_line_is_named(line: bytes, wrong: str) -> None:
    with pytest.raises(UserError, match=wrong) as caught:
        lines(b"{}\n\n" + line + b"\n")
    assert caught.value.record == "3"


def test_bad_lines_are_told_in_the_order_of_the_file() -> None:
    def read(line: int, form: object) -> int:
        if form == {"bad": 1}:
            raise UserError("bad.", record=line)
        return line

    data = b'{}\n{"bad": 1}\n{not JSON\n{}\n\n{"bad": 1}\n[]\n{}'
    with pytest.raises(UserError) as caught:
        list(Records.from_stream(io.BytesIO(data)).each(read))
    assert caught.value.record == "2"
    records = Records.from_stream(io.BytesIO(data), skip_bad=True)
    assert list(records.each(read)) == [1, 4, 8]
    assert [bad.line for bad in records.skipped] == [2, 3, 6, 7]


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (gzip.compress(b"{}\n", mtime=0), "gzip"),
        (b"PK\x03\x04", "zip"),
        (b"PAR1", "Parquet"),
        ("{}".encode("utf-16"), "UTF-16"),
    ],
)
def test_a_file_of_another_kind_is_called_what_it_is(start: bytes, kind: str) -> None:
    with pytest.raises(UserError, match=f"the file is .*{kind}.*, not JSON Lines"):
        lines(start)
    assert lines(start + b"\n{}", skip_bad=True)[-1:] == [start.count(b"\n") + 2]


def test_clusters_hold_whole_units() -> None:
    """Episodes a and b share an app; the third record says otherwise of a. Unscored records have no part in it."""
    scorer = record_scorer("aitw")
    action = {"type": 5, "text": ""}
    rows = [("a", "x", action), ("b", "x", action), ("c", "y", action), ("a", "y", None)]
    forms = [{"episode": e, "app": p, "step": 0, "reference": r, "prediction": action} for e, p, r in rows]
    records = Records.of(forms, cluster="app")
    result = score_records(scorer, records, default_options(scorer.info), bootstrap=20)
    assert result.metrics.n == 3 and len(result.metrics.intervals) == 3
    assert records.cluster_of is not None and records.cluster_of.tolist() == [0, 0, 1, 1]
    forms[3]["reference"] = action
    with pytest.raises(UserError, match="belongs to another cluster than an earlier one of the same episode") as caught:
        score_records(scorer, Records.of(forms, cluster="app"), default_options(scorer.info))
    assert caught.value.record == "4"


@pytest.mark.parametrize("value", [None, True, 1.5, ["x"]])
def test_a_cluster_is_text_or_a_whole_number(value: object) -> None:
    forms = [{"app": "x"}, {"app": 2}, {"app": value}, {}]
    with pytest.raises(UserError, match="app must be text") as caught:
        list(Records.of(forms, cluster="app").each(lambda line, _: line))
    assert caught.value.record == "3"
    skipping = Records.of(forms, cluster="app", skip_bad=True)
    assert list(skipping.each(lambda line, _: line)) == [1, 2]
    assert [bad.line for bad in skipping.skipped] == [3, 4]


def test_the_collector_is_on_again_whatever_happens() -> None:
    assert gc.isenabled(), "a test before this one has left it off"
    with contextlib.suppress(UserError):
        score_records(record_scorer("aitw"), Records.of([{}]), {})
    assert gc.isenabled()


def test_a_missing_file_is_a_user_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        reading(tmp_path / "none.jsonl", lambda stream: stream.read())
    with pytest.raises(UserError, match="directory"):
        reading(tmp_path, lambda stream: stream.read())


def test_options_have_defaults_and_are_checked() -> None:
    assert default_options(MOTIF) == {"partial": "position", "grounding": "object", "object_tolerance": 1}
    assert parse_options(MOTIF, {"object_tolerance": "0", "partial": "prefix"})["object_tolerance"] == 0
    assert parse_options(MADE_UP, {"share": "0.25"}) == {"share": 0.25}


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("grounding", "boxes", "object, point, box"),
        ("object_tolerance", "-1", "a whole number from 0"),
        ("object_tolerance", "1.5", "a whole number from 0"),
        ("partal", "prefix", "Did you mean partial?"),
    ],
)
def test_a_wrong_option_says_what_is_allowed(name: str, value: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_options(MOTIF, {name: value})
    assert said in caught.value.hint


@pytest.mark.parametrize("value", ["nan", "inf", "1.5", "-0.1", ""])
def test_numbers_stay_in_their_range(value: str) -> None:
    with pytest.raises(UsageError, match="share"):
        parse_options(MADE_UP, {"share": value})
    assert allowed(MADE_UP.options[0]) == "a number from 0 to 1"


def test_assignments() -> None:
    assert parse_assignments(["a=1", " b = x=y ", "a=2"]) == {"a": "2", "b": "x=y"}
    for wrong in ("a", "=1", ""):
        with pytest.raises(UsageError):
            parse_assignments([wrong])


def test_every_protocol_is_well_declared() -> None:
    for name, scorer in PROTOCOLS.items():
        info = scorer.info
        assert info.name == name and info.title and info.source and info.version
        assert all(option.help and option.default in (option.choices or (option.default,)) for option in info.options)
        assert record_scorer(name) is scorer
        assert (
            info.main in info.metrics and info.rules and {rule.mark for rule in info.rules} <= {"paper", "code", "ours"}
        )
        nothing = score_records(scorer, Records.of([]), default_options(info), bootstrap=10)
        assert nothing.metrics.as_dict() == dict.fromkeys(info.metrics)
        assert (nothing.metrics.n, nothing.metrics.intervals) == (0, ())
    assert step_scorer("aitw") is PROTOCOLS["aitw"]


def test_a_protocol_says_by_its_type_what_it_scores() -> None:
    steps = ("aitw", "aitz", "android_control", "gui_odyssey", "mind2web", "motif")
    items = (
        "affordance",
        "ask",
        "early_goal",
        "feasibility",
        "fields",
        "goal_text",
        "grounding",
        "ordering",
        "rollout",
    )
    assert set(step_protocols()) == set(steps) and set(run_protocols()) == {*steps, *items}
    assert {run_scorer(name).info.task for name in steps} == {Task.AUTOMATION}
    for name in set(PROTOCOLS) - {*steps, *items}:
        with pytest.raises(UsageError, match="records only, not runs"):
            run_scorer(name)
    for name in set(PROTOCOLS) - set(steps):
        with pytest.raises(UsageError, match="records only, not single steps"):
            step_scorer(name)


def test_an_item_of_a_step_protocol_is_a_step() -> None:
    screen = Size(100, 200)
    step = Step(0, Observation(screen), Tap(Point(10, 10, screen)))
    prediction = Prediction("e", 0, ActionAnswer(Tap(Point(11, 11, screen))))
    for name in step_protocols():
        scorer = step_scorer(name)
        options = default_options(scorer.info)
        assert scorer.score_item(step, prediction, options) == scorer.score_step(step, prediction, options)


def test_a_scorer_that_lacks_what_its_type_promises_cannot_be_made() -> None:
    class Halved(StepScorer):
        info = MADE_UP

        def score_step(self, step: Step, prediction: Prediction, options: Options) -> Score:
            return Score.scored(1)

    with pytest.raises(TypeError, match="abstract"):
        Halved()  # type: ignore[abstract]


def test_an_unknown_protocol_is_answered_with_the_nearest() -> None:
    for find in (record_scorer, step_scorer):
        with pytest.raises(UsageError) as caught:
            find("AITWW")
        assert "Did you mean aitw?" in caught.value.hint


def test_a_file_is_scored_and_its_errors_name_it(tmp_path: Path) -> None:
    good = {"id": 1, "reference": [{"action": "click", "object": 3}], "prediction": [{"action": "click", "object": 4}]}
    path = tmp_path / "motif.jsonl"
    path.write_text(f"\n{json.dumps(good)}\n", encoding="utf-8")
    scorer = record_scorer("motif")
    options = parse_options(scorer.info, {"object_tolerance": "0"})
    form = result_json(scorer.info, options, score_file(scorer, path, options))
    assert list(form) == ["protocol", "options", "n", "unscored", "malformed", "null", "errors", "metrics"]
    assert form["options"] == {"partial": "position", "grounding": "object", "object_tolerance": 0}
    assert (form["n"], form["metrics"]["action_complete"], form["metrics"]["ground_complete"]) == (1, 1.0, 0.0)
    drawn = result_json(scorer.info, options, score_file(scorer, path, options, bootstrap=10, seed=1))
    assert drawn["ci"]["both_partial"] == [0.0, 0.0]
    json.dumps(drawn, allow_nan=False)

    path.write_text(f"{json.dumps(good)}\n{json.dumps({**good, 'id': None})}\n", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        score_file(scorer, path, options)
    assert str(caught.value).startswith(f"{path}:2: id must be text")


def test_long_numbers_keep_their_digits_where_they_are_names(tmp_path: Path) -> None:
    """One more than a double tells apart: as answers of people they are unlike."""
    long = 10**22 + 1
    path = tmp_path / "fields.jsonl"
    form = {"task": 1, "instance": 1, "field": "f", "type": "text", "reference": [str(long)], "prediction": long}
    path.write_text(json.dumps(form) + "\n" + json.dumps({**form, "prediction": long + 1}) + "\n", encoding="utf-8")
    scorer = record_scorer("fields")
    result = score_file(scorer, path, default_options(scorer.info))
    assert [row["score"] for row in result.details] == [1.0, 0.0]


def test_a_record_without_the_field_to_draw_by_is_told_so() -> None:
    scorer = record_scorer("motif")
    form = {"id": 1, "reference": [], "prediction": None}
    with pytest.raises(UserError, match="app is missing, and the records are to be drawn by it") as caught:
        score_records(scorer, Records.of([{**form, "app": "a"}, form], cluster="app"), default_options(scorer.info))
    assert caught.value.record == "2"


def test_a_rule_with_a_short_name_is_told_from_a_protocol() -> None:
    with pytest.raises(UsageError, match="radius14 is a rule of android_control") as caught:
        record_scorer("radius14")
    assert "--set rule=radius14" in caught.value.hint
