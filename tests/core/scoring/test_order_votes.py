"""Other right orders are voted: more than half of those who gave others, and never one person alone."""

from stepscope.core.scoring.order_votes import VotedOrder, vote

A, B, C = tuple("1234"), tuple("2134"), tuple("1243")


def test_more_than_half_of_those_who_gave_others_decide():
    found = vote({"ann": (A, B), "bob": (A, B, C), "cem": (A, C), "dan": (C,), "eve": (B, A)})
    assert found.voters == 4, "dan gave his own only"
    assert found.orders == (VotedOrder(A, 4), VotedOrder(B, 3)), "2 of 4 for the third is half, not more"


def test_a_persons_own_order_counts_and_each_person_once():
    assert vote({"ann": (A, B, B), "bob": (B, C)}).orders == (VotedOrder(B, 2),)
    assert vote({"ann": (A, A), "bob": (B, C)}).voters == 1, "the same order twice is no other order"


def test_one_person_is_no_majority_unless_it_is_asked_for():
    assert vote({"ann": (A, B)}).orders == ()
    assert vote({"ann": (B, A)}, least=1).orders == (VotedOrder(A, 1), VotedOrder(B, 1))
    assert vote({}).voters == 0
