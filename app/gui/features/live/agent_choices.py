"""The agents that can act on a device: the models that can be asked about a live screen, as the task panel lists
them, and those that guess at the task from what was done."""

from __future__ import annotations

from dataclasses import replace

from stepscope.app.gui.shell.task_titles import TASK_TITLES
from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.widgets.live import AgentChoice

BESIDE = "+"
"""Between the name of a model that acts and that of one which says when to ask."""
_PLACES = {"none": "rules", "service": "on its server"}


def agent_choices(run: int = 0) -> tuple[AgentChoice, ...]:
    """Models that act, each alone and with those that say when to ask, and those that do both by themselves; off the
    GUI thread."""
    from stepscope.app.services.live.agent_streams import acts_and_asks

    infos = _unaided()
    asking = [info for info in infos if info.task is Task.ASK and not info.stand_in]
    choices = [replace(_choice(info, None, run), title=f"{info.title}, asks") for info in infos if acts_and_asks(info)]
    for info in infos:
        if info.task is Task.AUTOMATION:
            choices.append(_choice(info, None, run))
            choices += [_choice(info, asker, run) for asker in asking]
    return tuple(choices)


def guess_choices() -> tuple[AgentChoice, ...]:
    """Models that say of what was done so far what the goal is, or whether it can be reached; off the GUI thread."""
    from stepscope.app.services.live.predicting import GUESSES

    infos = _unaided()
    found = []
    for task in GUESSES:
        for info in infos:
            if info.task is task:
                choice = _choice(info, None, 0)
                found.append(replace(choice, title=f"{TASK_TITLES[task]}: {choice.title}"))
    return tuple(found)


def names_of(agent: str) -> tuple[str, str]:
    """The model that acts, and the one beside it ("" for none)."""
    acts, _, asks = agent.partition(BESIDE)
    return acts, asks


def _unaided() -> list[ModelInfo]:
    """Models that need not be shown the right answer."""
    from stepscope.models.registry import registry

    return [model.info for model in registry().models.values() if not model.info.needs_reference]


def _choice(info: ModelInfo, asker: ModelInfo | None, run: int) -> AgentChoice:
    name, title = info.name, info.title
    if asker is not None:
        name, title = f"{name}{BESIDE}{asker.name}", f"{title}, {asker.title} beside it"
    missing = next((one for one in (info, asker) if one is not None and one.weights == "absent"), None)
    why_not = f"The weights of {missing.title} are not here. {missing.weights_from}".strip() if missing else ""
    return AgentChoice(name, title, _PLACES.get(info.runtime, "local"), run, why_not, info.description)
