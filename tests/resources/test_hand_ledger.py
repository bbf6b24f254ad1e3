"""What went to a page is waited for until the page has heard of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from stepscope.resources.sample.steps import Steps
from stepscope.resources.webtask.hand_ledger import HEARD_SECONDS, HandLedger


class Page:
    """It has heard of so many at each question, and then of no more; a pause is half the time that it may take."""

    def __init__(self, *answers: Mapping[str, int]) -> None:
        self.now = 0.0
        self.asked = 0
        self.ledger = HandLedger(lambda: self.now)
        self._answers: Iterator[Mapping[str, int]] = iter(answers)
        self._last: Mapping[str, int] = {}

    def counts(self) -> Steps:
        self.asked += 1
        self._last = next(self._answers, self._last)
        yield from ()
        return self._last

    def pauses(self) -> int:
        number = 0
        for _ in self.ledger.heard(self.counts, lambda _resume: None):
            number += 1
            self.now += HEARD_SECONDS * 0.5
        return number


def test_a_page_to_which_nothing_was_sent_is_not_asked() -> None:
    page = Page()
    assert page.pauses() == 0 and page.asked == 0


def test_the_last_key_is_waited_for() -> None:
    page = Page({"key": 0}, {"key": 1}, {"key": 1}, {"key": 2})
    for _ in range(2):
        page.ledger.sent("key")
    assert page.pauses() == 2 and page.asked == 4  # twice nothing new
    assert page.pauses() == 0 and page.asked == 4  # it is known now


def test_a_page_that_goes_on_is_waited_for_as_long_as_it_takes() -> None:
    page = Page(*({"key": number // 2} for number in range(40)))
    for _ in range(19):
        page.ledger.sent("key")
    assert page.pauses() > 10  # ten times what is given to one


def test_what_went_into_a_frame_is_given_up_and_the_next_is_waited_for_again() -> None:
    page = Page({"key": 1})
    for _ in range(3):
        page.ledger.sent("key")
    assert page.pauses() == 3
    page.ledger.sent("key")
    page._answers = iter([{"key": 1}, {"key": 2}])
    assert page.pauses() == 1


def test_turns_of_the_wheel_may_be_heard_as_one() -> None:
    page = Page({"wheel": 1})
    for _ in range(5):
        page.ledger.sent_as_one("wheel")
    assert page.pauses() == 0
    page.ledger.sent_as_one("wheel")
    page._answers = iter([{"wheel": 1}, {"wheel": 2}])
    assert page.pauses() == 1


def test_another_page_has_heard_of_nothing() -> None:
    page = Page({"key": 1}, {"key": 0}, {"key": 1})
    page.ledger.sent("key")
    assert page.pauses() == 0
    page.ledger.clear()
    page.ledger.sent("key")
    assert page.pauses() == 1 and page.asked == 3


def test_what_is_sent_meanwhile_is_not_waited_for() -> None:
    page = Page({"key": 0}, {"key": 1})
    page.ledger.sent("key")
    steps = page.ledger.heard(page.counts, lambda _resume: None)
    next(steps)
    page.ledger.sent("key")
    assert list(steps) == [] and page.asked == 2
