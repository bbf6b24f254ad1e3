"""Models that are asked for goals, made without being added."""

from __future__ import annotations

from typing import Any

from stepscope.core.domain.prediction import Task
from stepscope.models.agents.asked import AskedModel, goal_predictor, info_of_model
from stepscope.models.agents.predictor import WholePredictor
from stepscope.models.chat.chat import ServedChat
from stepscope.models.chat.client import RetryPolicy
from stepscope.models.chat.servers import ChatServer
from stepscope.models.goal.asking import goal_settings


def served_goals(
    server: ChatServer, model: str = "m", *, patience: RetryPolicy | None = None, **given: Any
) -> WholePredictor:
    """The predictor of goals by this server's model; `given` are the settings of its name."""
    settings, offered = goal_settings("m", {key: str(value) for key, value in given.items()}, sees=server.pictures)
    info = info_of_model(AskedModel(server, model, Task.GOAL, settings, offered))
    chat = ServedChat(server, model, patience=patience)
    return goal_predictor(
        info, chat, settings, parallel=server.parallel, pictures=server.pictures,
        fingerprint=f"{info.name} {server.url}; {info.version}",
    )  # fmt: skip
