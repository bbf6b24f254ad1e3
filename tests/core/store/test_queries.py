"""Pages, filters, counts and verdicts, checked against what a person reads off the three episodes and two runs."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepscope.core.domain.filter import FIELDS, FilterError
from stepscope.core.domain.filter_parser import parse
from stepscope.core.domain.prediction import Prediction, PredictionStatus, Task
from stepscope.core.domain.run import ItemKey, Outcome, RunState
from stepscope.core.domain.score import Score
from stepscope.core.errors import UsageError
from stepscope.core.store import queries, score_joins
from stepscope.core.store.filter_search import FilterInputs, Sort, find
from stepscope.core.store.queries import ConfusionCount, ItemVerdict, StepVerdict
from stepscope.core.store.repositories import outcomes, runs, sources

# e1: feasible, Spotify, train, 4 steps, tap tap type; A: right wrong right, B: right right wrong
# e2: infeasible (premature), web, test, 2 steps, press_key, 2 asks; no run
# e3: shop, train, 10 steps, 9 taps; A: malformed, unscored, error


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "e1 e2 e3"),
        ("song", "e1 e3"),
        ("SPOTIFY", "e1"),
        ("öffne straße", "e2"),
        ("ÖFFNE STRAßE", "e2"),
        ('goal="öffne DIE strasSE"', "e2"),
        ("50%", "e3"),
        ('"a_song"', "e3"),
        ("app:spotify", "e1"),
        ("app=spotify", ""),
        ("app=COM.spotify.music", "e1"),
        ("-app:spotify", "e2 e3"),
        ("app:/^(shop|com)/", "e1 e3"),
        ("goal=/^play/", "e1"),
        ("id:e1,E2", "e1 e2"),
        ("source:phones", "e1 e2 e3"),
        ("source:tablets", ""),
        ("split:train", "e1 e3"),
        ("split:tr", ""),
        ("platform:web", "e2"),
        ("feasible", "e1"),
        ("-feasible", "e2 e3"),
        ("label:feasible", "e1"),
        ("infeasible reason:premature,unclear", "e2"),
        ("steps>4", "e3"),
        ("steps>=4", "e1 e3"),
        ("steps:2..4", "e1 e2"),
        ("steps:..2,10", "e2 e3"),
        ("steps<99999999999999999999", "e1 e2 e3"),
        ("ask", "e2"),
        ("ask>2", ""),
        ("-ask split:train | platform:web", "e1 e2 e3"),
        ("(app:shop | app:music) steps<9", "e1"),
        ("-(app:shop | app:music)", "e2"),
        ("action:tap", "e1 e3"),
        ("action:type,press_key", "e1 e2"),
        ("-action:tap", "e1 e2"),
        ("none(action:tap)", "e2"),
        ("all(action:tap)", "e3"),
        ("all(-action:tap)", "e2"),
        ("action:tap action:type", ""),
        ("action:/^press/", "e2"),
        ("wrong:A", "e1 e3"),
        ("right:A wrong:B", "e1"),
        ("wrong:A wrong:B", ""),
        ("wrong:run2", "e1"),
        ("wrong:A action:type", ""),
        ("wrong:B action:type", "e1"),
        ("wrong:A step:2", "e1"),
        ("wrong:A step:3..", ""),
        ("malformed:A", "e3"),
        ("malformed:B", ""),
        ("unscored", "e3"),
        ("malformed:B | unscored:A", "e3"),
        ("none(wrong:A)", "e2"),
        ("none(wrong:A,B) -web", "e2"),
        ("all(right:A)", ""),
        ("all(right:A | right:B)", "e1"),
        ("app:shop | wrong:B", "e1 e3"),
        ("differs:A,B", "e1"),
        ("differs action:tap", "e1"),
        ("all(differs)", ""),
        ("conf:A<0.4", "e1"),
        ("conf:A<0.4 right:A", ""),
        ("latency>2000", "e1"),
        ("latency:A:5..15 right:A", "e1"),
        ("dist:A>0.2", "e1"),
        ("dist:0.25 wrong:A", "e1"),
        ("dist<0.25", ""),
        ("malformed dist>=0", ""),
    ],
)
def test_a_filter_finds_these_episodes(stocked, text, expected):
    with stocked.database.reading() as db:
        found = queries.matching(db, stocked.source_id, parse(text), inputs=FilterInputs(stocked.runs))
    assert " ".join(found) == expected


@pytest.mark.parametrize(
    ("text", "position", "length", "words", "suggestion"),
    [
        ("wrong:Q", 0, 7, "no run “Q”", ""),
        ("wrong:run9", 0, 10, "no run", ""),
        ("a action:tapp", 2, 11, "no action “tapp”", "tap"),
        ("tau:Q>0", 0, 7, "no run “Q”", ""),
        ("differs:A", 0, 9, "two runs", ""),
    ],
)
def test_what_cannot_be_looked_up_is_told_with_its_place(stocked, text, position, length, words, suggestion):
    with stocked.database.reading() as db, pytest.raises(FilterError, match=words) as caught:
        queries.matching(db, stocked.source_id, parse(text), inputs=FilterInputs(stocked.runs))
    assert (caught.value.position, caught.value.length, caught.value.suggestion) == (position, length, suggestion)


def test_run_terms_need_a_run(stocked):
    with stocked.database.reading() as db, pytest.raises(FilterError, match="none is shown"):
        queries.matching(db, stocked.source_id, parse("wrong"))


def test_too_many_alternatives_are_refused(stocked):
    text = " ".join(f"(a{n} | b{n})" for n in range(12))
    with stocked.database.reading() as db, pytest.raises(FilterError, match="too many alternatives"):
        queries.matching(db, stocked.source_id, parse(text))


some_fields = st.sampled_from(
    ["wrong:A", "right", "-malformed:B", "action:tap", "steps>3", "app:shop", "conf:A<1", "differs", "step:1..2", "ask"]
)


@pytest.mark.parametrize("stocked", ["memory"], indirect=True)
@settings(max_examples=settings().max_examples * 2 // 5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.recursive(some_fields, lambda inner: st.one_of(
    st.lists(inner, min_size=2, max_size=3).map(" ".join), st.tuples(inner, inner).map(" | ".join).map("({})".format),
    inner.map("-({})".format), inner.map("all({})".format), inner.map("none({})".format),
), max_leaves=4))  # fmt: skip
def test_a_filter_and_its_opposite_about_all_steps_share_the_episodes(stocked, texts):
    """`none(q)` is exactly what `q` does not find; and whatever can be written runs or is refused as a filter."""
    with stocked.database.reading() as db:
        try:
            inputs = FilterInputs(stocked.runs)
            found = set(queries.matching(db, stocked.source_id, parse(texts), inputs=inputs))
            others = set(queries.matching(db, stocked.source_id, parse(f"none({texts})"), inputs=inputs))
        except FilterError:
            return
    assert found | others == {"e1", "e2", "e3"} and not found & others


@pytest.mark.parametrize("stocked", ["memory"], indirect=True)
@settings(max_examples=settings().max_examples * 3 // 5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.sampled_from("ab:=<>()|-,./\"\\ 01%_üß"), max_size=30) | st.sampled_from(list(FIELDS)).flatmap(
    lambda name: st.text(st.sampled_from(":=<>.,/\"1Aa"), max_size=6).map(lambda rest: name + rest)))  # fmt: skip
def test_any_text_is_looked_up_or_refused_as_a_filter(stocked, text):
    with stocked.database.reading() as db:
        try:
            queries.matching(db, stocked.source_id, parse(text), inputs=FilterInputs(stocked.runs))
        except FilterError as error:
            assert 0 <= error.position <= error.position + error.length <= len(text)


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        (Sort(), "e1 e2 e3"),
        (Sort("position", descending=True), "e3 e2 e1"),
        (Sort("steps"), "e2 e1 e3"),
        (Sort("goal"), "e3 e1 e2"),
        (Sort("app"), "e1 e3 e2"),
        (Sort("split", descending=True), "e1 e3 e2"),
        (Sort("problems", descending=True), "e2 e1 e3"),
    ],
)
def test_episodes_are_sorted_with_ties_in_the_sources_order(stocked, sort, expected):
    with stocked.database.reading() as db:
        assert " ".join(queries.matching(db, stocked.source_id, sort=sort)) == expected


def test_rows_come_in_the_order_asked_for(stocked, summaries):
    with stocked.database.reading() as db:
        assert queries.episodes(db, stocked.source_id, ["e3", "nobody", "e2"]) == [summaries[2], summaries[1]]


def test_runs_are_listed_with_their_counts_the_latest_first(database, two_runs, spec):
    with database.unit_of_work() as db:
        runs.set_state(db, two_runs["B"], RunState.DONE)
        found = queries.run_list(db)
        assert [(row.run.id, row.run.state, row.run.done) for row in found] == [
            (two_runs["B"], RunState.DONE, 3), (two_runs["A"], RunState.QUEUED, 6)
        ]  # fmt: skip
        a = queries.run_counts(db, two_runs["A"])
        assert (a.scored, a.right, a.errors, a.unscored, a.malformed) == (4, 2, 1, 1, 1)
        assert queries.run_list(db, task=Task.GOAL) == []
        assert len(queries.run_list(db, task=Task.AUTOMATION, source=spec.source)) == 2
        with pytest.raises(UsageError):
            queries.run_counts(db, "none")


@pytest.mark.parametrize(
    ("show", "expected"),
    [("all", 6), ("wrong", 2), ("right", 2), ("unscored", 1), ("malformed", 1), ("error", 1)],
)
def test_items_of_a_run_by_verdict(stocked, show, expected):
    with stocked.database.reading() as db:
        page = queries.items(db, stocked.runs["A"], show=show, limit=1)
        assert (len(page.rows), page.total) == (1, expected)
        assert len(list(queries.each_item(db, stocked.runs["A"], show))) == expected
        assert queries.items(db, stocked.runs["A"], show=show, limit=None).total == expected


def test_items_of_some_episodes(stocked):
    with stocked.database.reading() as db:
        page = queries.items(db, stocked.runs["A"], episodes=["e3"], offset=1, limit=1)
    assert (page.total, page.rows[0].key.step) == (3, 1)


def test_verdicts_by_episode_and_run(stocked):
    a, b = stocked.runs["A"], stocked.runs["B"]
    with stocked.database.reading() as db:
        found = queries.verdicts(db, [a, b], ["e1", "e2", "e3"])
    assert found["e1"][a] == (
        StepVerdict(0, ItemVerdict.HIT, 1.0, 0.9),
        StepVerdict(1, ItemVerdict.MISS, 0.0, 0.3),
        StepVerdict(2, ItemVerdict.HIT, 1.0, 0.8),
    )
    assert [step.verdict for step in found["e3"][a]] == [ItemVerdict.MALFORMED, ItemVerdict.UNSCORED, ItemVerdict.ERROR]
    assert "e2" not in found and b not in found["e3"]


def test_confusions_are_counted_over_scored_items(stocked):
    with stocked.database.reading() as db:
        assert queries.confusion(db, stocked.runs["B"]) == [
            ConfusionCount("tap", "tap", 2, 2),
            ConfusionCount("type", "press_key", 1, 0),
        ]
        assert ConfusionCount("tap", "", 1, 0) in queries.confusion(db, stocked.runs["A"])


def test_run_terms_follow_the_index_of_the_asked_source_only(database, source_id, two_runs, summaries):
    with database.unit_of_work() as db:
        other = sources.replace_index(db, "data/other", "motif", "", summaries[1:2])
        assert queries.matching(db, other.id, parse("none(wrong:A)"), inputs=FilterInputs(two_runs)) == ["e2"]


def test_filters_and_lists_go_by_the_runs_own_rule(database, source_id, two_runs):
    with database.unit_of_work() as db:
        strict = outcomes.scoring(db, two_runs["B"], "aitw", "1", (("direction", "exact"),))
        outcomes.add_scores(db, two_runs["B"], strict, [(ItemKey("e1", 0), Score.scored(0, "stricter"))])
        assert queries.matching(db, source_id, parse("wrong:B action:tap"), inputs=FilterInputs(two_runs)) == []
        assert queries.run_counts(db, two_runs["B"]).scored == 3
        assert len(queries.verdicts(db, [two_runs["B"]], ["e1"])["e1"][two_runs["B"]]) == 3


RULES = {"same": ("aitw", '{"direction":"axis","text":"ignore"}'), "strict": ("aitw", '{"direction":"exact"}'),
         "Far-9": ("aitw", '{"direction":"9"}'), "unused": ("motif", "{}")}  # fmt: skip


@pytest.fixture
def scored_twice(database, source_id, two_runs):
    """A under `strict`: e1 wrong (was right), wrong (was wrong), unscored (was right); e3 right (was malformed), right
    (was unscored), error. B under `far9`: e1 step 2 right (was wrong)."""
    strict = [
        (ItemKey("e1", 0), Score.scored(0, "stricter", distance=0.3)),
        (ItemKey("e1", 1), Score.scored(0, "still")),
        (ItemKey("e1", 2), Score.unscored("no tree")),
        (ItemKey("e3", 0), Score.scored(1, "lenient")),
        (ItemKey("e3", 1), Score.scored(1, "lenient")),
        (ItemKey("e3", 2), Score.error("x")),
    ]
    with database.unit_of_work() as db:
        a = outcomes.scoring(db, two_runs["A"], "aitw", "1", (("direction", "exact"),))
        outcomes.add_scores(db, two_runs["A"], a, strict)
        b = outcomes.scoring(db, two_runs["B"], "aitw", "1", (("direction", "9"),))
        outcomes.add_scores(db, two_runs["B"], b, [(ItemKey("e1", 2), Score.scored(1, "far"))])
    return {"A": a, "B": b}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("flips:strict", "e1 e3"),
        ("flips:STRICT action:tap", "e1 e3"),
        ("flips:strict right:A", "e1"),
        ("flips:strict wrong:A", "e3"),
        ("flips:strict step:2..3", ""),
        ("flips:far-9", "e1"),
        ("flips:far-9 action:tap", ""),
        ("flips:far-9,strict", "e1 e3"),
        ("flips:far-9 flips:strict", ""),
        ("none(flips:strict)", "e2"),
        ("-flips:strict", "e1 e3"),
        ("all(-flips:far-9)", "e3"),
        ("flips:same", ""),
    ],
)
def test_steps_whose_verdict_flips(database, source_id, two_runs, scored_twice, text, expected):
    with database.reading() as db:
        found = queries.matching(db, source_id, parse(text), inputs=FilterInputs(two_runs, rules=RULES))
    assert " ".join(found) == expected


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("wrong:A", [("e1", 0), ("e1", 1)]),
        ("right:A", [("e3", 0), ("e3", 1)]),
        ("unscored:A", [("e1", 2)]),
        ("dist:A>0.2", [("e1", 0)]),
        ("wrong", [("e1", 0), ("e1", 1)]),
        ("wrong:A flips:strict", [("e1", 0)]),
        ("wrong:A flips:same", []),
    ],
)
def test_verdicts_by_another_rule_than_the_runs_own(database, source_id, two_runs, scored_twice, text, steps):
    under = FilterInputs(two_runs, RULES, under={two_runs["A"]: scored_twice["A"]})
    with database.reading() as db:
        assert list(find(db, source_id, parse(text), inputs=under).hits()) == steps
        own = list(find(db, source_id, parse("wrong:A"), inputs=FilterInputs(two_runs)).hits())
        assert own == [("e1", 1), ("e3", 0)], "what was read under another rule changes nothing under its own"


def test_runs_without_scores_under_the_rule_have_no_verdict(database, source_id, two_runs, scored_twice):
    a, b = two_runs["A"], two_runs["B"]
    with database.reading() as db:
        for text in ("wrong:B", "right:A,B", "differs:A,B", "none(wrong:B)"):
            with pytest.raises(FilterError, match="filter: B not scored under the chosen rule"):
                find(db, source_id, parse(text), inputs=FilterInputs(two_runs, under={a: scored_twice["A"]}))
        with pytest.raises(FilterError, match="No shown run scored under the chosen rule"):
            find(db, source_id, parse("wrong"), inputs=FilterInputs(two_runs, under={}))
        with_own = FilterInputs(two_runs, under={a: scored_twice["A"], b: None})
        alone = find(db, source_id, parse("wrong:B"), inputs=FilterInputs(two_runs))
        assert find(db, source_id, parse("wrong:B"), inputs=with_own) == alone
        assert find(db, source_id, parse("conf:A>0"), inputs=FilterInputs(two_runs, under={})).ids == ["e1"]


@pytest.mark.parametrize(
    ("text", "rules", "words", "suggestion"),
    [
        ("flips:strikt", RULES, "There is no rule “strikt”", "strict"),
        ("flips:unused", RULES, "No shown run was scored under unused yet: score one again", ""),
        ("flips:strict", None, "no rules are known", ""),
    ],
)
def test_rules_that_cannot_be_looked_up(database, source_id, two_runs, scored_twice, text, rules, words, suggestion):
    with database.reading() as db, pytest.raises(FilterError, match=words) as caught:
        queries.matching(db, source_id, parse(text), inputs=FilterInputs(two_runs, rules=rules))
    assert (caught.value.position, caught.value.length, caught.value.suggestion) == (0, 12, suggestion)


def test_flips_need_a_run(database, source_id, scored_twice):
    with database.reading() as db, pytest.raises(FilterError, match="none is shown"):
        queries.matching(db, source_id, parse("flips:strict"), inputs=FilterInputs(rules=RULES))


@pytest.mark.parametrize(
    ("show", "steps"),
    [
        ("flips", [("e1", 0), ("e3", 0)]),
        ("right", [("e3", 0), ("e3", 1)]),
        ("wrong", [("e1", 0), ("e1", 1)]),
        ("unscored", [("e1", 2)]),
        ("error", [("e3", 2)]),
        ("all", [("e1", 0), ("e1", 1), ("e1", 2), ("e3", 0), ("e3", 1), ("e3", 2)]),
    ],
)
def test_items_under_another_rule(database, two_runs, scored_twice, show, steps):
    with database.reading() as db:
        page = queries.items(db, two_runs["A"], show=show, scoring_id=scored_twice["A"])
        each = list(queries.each_item(db, two_runs["A"], show, scored_twice["A"]))
    assert [(row.key.episode, row.key.step) for row in page.rows] == steps
    assert tuple(each) == page.rows


def test_what_two_rules_say_differently(database, two_runs, scored_twice):
    a = two_runs["A"]
    with database.reading() as db:
        flips = score_joins.flips(db, a, scored_twice["A"])
        assert [(item.key, item.score.value, after.value, after.parts) for item, after in flips] == [
            (ItemKey("e1", 0), 1.0, 0.0, (("distance", 0.3),)),
            (ItemKey("e3", 0), 0.0, 1.0, ()),
        ]
        assert score_joins.flip_counts(db, a)[scored_twice["A"]] == 2
        assert set(score_joins.flip_counts(db, a).values()) == {0, 2}, "a rule against itself never flips"
        assert score_joins.judged_by_one(db, a, scored_twice["A"]) == ([ItemKey("e1", 2)], [ItemKey("e3", 1)])
        assert [(s.protocol, s.own, s.items) for s in queries.scorings(db, a)] == [
            ("aitw", True, 6),
            ("aitw", False, 6),
        ]


def test_a_malformed_prediction_that_is_none_at_all(database, add_run, make_outcome):
    silent = Outcome(
        ItemKey("e1", 1), Prediction("e1", 1, None, PredictionStatus.EMPTY), Score.unusable("none", null=True), "tap"
    )
    run = add_run(make_outcome("e1", 0, 0, malformed=True), silent)
    with database.reading() as db:
        counts = queries.run_counts(db, run)
        assert (counts.scored, counts.malformed, counts.null) == (2, 2, 1)
        assert [row.key.step for row in queries.items(db, run, show="null").rows] == [1]
        assert [row.key.step for row in queries.items(db, run, show="malformed").rows] == [0, 1]
