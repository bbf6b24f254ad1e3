"""Kinds of mistakes in an order: by hand, and against all orders that a swap or a moved block can make."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.scoring.order_errors import OrderError, OrderErrorKind, order_error

RIGHT, SWAP, BLOCK, OTHER, MALFORMED = OrderErrorKind


@pytest.mark.parametrize(
    ("order", "kind", "first", "last"),
    [
        ("abcde", RIGHT, False, False),
        ("bacde", SWAP, True, False),
        ("abced", SWAP, False, True),
        ("acbde", SWAP, False, False),
        ("bcade", BLOCK, True, False),  # a moved behind c, or b c before a
        ("deabc", BLOCK, True, True),
        ("acdbe", BLOCK, False, False),
        ("cbade", OTHER, True, False),  # a and c changed places, which are no neighbours
        ("badce", OTHER, True, False),  # two swaps
        ("edcba", OTHER, True, True),
        ("abcd", MALFORMED, False, False),
        ("abcdd", MALFORMED, False, False),
        ("abcdx", MALFORMED, False, False),
        (None, MALFORMED, False, False),
    ],
)
def test_five_steps_by_hand(order, kind, first, last):
    assert order_error(order, "abcde") == OrderError(kind, first, last)


def test_of_two_steps_the_other_order_is_a_swap():
    assert order_error("ba", "ab") == OrderError(SWAP, True, True)
    assert order_error("a", "a") == OrderError(RIGHT)


def moved(reference, start, end, to):
    """The block from `start` to `end` taken out and put in again at `to` of what is left."""
    block, rest = reference[start:end], reference[:start] + reference[end:]
    return rest[:to] + block + rest[to:]


def all_moves(reference):
    n = len(reference)
    return {
        moved(reference, start, end, to)
        for start in range(n)
        for end in range(start + 1, n + 1)
        for to in range(n - (end - start) + 1)
    } - {reference}


def swaps(reference):
    return {
        reference[:at] + reference[at + 1] + reference[at] + reference[at + 2 :] for at in range(len(reference) - 1)
    }


@given(st.integers(1, 5), st.data())
def test_kinds_are_what_one_move_can_make(n, data):
    reference = "abcde"[:n]
    order = "".join(data.draw(st.permutations(reference)))
    neighbours, blocks = swaps(reference), all_moves(reference)
    expected = RIGHT if order == reference else SWAP if order in neighbours else BLOCK if order in blocks else OTHER
    found = order_error(order, reference)
    assert found.kind is expected
    assert (found.first_wrong, found.last_wrong) == (order[0] != reference[0], order[-1] != reference[-1])


def test_of_all_120_orders_of_five_steps_four_are_swaps_and_sixteen_moved_blocks():
    kinds = [order_error(order, "abcde").kind for order in permutations("abcde")]
    assert [kinds.count(kind) for kind in OrderErrorKind] == [1, 4, 16, 99, 0], (
        "20 = 6 · 5 · 4 / 6 blocks, 4 of them swaps"
    )
