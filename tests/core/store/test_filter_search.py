"""Which episodes and steps a filter finds, read off four episodes, two runs, an ordering run and what people said.

p1  com.spotify.music  0 tap "Settings", 1 type "12345 Main" into "ZIP code" (field_zip), 2 press back, 3 last screen
    A right wrong right -, B right right wrong -; an ask is due at 1
p2  com.android.chrome, infeasible  0 tap "Öffnen", 2 tap "Search" (step 1 could not be read)
    A wrong right, B malformed unscored
p3  com.android.settings  0 open Clock, 1 swipe, 2 type "hello"; in no run
p4  com.reddit, of which only the outline was read: 2 taps and 1 scroll; A right at 0 (a tap)
"""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.domain.episode import (
    EpisodeSummary,
    Feasibility,
    FeasibilityLabel,
    InfeasibilityReason,
    Platform,
    Problem,
)
from stepscope.core.domain.filter import FilterError
from stepscope.core.domain.filter_parser import parse
from stepscope.core.domain.prediction import OrderAnswer, Prediction, Task
from stepscope.core.domain.run import ItemKey, Outcome
from stepscope.core.domain.score import Score
from stepscope.core.domain.step_summary import StepSummary
from stepscope.core.store.column_cache import shared_column_cache
from stepscope.core.store.filter_search import FilterInputs, Sort, find
from stepscope.core.store.repositories import annotations, outcomes, runs, sources
from stepscope.core.store.suggestions import suggestions
from stepscope.core.store.worker import WorkerClaim

SOURCE = "data/finding"

P1 = (
    StepSummary(0, "tap", target="Settings", texts=("Open the settings", "Settings", "Sign in")),
    StepSummary(
        1, "type", typed="12345 Main", target="ZIP code", name="field zip", texts=("ZIP code", "Back"), ask=True
    ),
    StepSummary(2, "press_key", key="back", texts=("Sign in", "Back")),
    StepSummary(3, texts=("Done",)),
)
P2 = (
    StepSummary(0, "tap", target="Öffnen", texts=("Öffnen", "Straße 5")),
    StepSummary(2, "tap", target="Search", name="sign in button", texts=("Search", "Settings and more")),
)
P3 = (
    StepSummary(0, "open_app", target="Clock", texts=("Home",)),
    StepSummary(1, "swipe"),
    StepSummary(2, "type", typed="hello", texts=("settings",)),
)
INFEASIBLE = Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.PREMATURE)


def summary(name, app, details, counts, **more):
    steps = len(details) if details is not None else 3
    return EpisodeSummary(
        name, f"Goal of {name}", app, Platform.ANDROID, steps, steps, counts, details=details,
        **({"checked": details is not None} | more),
    )  # fmt: skip


EPISODES = (
    summary("p1", "com.spotify.music", P1, (("tap", 1), ("type", 1), ("press_key", 1)), asks=1, splits=("a/train",)),
    summary("p2", "com.android.chrome", P2, (("tap", 2),), feasibility=INFEASIBLE, splits=("a/test", "b/train")),
    summary("p3", "com.android.settings", P3, (("open_app", 1), ("swipe", 1), ("type", 1)), asks=2),
    summary("p4", "com.reddit", None, (("tap", 2), ("scroll", 1))),
)


def order(episode, tau):
    parts = {} if tau is None else {"kendall_tau": tau}
    score = Score.unscored("no order") if tau is None else Score.scored(0.5, "so far", **parts)
    return Outcome(ItemKey(episode, -1), Prediction(episode, None, OrderAnswer(("1", "0"))), score, "")


