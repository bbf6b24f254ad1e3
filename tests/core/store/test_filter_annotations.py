"""Episodes found by what people say about them or about one of their steps, read off seven annotations."""

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepscope.core.domain.annotation import Annotation, AnnotationKind, label_value
from stepscope.core.domain.episode import Feasibility, FeasibilityLabel
from stepscope.core.domain.filter import FilterError
from stepscope.core.domain.filter_parser import parse
from stepscope.core.store import queries
from stepscope.core.store.filter_search import FilterInputs
from stepscope.core.store.repositories import annotations, sources

STAR, CHECKED, NOTE, TAG, LABEL, DEFECT = AnnotationKind
FEASIBLE = label_value(Feasibility(FeasibilityLabel.FEASIBLE))


def said(episode, kind, value="", step=None, source="data/phones"):
    return Annotation(source, episode, step, kind, value, "ann", datetime(2024, 5, 1, tzinfo=UTC))


@pytest.fixture(scope="module")
def annotated(stocked):
    """e1: a star, a step's note, a step's defect; e2: a checked step, a tag, a label; e3: a note. More elsewhere."""
    every = [
        said("e1", STAR),
        said("e1", NOTE, "It should Scroll\ndown to “Öffnen”", 1),
        said("e1", DEFECT, "wrong reference", 2),
        said("e2", CHECKED, "", 0),
        said("e2", TAG, "star scroll wrong reference"),
        said("e2", LABEL, FEASIBLE),
        said("e3", NOTE, "50% of it"),
        said("e2", STAR, "", source="data/other"),
        said("e2", DEFECT, "wrong picture", source="data/phones/part"),
    ]
    with stocked.database.unit_of_work() as db:
        annotations.replace(db, (), every)
    return stocked


def found(stocked, text):
    with stocked.database.reading() as db:
        return " ".join(queries.matching(db, stocked.source_id, parse(text), inputs=FilterInputs(stocked.runs)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("star", "e1"),
        ("STAR", "e1"),
        ("-star", "e2 e3"),
        ('"star"', ""),
        ("none(star)", "e2 e3"),
        ("all(star)", "e1"),
        ("checked", "e2"),
        ("-checked", "e1 e3"),
        ("ask -checked", ""),
        ("star | checked", "e1 e2"),
        ("-(star | checked)", "e3"),
        ("star checked", ""),
        ("note", "e1 e3"),
        ("-note", "e2"),
        ('note:"scroll"', "e1"),
        ("note:SCROLL,50%", "e1 e3"),
        ("-note:scroll", "e2 e3"),
        ("note=scroll", ""),
        ('note="50% OF it"', "e3"),
        ("note:ÖFFNEN", "e1"),
        ("note:/^5\\d/", "e3"),
        ("note:%_", ""),
        ("tag", "e2"),
        ("-tag", "e1 e3"),
        ("tag:scroll", "e2"),
        ("tag=scroll", ""),
        ("tag:done | star", "e1"),
        ("defect", "e1"),
        ('defect:"wrong reference"', "e1"),
        ("defect:wrong", "e1"),
        ('defect:"wrong picture"', ""),
        ('defect="wrong picture","wrong reference"', "e1"),
        ("-defect", "e2 e3"),
        ('defect note:"scroll"', "e1"),
        ("star wrong:A", "e1"),
        ("-star wrong:A", "e3"),
        ("-defect steps>4 | checked", "e2 e3"),
        ("label:feasible", "e1"),
        ("infeasible", "e2"),
    ],
)
def test_a_filter_finds_these_episodes(annotated, text, expected):
    assert found(annotated, text) == expected


def test_each_source_has_its_own(annotated, summaries):
    with annotated.database.unit_of_work() as db:
        other = sources.replace_index(db, "data/other", "motif", "", summaries)
        assert queries.matching(db, other.id, parse("star")) == ["e2"]
        assert queries.matching(db, other.id, parse("note | checked | defect")) == []


terms = st.sampled_from(["star", "checked", "note", "defect", 'note:"it"', "defect:wrong", "wrong:A", "steps>3"])


@pytest.mark.parametrize("stocked", ["memory"], indirect=True)
@settings(max_examples=settings().max_examples * 3 // 5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.recursive(terms, lambda inner: st.one_of(
    st.lists(inner, min_size=2, max_size=3).map(" ".join), st.tuples(inner, inner).map(" | ".join).map("({})".format),
    inner.map("-({})".format), inner.map("none({})".format)), max_leaves=4))  # fmt: skip
def test_a_filter_and_its_opposite_share_the_episodes(annotated, text):
    every = set(found(annotated, text).split()), set(found(annotated, f"none({text})").split())
    assert every[0] | every[1] == {"e1", "e2", "e3"} and not every[0] & every[1]


@pytest.mark.parametrize("stocked", ["memory"], indirect=True)
@settings(max_examples=settings().max_examples * 3 // 5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(["star", "checked", "note", "defect"]), rest=st.text("\":=<>.,/\\()|-%'ä 1a", max_size=8))
def test_any_text_is_looked_up_or_refused_as_a_filter(annotated, name, rest):
    try:
        found(annotated, name + rest)
    except FilterError as error:
        assert 0 <= error.position <= error.position + error.length <= len(name + rest)
