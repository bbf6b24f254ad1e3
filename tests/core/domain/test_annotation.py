"""What people say: values in one spelling, the JSON form, what is refused in which words."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.annotation import (
    Annotation,
    AnnotationKind,
    Defect,
    annotation_from_json,
    annotation_to_json,
    checked_value,
    label_of,
    label_value,
)
from stepscope.core.domain.episode import Feasibility, FeasibilityLabel, InfeasibilityReason

NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)
UNCLEAR = Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.UNCLEAR, ("Which one?",))


def said(kind, value="", step=None):
    return Annotation("data/a", "e1", step, kind, value, "ann", NOW)


def read(form):
    return annotation_from_json(form, "data/a", author="bob", now=NOW)


@pytest.mark.parametrize(
    ("kind", "given", "kept"),
    [
        (AnnotationKind.STAR, " ", ""),
        (AnnotationKind.CHECKED, "", ""),
        (AnnotationKind.NOTE, " two\n lines ", "two\n lines"),
        (AnnotationKind.TAG, " long \n list ", "long list"),
        (AnnotationKind.DEFECT, "Wrong-Reference", "wrong reference"),
        (AnnotationKind.DEFECT, "several_right  answers", "several right answers"),
        (AnnotationKind.LABEL, '{"label":"feasible"}', '{"label": "feasible", "reason": null, "follow_up": []}'),
    ],
)
def test_values_have_one_spelling(kind, given, kept):
    assert checked_value(kind, given) == kept
    assert checked_value(kind, kept) == kept


@pytest.mark.parametrize(
    ("kind", "given", "words"),
    [
        (AnnotationKind.STAR, "very", "star has no value"),
        (AnnotationKind.NOTE, " \n", "a note needs a text"),
        (AnnotationKind.TAG, "", "a tag needs a text"),
        (AnnotationKind.TAG, "a" * 201, "at most 200 characters"),
        (AnnotationKind.DEFECT, "wrong refrence", "did you mean wrong reference"),
        (AnnotationKind.DEFECT, "", "no defect ''; wrong reference, wrong picture, several right answers, ambiguous"),
        (AnnotationKind.LABEL, "feasible", "a label is JSON"),
        (AnnotationKind.LABEL, "[" * 100_000, "a label is JSON"),
        (AnnotationKind.LABEL, '{"label": null}', "label None is not one of feasible, infeasible"),
        (AnnotationKind.LABEL, '{"label": "infeasible", "reason": "rain"}', "reason 'rain' is not one of"),
        (AnnotationKind.LABEL, '{"label": "feasible", "reason": "unclear"}', "only what is infeasible"),
        (AnnotationKind.LABEL, '{"label": "feasible", "follow_up": "why"}', "follow_up must be a list"),
    ],
)
def test_what_is_no_value_is_told(kind, given, words):
    with pytest.raises(ValueError, match=words):
        checked_value(kind, given)


def test_a_label_is_about_an_episode():
    with pytest.raises(ValueError, match="whole episode"):
        checked_value(AnnotationKind.LABEL, label_value(UNCLEAR), step=0)


def test_a_label_comes_back():
    assert label_of(label_value(UNCLEAR)) == UNCLEAR


def test_only_tags_and_defects_can_be_several_at_a_place():
    assert said(AnnotationKind.NOTE, "a").slot == said(AnnotationKind.NOTE, "b").slot
    assert said(AnnotationKind.TAG, "a").slot != said(AnnotationKind.TAG, "b").slot
    assert said(AnnotationKind.STAR).slot != said(AnnotationKind.STAR, step=0).slot != said(AnnotationKind.CHECKED).slot


def test_the_json_form():
    assert annotation_to_json(said(AnnotationKind.DEFECT, "wrong picture", 3)) == {
        "episode": "e1", "step": 3, "kind": "defect", "value": "wrong picture", "author": "ann",
        "made": "2024-05-01T12:00:00+00:00",
    }  # fmt: skip
    label = annotation_to_json(said(AnnotationKind.LABEL, label_value(UNCLEAR)))["value"]
    assert label == {"label": "infeasible", "reason": "unclear", "follow_up": ["Which one?"]}
    assert annotation_to_json(said(AnnotationKind.STAR))["value"] is None


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200).filter(lambda text: text.strip())
values = st.one_of(
    st.sampled_from([AnnotationKind.STAR, AnnotationKind.CHECKED]).map(lambda kind: (kind, "")),
    st.tuples(st.sampled_from([AnnotationKind.NOTE, AnnotationKind.TAG]), texts),
    st.sampled_from(list(Defect)).map(lambda defect: (AnnotationKind.DEFECT, defect.value)),
    st.lists(st.text(), max_size=2).map(lambda asked: (AnnotationKind.LABEL, label_value(
        Feasibility(FeasibilityLabel.INFEASIBLE, None, tuple(asked))))),
)  # fmt: skip


@given(value=values, episode=texts, made=st.datetimes(timezones=st.just(timezone(timedelta(hours=2)))))
def test_every_annotation_comes_back_from_its_json_form(value, episode, made):
    kind, text = value
    before = Annotation("data/a", episode, None, kind, checked_value(kind, text), "ann", made)
    try:
        utc = made.astimezone(UTC)
    except OverflowError:
        return
    after = read(annotation_to_json(before))
    assert after == before
    assert after.made == utc


def test_who_and_when_stand_in_where_nothing_is_said():
    found = read({"episode": "e1", "kind": "star"})
    assert (found.author, found.made, found.step, found.value) == ("bob", NOW, None, "")


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["star", "note", "label"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["label", "follow_up"]), inner),
    max_leaves=4,
)


@given(form=st.fixed_dictionaries({"episode": st.just("a"), "kind": st.sampled_from(list(AnnotationKind)) | anything},
       optional=dict.fromkeys(("value", "step", "author", "made"), anything)))  # fmt: skip
def test_any_object_is_an_annotation_or_refused(form):
    try:
        found = read(form)
    except ValueError as error:
        assert str(error)
        return
    assert read(annotation_to_json(found)) == found


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ([], "an annotation is an object"),
        ({}, "kind None is not one of star, checked, note, tag, label, defect"),
        ({"kind": "star"}, "episode must be a text"),
        ({"kind": "star", "episode": 3}, "episode must be a text"),
        ({"kind": "star", "episode": "a", "step": -1}, "step must be a whole number"),
        ({"kind": "star", "episode": "a", "step": True}, "step must be a whole number"),
        ({"kind": "star", "episode": "a", "step": 2**40}, "step must be a whole number"),
        ({"kind": "note", "episode": "a", "value": 3}, "value must be a text"),
        ({"kind": "note", "episode": "a"}, "a note needs a text"),
        ({"kind": "star", "episode": "a", "author": 3}, "author must be a text"),
        ({"kind": "star", "episode": "a", "made": "noon"}, "made must be a time with its zone"),
        ({"kind": "star", "episode": "a", "made": "2024-05-01T12:00:00"}, "made must be a time with its zone"),
        ({"kind": "star", "episode": "a", "made": 3}, "made must be a time with its zone"),
    ],
)
def test_what_is_no_annotation_is_told(form, words):
    with pytest.raises(ValueError, match=words):
        read(form)
