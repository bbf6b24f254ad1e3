"""Filters on columns against the same language as loops over values, on a random source with two runs."""

import random
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.domain.episode import EpisodeSummary, Platform
from stepscope.core.domain.filter import FilterError
from stepscope.core.domain.filter_parser import parse
from stepscope.core.domain.model_call import CallAttempt, ModelCall
from stepscope.core.domain.price import TokenPrice
from stepscope.core.domain.step_summary import StepSummary
from stepscope.core.store.filter_search import FilterInputs, find
from stepscope.core.store.repositories import annotations, sources
from tests.core.store.plain_filter import Plain

KINDS = ("tap", "type", "press_key", "")
WORDS = ("Settings", "sign in", "Straße", "Back", "12345 Main", "a")


def random_step(index, draw):
    kind = draw.choice(KINDS)
    return StepSummary(
        index,
        kind,
        key=draw.choice(("back", "home")) if kind == "press_key" else "",
        typed=draw.choice(WORDS) if kind == "type" else "",
        target=draw.choice(("", *WORDS)) if kind == "tap" else "",
        name=draw.choice(("", "sign in")) if kind == "tap" else "",
        texts=tuple(draw.sample(WORDS, draw.randrange(4))),
        ask=draw.random() < 0.2,
    )


def random_episode(number, draw):
    steps = tuple(random_step(index, draw) for index in range(6) if draw.random() < 0.7)
    read = draw.random() < 0.75
    counts = {step.kind: 1 for step in steps if step.kind}
    return EpisodeSummary(
        f"e{number}", f"Goal {number}", draw.choice((None, "shop", "music.app")), Platform.WEB, len(steps), 0,
        tuple(counts.items()), asks=sum(step.ask for step in steps), checked=read, details=steps if read else None,
    )  # fmt: skip


def random_items(episodes, draw):
    """By episode and step; where a step was not read its reference is a tap, as what stores it says."""
    items = {}
    for episode in episodes:
        for index in range(7) if episode.details is None else [step.index for step in episode.details]:
            if draw.random() < 0.5:
                value = draw.choice((0, 0.5, 1, 1, None))
                malformed = value == 0 and draw.random() < 0.5
                took = draw.choice((None, (3000, 50, 0), (4000, 120, 2)))
                items[episode.id, index] = (value, malformed, value is None, draw.choice((None, 0.25, 0.75)), took)
    return items


def called(outcome, took):
    """The outcome with two calls that took this together."""
    if took is None:
        return outcome
    read, written, retries = took
    first = ModelCall((), tokens_in=read - 1000, tokens_out=written, attempts=(CallAttempt("busy"),) * (retries + 1))
    calls = (first, ModelCall((), tokens_in=1000))
    return replace(outcome, prediction=replace(outcome.prediction, calls=calls))


@pytest.fixture(scope="module")
def both(stocked, outcome_of, store):
    """A store and the plain way over the same values. The rows were written in an order that is not the source's."""
    draw = random.Random(7)
    episodes = [random_episode(number, draw) for number in range(25)]
    items = {name: random_items(episodes, draw) for name in "AB"}
    said = [(episode.id, draw.choice((-1, 0, 3))) for episode in episodes[::3]]
    with stocked.database.unit_of_work() as db:
        source = sources.begin_index(db, "data/plain", "motif")
        for start in (20, 0, 10):
            sources.add_index(db, source, start, episodes[start : start + 10])
        sources.finish_index(db, source, "f")
        at = datetime(2024, 5, 1, tzinfo=UTC)
        annotations.replace(db, (), [
            Annotation("data/plain", name, None if step < 0 else step, AnnotationKind.STAR, "", "ann", at)
            for name, step in said
        ])  # fmt: skip
    ids = {}
    for name, found in items.items():
        ids[name] = store(stocked.database, *(
            called(outcome_of(*place, value, confidence=None if malformed else confidence, malformed=malformed), took)
            for place, (value, malformed, _, confidence, took) in sorted(found.items(), key=lambda _: draw.random())
        ))  # fmt: skip
        for place, (value, malformed, unscored, confidence, took) in found.items():
            found[place] = value, malformed, unscored, None if malformed else confidence, took
    with stocked.database.reading() as db:
        inputs = FilterInputs(ids, prices={"noisy-copy": TokenPrice(2, 10)})
        yield lambda text: find(db, source, parse(text), inputs=inputs), Plain(episodes, items, said)


some_terms = st.sampled_from([
    "wrong:A", "right", "malformed:B", "unscored", "differs", "conf:A<0.5", "conf>0.5", "action:tap",
    "action:type,press_key",
    "text:settings", "text:strasse", "text:/^s/", "text:nowhere", "target:sign", 'target="sign in"', r"typed:/\d{5}/",
    "typed:main", "key:back", "key:/./", "step:1", "step:2..3", "step>4", "steps>=4", "app:music", "goal", "ask",
    "star", "tokens:A>3500", "tokens<4000", "cost:B>0.0065", "retries>0", "retries:A:0",
])  # fmt: skip
some_queries = st.recursive(some_terms, lambda inner: st.one_of(
    st.lists(inner, min_size=2, max_size=3).map(" ".join), st.tuples(inner, inner).map(" | ".join).map("({})".format),
    inner.map("-({})".format), inner.map("all({})".format), inner.map("none({})".format),
), max_leaves=6)  # fmt: skip


@pytest.mark.parametrize("stocked", ["memory", "postgresql"], indirect=True)
@settings(max_examples=settings().max_examples * 5 // 2)
@given(text=some_queries)
def test_columns_find_what_loops_find(both, text):
    ask, plain = both
    try:
        found = ask(text)
    except FilterError as error:
        assert "alternatives" in error.message
        return
    assert {name: list(found.steps_of(name)) for name in found.ids} == plain.find(parse(text))
