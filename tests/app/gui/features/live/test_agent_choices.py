"""The agents that the task panel lists."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stepscope.app.gui.features.live import agent_choices
from stepscope.core.domain.prediction import Task
from tests.app.services.live.scripted import info


def test_models_that_ask_and_act_are_agents_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [
        info(name="taps", title="Taps"),
        replace(info(Task.ASK, name="local:mine#ask", title="Mine"), stand_in=False, runtime="torch"),
        replace(info(Task.ASK, name="when", title="When"), stand_in=False),
        info(Task.ASK, name="always-ask", title="Always"),
    ]
    monkeypatch.setattr(agent_choices, "_unaided", lambda: known)
    found = [(one.name, one.title, one.detail) for one in agent_choices.agent_choices()]
    assert found == [
        ("local:mine#ask", "Mine, asks", "local"),
        ("taps", "Taps", "rules"),
        ("taps+local:mine#ask", "Taps, Mine beside it", "rules"),
        ("taps+when", "Taps, When beside it", "rules"),
    ]
    assert agent_choices.names_of("local:mine#ask") == ("local:mine#ask", "")
