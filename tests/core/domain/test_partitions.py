"""MoTIF's partitions: hand-made demonstrations, and what holds for any."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.partitions import (
    PARTITIONS,
    TEST,
    TRAIN,
    EpisodeTask,
    dealt_by_app,
    dealt_parts,
    part_of_partition,
    partition_of,
    set_aside,
    shares_unseen,
)

ALL, CURRENT, APP, BOTH = PARTITIONS
TASKS = ("search", "share", "log out", "rate")


def grid(apps: str = "abcd", tasks: tuple[str, ...] = TASKS) -> list[EpisodeTask]:
    """Every task in every app, shown once; ids are app and task."""
    return [EpisodeTask(f"{app} {task}", app, task) for app in apps for task in tasks]


def by_part(found: dict[str, str]) -> dict[str, set[str]]:
    return {part: {one for one, of in found.items() if of == part} for part in (TRAIN, *PARTITIONS)}


def test_every_task_in_every_app() -> None:
    """By sha256sum: of the apps d comes first (18ac…), of the tasks search (2419…), of the nine pairs that are left log
    out in a (0675…). Of four apps, four tasks and nine pairs 15 % are one each."""
    found = by_part(dict(dealt_parts(grid())))
    assert found[ALL] == {"a search", "b search", "c search"} and found[BOTH] == {"d search"}
    assert found[CURRENT] == {"a log out"} and found[APP] == {"d share", "d log out", "d rate"}
    assert len(found[TRAIN]) == 8


def test_the_apps_that_data_holds_out_are_taken() -> None:
    found = by_part(dict(dealt_parts(grid(), {"b", "not here"})))
    assert {one[0] for one in found[APP] | found[BOTH]} == {"b"}
    assert {one[0] for one in found[TRAIN]} == {"a", "c", "d"}


def test_for_feasibility_whole_apps_are_held_out() -> None:
    """The same apps as of the four partitions; what names no app or goal is in no part."""
    nameless = EpisodeTask("nameless", "", "rate")
    found = dealt_by_app([*grid(), nameless])
    assert {one[0] for one, part in found.items() if part == TEST} == {"d"}
    assert {one[0] for one, part in found.items() if part == TRAIN} == {"a", "b", "c"} and len(found) == 16
    assert {one[0] for one, part in dealt_by_app(grid(), {"b"}).items() if part == TEST} == {"b"}
    assert set(dealt_by_app(grid("a")).values()) == {TRAIN}


def test_a_task_is_its_words_and_what_names_none_is_in_no_part() -> None:
    shown = [EpisodeTask("1", "a", "Log  out"), EpisodeTask("2", "b", "log out "), EpisodeTask("3", "", "rate"),
             EpisodeTask("4", "a", " ")]  # fmt: skip
    found = dealt_parts(shown, {"b"})
    assert dict(found) == {"1": TRAIN, "2": APP}


def test_an_app_with_one_demonstration_stays_in_training_or_is_unseen() -> None:
    """Its task is its last: it is not held out, neither everywhere nor for this app alone."""
    shown = [*grid("ab"), EpisodeTask("single", "c", "search")]
    assert dealt_parts(shown, {"b"})["single"] == TRAIN
    assert dealt_parts(shown, {"c"})["single"] in (APP, BOTH)


def test_of_one_app_no_app_is_held_out() -> None:
    found = by_part(dict(dealt_parts(grid("a"))))
    assert not found[APP] | found[BOTH] | found[CURRENT] and len(found[ALL]) == 1
    assert not dealt_parts([])


def test_of_apps_that_share_no_task_two_partitions_are_empty() -> None:
    shown = [EpisodeTask(f"{app}{n}", app, f"{app} task {n}") for app in "abc" for n in range(5)]
    found = by_part(dict(dealt_parts(shown)))
    assert not found[CURRENT] and not found[APP] and found[ALL] and found[BOTH]


names = st.sampled_from(["a", "b", "c", "d", "e", ""])
shown = st.lists(st.tuples(names, st.sampled_from(["t", "u", "v", "w", "x", "T ", ""])), max_size=40).map(
    lambda pairs: [EpisodeTask(str(at), app, task) for at, (app, task) in enumerate(pairs)]
)


@given(shown, st.sets(names, max_size=2))
def test_parts_are_disjoint_and_cover_and_training_sees_nothing_unseen(
    every: list[EpisodeTask], held_out: set[str]
) -> None:
    found = dealt_parts(every, held_out)
    assert set(found) == {one.id for one in every if one.app and one.task}
    of = {part: [one for one in every if found.get(one.id) == part] for part in (TRAIN, *PARTITIONS)}
    assert sum(map(len, of.values())) == len(found)
    pairs = {one.pair for one in of[TRAIN]}
    apps, tasks = {app for app, _ in pairs}, {task for _, task in pairs}
    for part in PARTITIONS:
        for one in of[part]:
            assert (one.app in apps) is part.startswith("app_seen")
            assert (one.task in tasks) is (part in (CURRENT, APP))
            assert one.pair not in pairs
    if held_out & {one.app for one in every if one.app and one.task}:
        assert not apps & held_out
    assert dealt_parts(every[::-1], held_out) == found, "the order is no matter"


@given(shown, shown, st.sets(st.integers(0, 39).map(str)))
def test_further_data_brings_in_nothing_that_is_to_be_unseen(
    own: list[EpisodeTask], other: list[EpisodeTask], learned: set[str]
) -> None:
    hidden = shares_unseen(own, learned, other)
    known = [one for one in own if one.id in learned]
    for one in other:
        kept = one.id not in hidden
        for test in own:
            if test.id in learned:
                continue
            new_app = test.app and test.app not in {one.app for one in known}
            new_task = test.task and test.task not in {one.task for one in known}
            assert not (kept and new_app and one.app == test.app)
            assert not (kept and new_task and one.task == test.task)


def test_further_data_keeps_what_training_has_seen_anyway() -> None:
    own = [EpisodeTask("1", "a", "search"), EpisodeTask("2", "b", "share"), EpisodeTask("3", "a", "share")]
    other = [EpisodeTask("k", "a", "rate"), EpisodeTask("n", "", "click on x"), EpisodeTask("x", "b", "rate"),
             EpisodeTask("y", "z", "share"), EpisodeTask("z", "z", "Search")]  # fmt: skip
    assert shares_unseen(own, {"1"}, other) == {"x", "y"}
    assert shares_unseen(own, {"1", "2"}, [EpisodeTask("p", "a", "share")]) == {"p"}, "unseen in this app"
    assert shares_unseen(own, {"1", "2", "3"}, other) == set()


def test_a_share_is_set_aside_by_whole_pairs() -> None:
    twice = [*grid(), *(one._replace(id=f"{one.id} again") for one in grid())]
    aside = set_aside(twice, 0.1)
    assert len(aside) == 4, "two of sixteen pairs, both of their demonstrations"
    assert {one for one in aside if one.endswith("again")} == {f"{one} again" for one in aside if "again" not in one}
    assert len(set_aside(grid(), 0.01)) == 2 and len(set_aside(grid()[:2], 0.1)) == 1, "two if that leaves one"
    alone = [EpisodeTask(str(n), "a", "search") for n in range(20)]
    assert len(set_aside(alone, 0.1)) == 2 and not set_aside(alone[:1], 0.1)


def test_names() -> None:
    assert partition_of("Feasibility/test") == "feasibility"
    assert partition_of("App_Unseen_Task_Seen/test") == APP and partition_of("app_unseen") == partition_of("test") == ""
    assert part_of_partition(APP, TEST) == f"{APP}/test" and part_of_partition(f"{APP}/train", TEST) == f"{APP}/train"
    assert part_of_partition("app_unseen", TEST) == "app_unseen"
