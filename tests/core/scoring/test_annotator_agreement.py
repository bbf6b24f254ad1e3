"""Pairs of app and task on which annotators agree, by hand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.scoring.annotator_agreement import LabelledEpisode, agreed, majority_labels

YES, NO = "feasible", "infeasible"
EPISODES = [
    LabelledEpisode("1", "mail", "Send it", YES),
    LabelledEpisode("2", "mail", "send  IT", YES),
    LabelledEpisode("3", "mail", "delete it", YES),
    LabelledEpisode("4", "mail", "delete it", NO),
    LabelledEpisode("5", "mail", "delete it", NO),
    LabelledEpisode("6", "shop", "delete it", NO),
    LabelledEpisode("7", "shop", "buy it", YES),
    LabelledEpisode("8", "shop", "buy it", NO),
    LabelledEpisode("9", "shop", "delete it", ""),
]


def test_by_hand() -> None:
    """Two agree on sending; one of three says that deleting in mail is feasible; buying is a tie; 6 is alone."""
    assert agreed(EPISODES) == {"1", "2", "6"}
    assert agreed(EPISODES, "majority") == {"1", "2", "4", "5", "6"}
    assert majority_labels(EPISODES) == {("mail", "send it"): YES, ("mail", "delete it"): NO, ("shop", "delete it"): NO}
    assert agreed([]) == frozenset()


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.sampled_from(["", YES, NO])), max_size=12))
def test_the_plain_rule_says_the_same(rows: list[tuple[str, str, str]]) -> None:
    every = [LabelledEpisode(str(at), *row) for at, row in enumerate(rows)]
    for one in every:
        labels = [other.label for other in every if other.label and other.pair == one.pair]
        assert (one.id in agreed(every)) == bool(one.label and set(labels) == {one.label})
        assert (one.id in agreed(every, "majority")) == bool(one.label and labels.count(one.label) > len(labels) / 2)