@pytest.fixture(scope="module")
def found_in(stocked, outcome_of, store, run_spec):
    """Asks the store for what a filter finds: ids, then `id:step,step` for the steps that it means."""
    make, database = outcome_of, stocked.database
    with database.unit_of_work() as db:
        source = sources.replace_index(db, SOURCE, "motif", "f", EPISODES).id
    a = store(
        database, make("p1", 0, 1, confidence=0.9), make("p1", 1, 0, confidence=0.3, latency=3000),
        make("p1", 2, 1, confidence=0.5), make("p2", 0, 0), make("p2", 2, 1, confidence=0.2), make("p4", 0, 1),
        make("gone", 0, 0),
    )  # fmt: skip
    b = store(
        database, make("p1", 0, 1), make("p1", 1, 1), make("p1", 2, 0), make("p2", 0, 0, malformed=True),
        make("p2", 2, None),
    )  # fmt: skip
    with database.unit_of_work() as db:
        spec = replace(run_spec, task=Task.ORDERING, protocol="ordering", source=SOURCE)
        c = runs.add(db, spec, [], WorkerClaim.here(), total=3)
        own = outcomes.scoring(db, c, "ordering", "1", (), own=True)
        outcomes.add_many(db, c, own, [order("p1", 1.0), order("p2", -0.5), order("p3", None)])
        said = [("p1", None, AnnotationKind.STAR, ""), ("p1", 2, AnnotationKind.NOTE, "should scroll"),
                ("p2", 0, AnnotationKind.DEFECT, "wrong picture"), ("p2", 2, AnnotationKind.CHECKED, ""),
                ("p4", 1, AnnotationKind.STAR, ""), ("gone", 0, AnnotationKind.STAR, "")]  # fmt: skip
        at = datetime(2024, 5, 1, tzinfo=UTC)
        annotations.replace(db, (), [Annotation(SOURCE, *place, "ann", at) for place in said])
    ids = {"A": a, "B": b, "C": c}

    def ask(text, **more):
        with database.reading() as db:
            sort = more.pop("sort", Sort())
            return find(db, source, parse(text), sort, FilterInputs(**({"runs": ids} | more)))

    ask.database, ask.source, ask.runs = database, source, ids
    return ask


