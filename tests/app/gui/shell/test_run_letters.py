"""Letters of runs: given once, never moved."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stepscope.app.gui.shell.run_letters import LETTERS, LetterBook, LetterPassed


def letters(book: LetterBook) -> str:
    """Such as "A=run0 C=run2"."""
    return " ".join(f"{LETTERS[number]}={run}" for run, number in book.shown.items())


def book_of(*runs: str) -> LetterBook:
    book = LetterBook()
    for run in runs:
        book.show(run)
    return book


def test_a_letter_is_kept_while_others_come_and_go() -> None:
    book = book_of("a", "b", "c")
    book.hide("a")
    assert letters(book) == "B=b C=c", "nobody moves up"
    book.show("d")
    assert letters(book) == "B=b C=c D=d", "A is still the first one's"
    book.show("a")
    assert letters(book) == "A=a B=b C=c D=d"


def test_the_run_that_was_away_longest_gives_up_its_letter_once_all_are_given() -> None:
    book = book_of(*LETTERS.lower())
    for run in ("c", "a", "f"):
        book.hide(run)
    assert book.show("new") and book.shown["new"] == LETTERS.index("C")
    assert book.show("c") and book.shown["c"] == LETTERS.index("A"), "its own is another's now"
    assert book.show("f") and book.shown["f"] == LETTERS.index("F"), "it had not lost it"


def test_a_ninth_run_takes_nobody_s_place() -> None:
    book = book_of(*LETTERS.lower())
    before = book.shown
    assert not book.show("ninth")
    assert book.shown == before


def test_a_wish_is_granted_where_the_letter_is_free() -> None:
    book = book_of("a")
    assert book.show("x", wish=3) and book.show("y", wish=0) and book.show("a", wish=5)
    assert letters(book) == "A=a B=y D=x"


def test_deleted_runs_give_their_letters_back() -> None:
    book = book_of("a", "b", "c")
    book.hide("b")
    book.keep({"c"})
    assert letters(book) == "C=c"
    book.show("d")
    assert letters(book) == "A=d C=c"


def test_only_these_are_shown() -> None:
    book = book_of("a", "b", "c")
    book.show_only(("d", "b"), {"d": 7})
    assert letters(book) == "B=b H=d"


def test_what_is_kept_comes_back_and_nonsense_is_left_out() -> None:
    book = book_of("a", "b", "c")
    book.hide("b")
    again = LetterBook.from_state(book.state())
    assert again.state() == book.state() and letters(again) == "A=a C=c"
    again.show("b")
    assert again.shown["b"] == 1
    odd = LetterBook.from_state(
        {"given": {"a": 0, "b": 0, "c": 8, "d": "1", "e": True}, "shown": ["a", "e", "gone", 3]}
    )
    assert letters(odd) == "A=a B=e"
    assert LetterBook.from_state({"given": [1], "shown": 7}).state() == {"given": {}, "shown": []}


@given(st.lists(st.tuples(st.booleans(), st.sampled_from([f"run{n}" for n in range(12)])), max_size=60))
def test_no_letter_ever_moves_while_its_run_is_shown(acts: list[tuple[bool, str]]) -> None:
    book = LetterBook()
    for is_shown, run in acts:
        before = dict(book.shown)
        if is_shown:
            assert book.show(run) == (run in before or len(before) < len(LETTERS))
        else:
            book.hide(run)
        after = book.shown
        assert {one: after[one] for one in before if one in after} == {
            one: before[one] for one in before if one in after
        }
        assert set(before) - set(after) <= {run} and set(after) - set(before) <= {run}
        assert len(set(after.values())) == len(after) and list(after.values()) == sorted(after.values())


def test_what_a_letter_named_before_is_told_and_can_name_it_again() -> None:
    book = book_of(*LETTERS.lower())
    for run in ("d", "b"):
        book.hide(run)
    before = book.given
    assert book.show("new")
    (passed,) = book.passed_since(before)
    assert passed == LetterPassed(LETTERS.index("D"), before="d", now="new")
    book.give_back(passed)
    assert book.given == before and "new" not in book.shown and "d" not in book.shown
    assert book.show("other") and book.shown["other"] == LETTERS.index("D"), "d is again the one away longest"
    book.give_back(passed)
    assert book.shown["other"] == LETTERS.index("D"), "it went on to another run since"


def test_a_letter_that_nobody_had_passes_from_nobody() -> None:
    book = book_of("a", "b")
    book.hide("a")
    before = book.given
    book.show("c")
    book.show("a")
    assert book.passed_since(before) == ()


def test_a_run_that_stands_in_anothers_place_has_its_letter() -> None:
    book = book_of("a", "b", "c")
    book.hide("c")
    book.hand_on("b", "again")
    assert book.shown == {"a": 0, "again": 1} and "b" not in book.given
    book.hand_on("again", "b")
    assert book.shown == {"a": 0, "b": 1} and "again" not in book.given
    book.hand_on("c", "a")
    assert book.given == {"b": 1, "a": 2} and book.shown == {"b": 1}, "hidden as the other was, under its letter alone"
    book.hand_on("nobody", "b")
    assert book.shown == {"b": 1}
