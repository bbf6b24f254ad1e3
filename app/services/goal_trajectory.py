"""A trajectory as a model that is asked for its goal gets to see it: the same steps, words and drawn screens."""

from __future__ import annotations

from stepscope.core.domain.episode import Episode
from stepscope.core.evaluation.tasks.kind import done_in
from stepscope.core.frozen import dataclass
from stepscope.models.chat.pictures import MarkedPart, marked_part
from stepscope.models.chat.redaction_rules import redaction_of
from stepscope.models.chat.trajectory import kept_steps, step_words


@dataclass(frozen=True, slots=True)
class TrajectoryStep:
    """`place` in the episode's steps; `words` are what was done, "" for the last screen."""

    place: int
    words: str


def trajectory_of(episode: Episode) -> tuple[TrajectoryStep, ...]:
    """The steps of the request, all of them: a model gets evenly spread ones of a very long way."""
    redaction = redaction_of(episode.app)
    kept = kept_steps([step.observation for step in episode.steps], done_in(episode))
    return tuple(
        TrajectoryStep(place, "" if action is None else step_words(seen, action, episode.platform, redaction))
        for place, seen, action in kept
    )


def trajectory_screen(episode: Episode, place: int) -> MarkedPart | None:
    """The screen at a place in the episode's steps with its action drawn on it, a long web page cut; None where there
    is no picture. Raises SourceError for a broken one."""
    seen, action = episode.steps[place].observation, done_in(episode)[place]
    return marked_part(seen, action, episode.platform, redaction=redaction_of(episode.app))
