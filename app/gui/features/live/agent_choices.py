"""The agents that can act on a device: the models that can be asked about a live screen, as the task panel lists
them."""

from __future__ import annotations

from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.widgets.live import AgentChoice

BESIDE = "+"
"""Between the name of a model that acts and that of one which says when to ask."""
_PLACES = {"none": "rules", "service": "on its server"}


def agent_choices(run: int = 0) -> tuple[AgentChoice, ...]:
    """Models that act, each alone and with those that say when to ask; off the GUI thread."""
    from stepscope.models.registry import registry

    infos = [model.info for model in registry().models.values() if not model.info.needs_reference]
    asking = [info for info in infos if info.task is Task.ASK and not info.stand_in]
    choices = []
    for info in infos:
        if info.task is Task.AUTOMATION:
            choices.append(_choice(info, None, run))
            choices += [_choice(info, asker, run) for asker in asking]
    return tuple(choices)


def names_of(agent: str) -> tuple[str, str]:
    """The model that acts, and the one beside it ("" for none)."""
    acts, _, asks = agent.partition(BESIDE)
    return acts, asks


def _choice(info: ModelInfo, asker: ModelInfo | None, run: int) -> AgentChoice:
    name, title = info.name, info.title
    if asker is not None:
        name, title = f"{name}{BESIDE}{asker.name}", f"{title}, {asker.title} beside it"
    missing = next((one for one in (info, asker) if one is not None and one.weights == "absent"), None)
    why_not = f"The weights of {missing.title} are not here. {missing.weights_from}".strip() if missing else ""
    return AgentChoice(name, title, _PLACES.get(info.runtime, "local"), run, why_not, info.description)
