"""An episode as an ambiguous task makes it: the goal that leaves something out, and an ASK step before each step that
needs what is missing.

Source: Navi-plus, algorithm 1 and figure 1: the annotated ASK is a step of its own, on the screen of the step whose
content the goal lacks, which follows with the person's answer known.
"""

from __future__ import annotations

from dataclasses import replace

from stepscope.core.domain.action import AskUser
from stepscope.core.domain.ambiguous_task import AmbiguousTask
from stepscope.core.domain.episode import Ask, Episode, Platform, Step


def ambiguous_episode(task: AmbiguousTask, episode: Episode, name: str = "") -> Episode:
    """The episode under the task's goal, its steps counted anew from 0 with the ASK steps among them; steps without an
    instruction get the one that was made for the task. `name` is its id, its own without one. A question of a step that
    is not there is left out."""
    words = {reading.index: reading.instruction for reading in task.readings}
    due = {ask.step: ask for ask in task.asks}
    steps: list[Step] = []
    asks: list[Ask] = []
    places: dict[int, int] = {}
    for step in episode.steps:
        ask = due.get(step.index)
        if ask is not None:
            asks.append(replace(ask, step=len(steps)))
            steps.append(Step(len(steps), step.observation, AskUser(ask.question)))
        places[step.index] = len(steps)
        instruction = step.instruction or words.get(step.index) or None
        steps.append(replace(step, index=len(steps), instruction=instruction))
    problems = tuple(
        replace(problem, step=None if problem.step is None else places.get(problem.step))
        for problem in episode.problems
    )
    return replace(
        episode,
        id=name or episode.id,
        goal=task.goal,
        original_goal=task.original,
        steps=tuple(steps),
        asks=tuple(asks),
        problems=problems,
    )


def own_episode(task: AmbiguousTask, name: str) -> Episode:
    """The task as an ask record has it: without steps, under this id, its questions at the steps of the data itself."""
    return Episode(name, "asks", Platform.TEXT, task.goal, (), asks=task.asks, original_goal=task.original)