def told(found):
    return " ".join(f"{name}:{','.join(map(str, found.steps_of(name)))}".rstrip(":") for name in found.ids)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # words of steps
        ('text:"sign in"', "p1:0,2"),
        ("text:SETTINGS", "p1:0 p2:2 p3:2"),
        ("text=settings", "p1:0 p3:2"),
        ("text:straße", "p2:0"),
        ("text:STRASSE", "p2:0"),
        ("text:/^s/", "p1:0,2 p2:0,2 p3:2"),
        ('text:done,"öffnen"', "p1:3 p2:0"),
        ("text:nowhere", ""),
        ("-text:settings", "p1:1,2,3 p2:0 p3:0,1"),
        ('text:"sign in" text:back', "p1:2"),
        ('text:"sign in" -text:back', "p1:0"),
        ('text:"zip code" | text:done', "p1:1,3"),
        ("all(text:/./)", "p1 p2"),
        ("none(text:settings)", "p4"),
        # what was done
        ("target:zip", "p1:1"),
        ('target="field zip"', "p1:1"),
        ("target:zip,search", "p1:1 p2:2"),
        ('target:"sign in"', "p2:2"),
        ("target:clock", "p3:0"),
        ("-target:zip action:type", "p3:2"),
        ("typed:main", "p1:1"),
        (r"typed:/\d{5}/", "p1:1"),
        (r'typed:/\d{5}/ target:"zip"', "p1:1"),
        ("typed=hello", "p3:2"),
        ("-typed:hello app:settings", "p3:0,1"),
        ("key:back", "p1:2"),
        ("key:bac", ""),
        ("key:back,home", "p1:2"),
        ("key:/^b/", "p1:2"),
        ("-key:back text:back", "p1:1"),
        ("key:back app:spotify,settings", "p1:2"),
        ("action:tap", "p1:0 p2:0,2 p4"),
        ("-action:tap", "p1:1,2 p3:0,1,2 p4"),
        ("action:type,swipe", "p1:1 p3:1,2"),
        ("all(action:tap)", "p2"),
        ("none(action:tap)", "p3"),
        ("action:tap text:settings", "p1:0 p2:2"),
        ("action:tap action:type", ""),
        ("action:scroll", "p4"),
        # places
        ("step:1", "p1:0 p2:0 p3:0"),
        ("step:2", "p1:1 p3:1"),
        ("step>3", "p1:3"),
        ("step:3..", "p1:2,3 p2:2 p3:2"),
        ("-step:1..3", "p1:3"),
        ("step:1 action:tap", "p1:0 p2:0"),
        ("all(step<=3)", "p2 p3"),
        # runs
        ("wrong:A", "p1:1 p2:0"),
        ("right:A", "p1:0,2 p2:2 p4:0"),
        ("-wrong:A", "p1:0,2 p2:2 p4:0"),
        ("right:A wrong:B", "p1:2"),
        ("wrong:A action:type", "p1:1"),
        ("wrong:A target:zip", "p1:1"),
        ("right:A text:settings", "p1:0 p2:2"),
        ("right:A -text:settings", "p1:2"),
        ("wrong:A step:1", "p2:0"),
        ("right:A step:1 action:tap", "p1:0 p4:0"),
        ("malformed:B | unscored:B", "p2:0,2"),
        ("conf:A<0.4", "p1:1 p2:2"),
        ("conf:A<0.4 wrong:A", "p1:1"),
        ("latency:A>2000", "p1:1"),
        ("dist:A>0.14 action:tap", "p1:0 p2:0,2 p4:0"),
        ("differs:A,B", "p1:1,2"),
        ("differs:A,B step:1..2", "p1:1"),
        ("-differs:A,B", "p1:0 p2:0,2 p4:0"),
        ("none(wrong:A) right:A", "p4:0"),
        ("all(right:A)", "p4"),
        ("all(right:A,B) steps>=4", "p1"),
        ("wrong:A key:back", ""),
        # orders
        ("tau:C>0", "p1"),
        ("tau<0", "p2"),
        ("tau:C:-1..1", "p1 p2"),
        ("-tau:C>0", "p2 p3 p4"),
        ("tau:A>0", ""),
        # episodes, and what people said
        ("ask", "p1:1 p3"),
        ("ask>1", "p3"),
        ("ask -star", "p3"),
        ("-ask", "p2 p4"),
        ("ask action:tap", "p1:0"),
        ("star", "p1 p4"),
        ("star | note", "p1:2 p4"),
        ("note:scroll", "p1:2"),
        ('defect note:"scroll"', ""),
        ("defect wrong:A", "p2:0"),
        ("-checked text:settings", "p1:0 p3:2"),
        ("checked", "p2:2"),
        ("infeasible text:search", "p2:2"),
        ("split:train", "p1 p2"),
        ("split:a/train,test", "p1 p2"),
        ("split:a", "p1 p2"),
        ("split:/^b.train$/", "p2"),
        ("source:finding goal:p3", "p3"),
        ("(app:reddit | app:chrome) right:A", "p2:2 p4:0"),
        ("p3 | text:done", "p1:3 p3"),
        ("app:music text:settings | app:chrome", "p1:0 p2"),
        ('app:spotify -feasible wrong:run1 steps>3 action:type text:"zip"', "p1:1"),
    ],
)
def test_a_filter_finds_these_steps(found_in, text, expected):
    found = found_in(text)
    assert told(found) == expected
    assert found.steps == sum(len(found.steps_of(name)) for name in found.ids)
    assert list(found.hits()) == [(name, step) for name in found.ids for step in found.steps_of(name)]


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("text:x", 1),
        ("app:x | none(typed:x)", 1),
        ("step:1", 1),
        ("step:1 wrong:A", 0),
        ("action:tap", 0),
        ("app:x", 0),
    ],
)
def test_how_many_episodes_could_not_be_told(found_in, text, unread):
    assert found_in(text).unread == unread


def test_without_a_filter_there_are_no_steps(found_in):
    found = found_in("")
    assert (found.ids, found.steps, found.unread, found.steps_of("p1")) == (["p1", "p2", "p3", "p4"], 0, 0, ())


def test_what_is_found_can_be_sorted(found_in):
    assert found_in("text:settings", sort=Sort("steps")).ids == ["p2", "p3", "p1"]
    assert list(found_in("text:settings", sort=Sort("app", descending=True)).hits()) == [
        ("p1", 0), ("p3", 2), ("p2", 2)
    ]  # fmt: skip


def test_a_rule_of_which_nobody_knows_is_told(found_in):
    with pytest.raises(FilterError, match="no rules are known") as caught:
        found_in("step:1 flips:aitz")
    assert (caught.value.position, caught.value.length) == (7, 10)


