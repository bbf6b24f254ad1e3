"""Answers that the data has for an agent's questions: those of an episode with the same goal."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from stepscope.app.services.live.agent_words import NO_ANSWERS
from stepscope.core.domain.episode import Ask, Episode, EpisodeSummary
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass

if TYPE_CHECKING:
    from stepscope.core.sources.source import Source
    from stepscope.core.store.engine import Database


@dataclass(frozen=True, slots=True)
class DataAnswers:
    """The questions with answers of the episode `episode`, as they were due; `given` are places in `asks` that were
    given, with the words of the question that each answered."""

    episode: str
    asks: tuple[Ask, ...]
    given: tuple[tuple[int, str], ...] = ()

    def nearest(self, step: int, question: str) -> Ask | None:
        """The answer to a question at this step: the one that was given to the same words before, else that of the
        question which was due nearest, of equally near ones the earlier; each is given once. None where none is left.
        """
        place = self._place(step, question)
        return None if place is None else self.asks[place]

    def having_answered(self, step: int, question: str) -> DataAnswers:
        """With the answer given that `nearest` tells."""
        place = self._place(step, question)
        return self if place is None else replace(self, given=(*self.given, (place, _plain(question))))

    def why_not(self) -> str:
        """Why there is none, where `nearest` has none."""
        if self.asks:
            return f"The data's answers were given: {self.episode} has {len(self.asks)}."
        return f"The data has no answer: nothing was asked in {self.episode}." if self.episode else NO_EPISODE

    def _place(self, step: int, question: str) -> int | None:
        again = next((place for place, words in self.given if words == _plain(question)), None)
        if again is not None:
            return again
        used = {place for place, _words in self.given}
        left = [place for place in range(len(self.asks)) if place not in used]
        return min(left, key=lambda place: (abs(self.asks[place].step - step), place), default=None)


NO_EPISODE = "The data has no answer: no episode with questions has this goal."


def answers_of(episode: Episode) -> DataAnswers:
    """Those of this episode; a question that nobody answered has none to give."""
    answered = (one for one in episode.asks if one.answer.strip() and one.answer not in NO_ANSWERS)
    asks = sorted(answered, key=lambda one: one.step)
    return DataAnswers(episode.id, tuple(asks))


def answers_to_goal(episodes: Iterable[Episode], goal: str) -> DataAnswers:
    """Those of the first of these episodes that has this goal (equal words) and answers."""
    wanted = _plain(goal)
    for episode in episodes:
        if _plain(episode.goal) == wanted and (found := answers_of(episode)).asks:
            return found
    return DataAnswers("", ())


def answers_in(database: Database, source_id: int, source: Source, goal: str) -> DataAnswers:
    """The same, of an indexed source: only episodes that the index knows to have questions are read, and of those whose
    goal is this one. An episode that cannot be read has none."""
    from stepscope.core.store.repositories.sources import asked_with_goal

    with database.reading() as db:
        places = asked_with_goal(db, source_id, goal)
    for name, place in places:
        with suppress(SourceError):
            if (found := answers_to_goal([source.read(name, place)], goal)).asks:
                return found
    return DataAnswers("", ())


def answers_of_source(source: Source, goal: str, episode: str = "") -> DataAnswers:
    """Those of a source that has no index: of the episode that is named, or of the first with this goal. Raises
    UsageError for an episode that there is not, SourceError for one that cannot be read."""
    if episode:
        return answers_of(source.read(episode))
    for row in source.scan():
        if isinstance(row, EpisodeSummary) and row.asks and _plain(row.goal) == _plain(goal):
            with suppress(SourceError):
                if (found := answers_of(source.read(row.id, row.place))).asks:
                    return found
    return DataAnswers("", ())


def _plain(words: str) -> str:
    return " ".join(words.casefold().split())
