"""Back and Forward: a list of places like a browser's, and the keys in the whole window."""

from __future__ import annotations

from stepscope.app.gui.shell.back_and_forward import History, VisitedPlace
from stepscope.app.gui.shell.selection import NavigationPlace


class Clock:
    """Says when it is; `wait` lets time pass."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def wait(self, seconds: float) -> None:
        self.seconds += seconds

    def __call__(self) -> float:
        return self.seconds


def at(episode: str, step: int = 0, *, workspace: str = "replay", looked_at: object = None) -> VisitedPlace:
    return VisitedPlace(workspace, NavigationPlace("data", episode, step), looked_at)


def test_going_back_and_on_and_somewhere_else() -> None:
    history = History(Clock())
    for place in (at("a"), at("b"), at("b", 1), at("c")):
        history.visit(place)
    assert history.back() == at("b", 1), "walked on by a step"
    assert history.back() == at("a")
    assert not history.can_go_back
    assert history.back() is None
    assert history.forward() == at("b", 1)
    history.visit(at("x"))
    assert not history.can_go_forward
    assert history.back() == at("b", 1)


def test_steps_that_one_stayed_at_are_places_and_those_hurried_through_are_not() -> None:
    clock = Clock()
    history = History(clock)
    history.visit(at("a", 0))
    clock.wait(2)
    for step in (5, 9, 20):
        history.visit(at("a", step))
        clock.wait(0.2)
    clock.wait(2)
    history.visit(at("a", 3))
    assert [history.back(), history.back(), history.back()] == [at("a", 20), at("a", 0), None]


def test_a_place_that_was_gone_back_to_is_never_overwritten_by_a_jump() -> None:
    history = History(Clock())
    for place in (at("a"), at("b")):
        history.visit(place)
    assert history.back() == at("a")
    history.visit(at("a", 7))
    assert history.back() == at("a")


def test_workspaces_and_what_they_look_at_are_places() -> None:
    history = History(Clock())
    places = [at("a"), at("a", workspace="results"), at("a", workspace="results", looked_at="a cell"), at("a")]
    for place in places:
        history.visit(place)
    assert [history.back() for _ in range(4)] == [*reversed(places[:3]), None]


def test_the_oldest_places_go() -> None:
    history = History(Clock())
    for number in range(History.LIMIT + 5):
        history.visit(at(str(number)))
    while history.can_go_back:
        history.back()
    assert history.here == at("5")


def test_open_in_replay_is_undone_by_back_and_done_again_by_forward(person) -> None:
    """A cell of the confusion, its item in Replay, back to the cell, further back to where everything began."""
    person.evaluate("text-match", "aitw")
    begin = person.place
    results, breakdown = person.bench.results, person.bench.breakdown
    person.until(lambda: breakdown.loaded is not None, "the cards")
    person.settle()
    view = person.window.results.cards.confusion.cells
    counts = breakdown.loaded.breakdown.confusion.cells
    cell = next((r, c) for r, line in enumerate(counts) for c, one in enumerate(line) if one.count)
    person.click(view, view.tile(*cell).center().toPoint())
    person.settle()
    chosen = breakdown.keys
    assert chosen
    panel = person.window.selected
    person.until(lambda: panel.model.peek(0) is not None, "the rows")
    last = panel.model.index(panel.model.rowCount() - 1, 0)
    panel.list.setCurrentIndex(last)
    person.settle()
    key = panel.model.peek(last.row()).key
    person.press("Return", panel.list)
    person.until(lambda: person.place == (key.episode, key.step), "the step")
    person.settle()
    assert person.window.workspace == "replay"
    breakdown.select(())
    person.press("Alt+Left")
    person.until(lambda: breakdown.keys == chosen, "the cell")
    person.settle()
    assert person.window.workspace == "results" and results.chosen
    person.press("Alt+Left")
    person.settle()
    assert person.window.workspace == "results" and breakdown.keys == ()
    person.press("Alt+Left")
    person.arrive(*begin)
    assert person.window.workspace == "replay"
    for _ in range(3):
        person.press("Alt+Right")
        person.settle()
    person.until(lambda: person.place == (key.episode, key.step), "the step again")
    assert person.window.workspace == "replay"