@pytest.mark.parametrize(
    ("field", "prefix", "expected"),
    [
        ("app", "", {"com.spotify.music": 1, "com.android.chrome": 1, "com.android.settings": 1, "com.reddit": 1}),
        ("app", "COM.A", {"com.android.chrome": 1, "com.android.settings": 1}),
        ("app", "chro", {"com.android.chrome": 1}),
        ("reason", "", {"premature": 1}),
        ("split", "b", {"b/train": 1}),
        ("action", "t", {"tap": 4, "type": 2}),
        ("key", "", {"back": 1}),
        ("typed", "h", {"hello": 1}),
        ("target", "s", {"Search": 1, "Settings": 1, "Öffnen": 0}),
        ("text", "sign", {"Sign in": 2}),
        ("goal", "", {}),
        ("nonsense", "", {}),
    ],
)
def test_values_are_suggested_the_most_frequent_first(found_in, field, prefix, expected):
    with found_in.database.reading() as db:
        found = suggestions(db, found_in.source, field, prefix)
        assert {one.value: one.count for one in found} == {value: n for value, n in expected.items() if n}
        assert [one.count for one in found] == sorted((one.count for one in found), reverse=True)
        assert suggestions(db, found_in.source, field, prefix, limit=1) == found[:1]


def test_values_that_begin_so_come_before_those_that_have_it_inside(found_in):
    with found_in.database.reading() as db:
        found = [one.value for one in suggestions(db, found_in.source, "text", "se")]
    assert set(found[:4]) == {"Settings", "settings", "Search", "Settings and more"}
    assert set(found[4:]) == {"Open the settings", "Straße 5"}


def test_only_the_newest_are_kept(found_in):
    with found_in.database.reading() as db:
        first = shared_column_cache(db).columns(db, found_in.source)
        assert shared_column_cache(db).columns(db, found_in.source) is first
        for other in range(1000, 1003):
            shared_column_cache(db).columns(db, other)
        assert shared_column_cache(db).columns(db, found_in.source) is not first


def test_episodes_that_are_read_later_are_found_then(found_in):
    assert "p5" not in found_in("text:late").ids
    late = summary("p5", None, (StepSummary(0, "tap", texts=("too late",)),), (("tap", 1),))
    with found_in.database.unit_of_work() as db:
        sources.add_index(db, found_in.source, 4, [replace(late, checked=False)])
    assert (found_in("text:late").ids, found_in("text:late").unread) == ([], 2)
    with found_in.database.unit_of_work() as db:
        assert [name for name, _, _ in sources.unchecked(db, found_in.source)] == ["p4", "p5"]
        sources.update_index(db, found_in.source, [late])
        assert [name for name, _, _ in sources.unchecked(db, found_in.source)] == ["p4"]
    assert told(found_in("text:late")) == "p5:0"
    with found_in.database.unit_of_work() as db:
        sources.update_index(db, found_in.source, [replace(late, details=(StepSummary(0, "tap"),))])
    assert told(found_in("text:late")) == "", "what was there before is gone"


def test_an_episode_that_cannot_be_read_is_not_waited_for(found_in):
    broken = summary("p6", None, None, ())
    with found_in.database.unit_of_work() as db:
        sources.add_index(db, found_in.source, 5, [broken])
        before = len(sources.unchecked(db, found_in.source))
        sources.update_index(db, found_in.source, [Problem("torn", "p6")])
        assert len(sources.unchecked(db, found_in.source)) == before - 1
    assert found_in("none(text:x)", runs={}).ids[-1] == "p6"


def test_scores_that_come_later_are_seen(found_in):
    run = found_in.runs["B"]
    with found_in.database.unit_of_work() as db:
        wide = outcomes.scoring(db, run, "aitw", "1", (("radius", "9"),))
        outcomes.add_scores(
            db, run, wide, [(ItemKey("p1", 0), Score.scored(0, "x")), (ItemKey("p1", 2), Score.scored(0, "x"))]
        )
    rules = {"wide": ("aitw", '{"radius":"9"}')}
    assert told(found_in("flips:wide", rules=rules)) == "p1:0"
    with found_in.database.unit_of_work() as db:
        outcomes.add_scores(db, run, wide, [(ItemKey("p1", 1), Score.scored(0, "x"))])
    assert told(found_in("flips:wide", rules=rules)) == "p1:0,1"
