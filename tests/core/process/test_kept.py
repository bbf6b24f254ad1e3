"""Processes that are lent to one caller at a time."""

from __future__ import annotations

from stepscope.core.process.kept import KeptProcesses


class Lamp:
    """Stands for a process: whether it was ended."""

    ended = False

    def close(self) -> None:
        self.ended = True


def test_one_that_is_idle_is_lent_again_and_two_at_once_are_two() -> None:
    made: list[Lamp] = []

    def make() -> Lamp:
        made.append(Lamp())
        return made[-1]

    kept = KeptProcesses(make, 1)
    with kept.borrowed() as first, kept.borrowed() as second:
        assert [first, second] == made
    assert [lamp.ended for lamp in made] == [True, False], "one is kept: the first that was given back"
    with kept.borrowed() as again:
        assert again is made[1]
    kept.close()
    assert made[1].ended
    with kept.borrowed() as fresh:
        assert fresh is made[2]
    assert len(made) == 3


def test_one_is_given_back_though_its_caller_failed() -> None:
    kept = KeptProcesses(Lamp, 1)
    try:
        with kept.borrowed() as lamp:
            raise KeyError
    except KeyError:
        pass
    with kept.borrowed() as again:
        assert again is lamp
