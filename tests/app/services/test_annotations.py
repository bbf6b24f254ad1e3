"""Changes and how they are undone; places that the data has; which id was meant."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from stepscope.app.services.annotations import AnnotationChange, AnnotationTargets, listed, make
from stepscope.app.services.nearest import nearest_hint
from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.domain.episode import Episode, Observation, Platform, Step, summarise
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import sources

PATH = Path("data/gaps")


def said(kind, value="", author="ann", step=None):
    return Annotation(str(PATH), "a", step, kind, value, author, datetime(2024, 5, 1, tzinfo=UTC))


class Source:
    """`a` has steps 0, 1 and 5; `broken` has an outline with two steps and cannot be read."""

    path, format = PATH, "fake"

    def read(self, episode):
        if episode == "broken":
            raise SourceError("goal is missing", place=PATH)
        return self.episode

    episode = Episode("a", "fake", Platform.WEB, "", tuple(Step(index, Observation(Size(1, 1))) for index in (0, 1, 5)))


@pytest.fixture
def database():
    with Database.open("sqlite://") as opened:
        yield opened


@pytest.fixture
def places(database):
    rows = [summarise(Source.episode), summarise(Episode("broken", "fake", Platform.WEB, "", Source.episode.steps[:2]))]
    with database.unit_of_work() as db:
        source_id = sources.replace_index(db, PATH, "fake", "f", rows).id
    return AnnotationTargets(database, source_id, Source())


def test_a_change_is_undone_and_done_again_exactly(database):
    make(database, AnnotationChange(after=(said(AnnotationKind.NOTE, "old", "bob"), said(AnnotationKind.STAR))))
    at_first = listed(database, str(PATH))
    done = make(database, AnnotationChange((said(AnnotationKind.STAR),), (said(AnnotationKind.NOTE, "new"),)))
    assert set(done.before) == set(at_first)
    assert listed(database, str(PATH)) == [said(AnnotationKind.NOTE, "new")]
    undone = make(database, done.undone())
    assert listed(database, str(PATH)) == at_first
    make(database, undone.undone())
    assert listed(database, str(PATH)) == [said(AnnotationKind.NOTE, "new")]


@pytest.mark.parametrize(
    ("episode", "step"), [("a", None), ("a", 0), ("a", 1), ("a", 5), ("broken", 1), ("broken", None)]
)
def test_places_of_the_data(places, episode, step):
    places.check(episode, step)


@pytest.mark.parametrize(
    ("episode", "step", "error", "words"),
    [
        ("a", 3, UsageError, "episode 'a' has no step 3. Nearest: 1."),
        ("a", 4, UsageError, "episode 'a' has no step 4. Nearest: 5."),
        ("broke", 0, UsageError, "there is no episode 'broke'. Nearest: broken."),
        ("broken", 2, SourceError, "goal is missing"),
    ],
)
def test_places_that_the_data_does_not_have(places, episode, step, error, words):
    with pytest.raises(error, match=words):
        places.check(episode, step)


def test_nearest_ids_are_looked_for_a_few_times_only(places):
    hints = []
    for number in range(5):
        with pytest.raises(UsageError) as caught:
            places.check(f"broken{number}", None)
        hints.append(caught.value.hint)
    assert hints[:3] == ["Nearest: broken."] * 3
    assert all("--episodes" in hint for hint in hints[3:])


@pytest.mark.parametrize(
    ("name", "known", "words"),
    [
        ("b", [], ""),
        ("lam", ["chair", "lamp"], "Nearest: lamp."),
        ("zzz", ["a", "b"], "It has: a, b."),
        ("zzz", list("abcdefg"), "It has: a, b, c, d, e, …."),
        ("x1", [f"x1{n}" for n in range(9)], "Nearest: x10, x11, x12, x13, x14."),
    ],
)
def test_which_id_was_meant(name, known, words):
    assert nearest_hint(name, known) == words
