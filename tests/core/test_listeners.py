"""Listeners hear all that is said, whoever else listens, and come and go while it is said."""

from __future__ import annotations

import threading

import pytest

from stepscope.core.listeners import Listeners


def test_each_of_several_listeners_hears_what_is_told() -> None:
    told, first, second = Listeners[int](), list[int](), list[int]()
    end_first = told.add(first.append)
    told.add(second.append)
    told.tell(1)
    end_first()
    end_first()
    told.tell(2)
    assert (first, second) == ([1], [1, 2])


def test_a_listener_that_came_twice_is_taken_away_once() -> None:
    told, heard = Listeners[int](), list[int]()
    end = told.add(heard.append)
    told.add(heard.append)
    end()
    told.tell(1)
    assert heard == [1]


def test_a_listener_may_end_itself_and_add_others_while_it_is_told() -> None:
    told, heard = Listeners[int](), list[object]()

    def once(thing: int) -> None:
        heard.append(("once", thing))
        end()
        told.add(heard.append)

    end = told.add(once)
    told.add(lambda thing: heard.append(("always", thing)))
    told.tell(1)
    told.tell(2)
    assert heard == [("once", 1), ("always", 1), ("always", 2), 2]


def test_a_listener_that_breaks_costs_the_others_nothing_and_is_told_to_the_teller() -> None:
    told, heard = Listeners[int](), list[int]()

    def broken(_thing: int) -> None:
        raise ValueError("no")

    told.add(broken)
    told.add(heard.append)
    with pytest.raises(ValueError, match="no"):
        told.tell(1)
    assert heard == [1]


def test_nothing_is_lost_while_others_come_and_go_in_other_threads() -> None:
    told, heard, said = Listeners[int](), list[int](), 2000
    told.add(heard.append)
    ended = threading.Event()

    def come_and_go() -> None:
        while not ended.is_set():
            told.add(lambda _thing: None)()

    threads = [threading.Thread(target=come_and_go) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for number in range(said):
            told.tell(number)
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    assert heard == list(range(said))
    told.tell(-1)
    assert heard[said:] == [-1]
