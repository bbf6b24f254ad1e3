"""What runs are called: no two alike, and no longer than that takes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.app.gui.shell.run_words import names_of
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import LONGEST_TAG, MOST_TAGS, Run, RunLabels, RunSpec, RunState

MADE = datetime(2026, 3, 9, 14, 2, tzinfo=UTC)


def run(number: int, model: str = "copy", protocol: str = "aitw", *, name: str = "", after: int = 0, **spec) -> Run:
    """One of `number` as its id, made `after` seconds later than the first."""
    settings = RunSpec(Task.AUTOMATION, model, "/data", "recording", protocol, **spec)
    created = MADE + timedelta(seconds=after)
    return Run(f"run-{number}", settings, RunState.DONE, created, labels=RunLabels(name))


def names(*runs: Run, short: bool = False) -> list[str]:
    return list(names_of(runs, short=short).values())


def test_names_are_as_long_as_telling_them_apart_needs() -> None:
    runs = [run(0), run(1, protocol="aitz"), run(2, protocol="aitz", seed=1), run(3, "random")]
    assert names(*runs, short=True) == ["copy · aitw", "copy · aitz · seed 0", "copy · aitz · seed 1", "random"]
    assert names(*runs) == ["copy · aitw", "copy · aitz · seed 0", "copy · aitz · seed 1", "random · aitw"]


def test_settings_that_differ_are_named_and_the_usual_ones_are_not() -> None:
    options = (("k", "1"),), (("k", "5"), ("extra", "yes"))
    assert names(run(0, options=options[0]), run(1, options=options[1])) == [
        "copy · aitw · k=1", "copy · aitw · k=5 · extra=yes",
    ]  # fmt: skip
    assert names(run(0), run(1, limit=1500)) == ["copy · aitw", "copy · aitw · limit 1,500"]
    assert names(run(0, predictions="/a/b/mine.jsonl"), run(1)) == ["copy · aitw · mine.jsonl", "copy · aitw"]


def test_the_one_run_of_a_name_that_is_not_archived_keeps_it() -> None:
    away = replace(run(0, seed=1, name="Juniper"), labels=RunLabels("Juniper", archived=True))
    assert names(away, run(1, name="Juniper")) == ["Juniper · seed 1", "Juniper"]
    assert names(away, run(1, name="Juniper"), run(2, name="Juniper", seed=2)) == [
        "Juniper · seed 1", "Juniper · seed 0", "Juniper · seed 2",
    ]  # fmt: skip
    other = replace(away, id="other")
    assert len(set(names(away, other))) == 2, "archived ones are told apart too"


def test_equal_settings_leave_the_time_and_equal_times_a_number() -> None:
    at = [replace(run(0, after=seconds), id=f"run-{seconds}") for seconds in (0, 60, 30)]
    assert all(name.startswith("copy · aitw · ") for name in names(*at[:2]))
    assert len(set(names(*at))) == 3, "to the second where the minute is the same"
    assert [name[-3:] for name in names(run(1), run(2))] == ["(1)", "(2)"]


def test_a_time_says_its_day_where_that_is_not_today() -> None:
    noon = datetime.now().astimezone().replace(hour=12, minute=0, second=0, microsecond=0)
    days = [noon, noon - timedelta(days=1), noon.replace(year=noon.year - 2, month=3, day=9)]
    before = f"{days[1].day} {days[1]:%b}" + ("" if days[1].year == noon.year else f" {days[1].year}")
    assert names(*(replace(run(at), created=day) for at, day in enumerate(days))) == [
        "copy · aitw · 12:00", f"copy · aitw · {before} 12:00", f"copy · aitw · 9 Mar {noon.year - 2} 12:00",
    ]  # fmt: skip


def test_an_own_name_is_the_name_until_two_have_it() -> None:
    assert names(run(0, name="The baseline"), run(1)) == ["The baseline", "copy · aitw"]
    assert names(run(0, name="Mine"), run(1, "random", name="Mine")) == ["Mine · copy", "Mine · random"]


@given(
    st.lists(
        st.builds(
            lambda model, protocol, name, seed, after: run(0, model, protocol, name=name, seed=seed, after=after),
            st.sampled_from(("copy", "random")), st.sampled_from(("aitw", "aitz")),
            st.sampled_from(("", "Mine")), st.integers(0, 2), st.integers(0, 3),
        ),
        max_size=9,
    ),
    st.booleans(),
)  # fmt: skip
def test_no_two_runs_are_called_alike(runs: list[Run], short: bool) -> None:
    known = names_of([replace(one, id=f"run-{place}") for place, one in enumerate(runs)], short=short)
    assert len(set(known.values())) == len(runs)


def test_what_is_said_is_kept_tidy_and_too_much_is_refused() -> None:
    said = RunLabels("  The \n baseline ", " why\nnot ", (" camera  ready", "", "old", "camera ready"), True)
    assert said.tidied() == RunLabels("The baseline", "why\nnot", ("camera ready", "old"), True)
    for wrong in (RunLabels(tags=("a" * (LONGEST_TAG + 1),)), RunLabels(tags=("a,b",)),
                  RunLabels(tags=tuple(str(number) for number in range(MOST_TAGS + 1)))):  # fmt: skip
        with pytest.raises(ValueError, match=r"[Tt]ag"):
            wrong.tidied()
