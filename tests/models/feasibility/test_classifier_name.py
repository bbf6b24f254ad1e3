"""Names of MoTIF's classifiers: what they say, and what is said of those that make no sense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.errors import UsageError
from stepscope.models.feasibility.classifier_name import (
    AGGREGATIONS,
    PARTS,
    Classifier,
    ClassifierTerm,
    parse_classifier,
)

NAMES = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,12}", fullmatch=True)
SCREEN_PARTS = [one for one in PARTS if one != "command"]


@st.composite
def classifiers(draw: st.DrawFn) -> Classifier:
    encoders = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    terms = [
        ClassifierTerm(name, tuple(draw(st.lists(st.sampled_from(SCREEN_PARTS), max_size=4, unique=True))), draw(
            st.sampled_from(["", "ten-crop", "cls"])))
        for name in encoders
    ]  # fmt: skip
    if draw(st.booleans()):
        terms.append(ClassifierTerm("reads-the-command", ("command",)))
    return Classifier(tuple(terms), draw(st.sampled_from(AGGREGATIONS)))


@given(classifiers())
def test_a_name_says_all_of_a_classifier(one: Classifier) -> None:
    assert parse_classifier(str(one)) == one
    assert parse_classifier(one.features, one.aggregation) == one


@given(st.text("clip(),+: :etidscreen-avgcat", max_size=30))
def test_whatever_is_written_is_a_classifier_or_told(text: str) -> None:
    try:
        found = parse_classifier(text)
    except UsageError as error:
        assert error.hint
    else:
        assert parse_classifier(str(found)) == found


def test_the_papers_best_row_by_hand() -> None:
    assert parse_classifier(" clip(Screen, ET,ID) + CAT") == Classifier(
        (ClassifierTerm("clip", ("screen", "et", "id")),), "cat"
    )
    assert parse_classifier("resnet-152:ten-crop+icons+lstm") == Classifier(
        (ClassifierTerm("resnet-152", (), "ten-crop"), ClassifierTerm("icons")), "lstm"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("clip(et)+kat", "does not say how steps are brought together. Did you mean cat?"),
        ("clip(et)", "does not say how"),
        ("clip(screan)+cat", "cannot read 'screan' in the classifier 'clip(screan)+cat'. Did you mean screen?"),
        ("cat", "reads nothing"),
        ("+cat", "is no encoder with parts"),
        ("clip(et+cat", "is no encoder with parts"),
        ("clip(et,et)+cat", "names clip(et) twice"),
        ("clip(et)+clip(et)+cat", "names clip(et) twice"),
        ("a(command,et)+b(command)+cat", "reads the command twice"),
        ("minilm(command)+cat", "reads nothing of the screens"),
        ("x" * 600 + "+cat", "500 letters at most"),
    ],
)
def test_what_makes_no_sense_is_told_with_the_nearest(text: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_classifier(text)
    assert words in str(caught.value)


def test_an_aggregation_that_is_given_takes_the_names_place() -> None:
    assert parse_classifier("clip(et)+cat", "avg") == parse_classifier("clip(et)", "avg")
    with pytest.raises(UsageError, match="cannot be brought together by 'sum'"):
        parse_classifier("clip(et)", "sum")
