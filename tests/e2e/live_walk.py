"""One whole walk through the Live workspace in a window on an X server: a phone is connected, a demonstration recorded
with a follow-up question, found in the library and replayed; then the text-match agent tries a goal on it.

    live_walk.py simulated PICTURE          the simulated phone, by its entry of the Device menu
    live_walk.py 127.0.0.1:PORT PICTURE     a phone over adb, by its address

Prints one JSON object of what was seen; PICTURE is the window where it went wrong. test_live.py starts it.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QWidget

from stepscope.app.gui.main import make_application
from stepscope.app.gui.shell.context import AppFolders
from stepscope.app.gui.workbench import Workbench
from stepscope.app.services.live.agent_events import ActionProposed, Phase
from stepscope.core.domain.elements import UIElement
from stepscope.core.settings import default_store_url
from tests.e2e.results_walk import Hands

GOAL, AGENT_GOAL = "Start a timer for the tea", "tap Stopwatch"
QUESTION = "For how many minutes?"


class LiveHands(Hands):
    """Hands at a phone."""

    @property
    def live(self) -> Any:
        return self.bench.live.device

    @property
    def parts(self) -> Any:
        return self.bench.window.live

    def tap(self, name: str) -> None:
        """Click on the element of that name on the picture, and wait until the phone has done it."""
        element = self.find(name)
        view = self.parts.centre.view
        left, top = view.viewport.to_view(element.box.centre.rescaled(view.screen_size))
        before = len(self.bench.live.recording.session.recorded.steps)
        self.click(view, QPointF(left, top).toPoint())
        self.until(lambda: len(self.bench.live.recording.session.recorded.steps) > before, f"the tap on {name}")

    def find(self, name: str) -> UIElement:
        """The touchable element called so, as soon as the screen has it."""
        found: list[UIElement] = []

        def look() -> bool:
            tree = self.live.current.look(fresh=True).result(30).tree
            here = [one for one in tree or () if name in (one.text, one.content_description)]
            around = [(one, *tree.ancestors(one.index)) for one in here] if tree else []
            found.extend(one for chain in around for one in chain if one.clickable)
            return bool(found)

        self.until(look, f"{name} on the screen")
        return found[0]

    def button(self, under: QWidget, words: str) -> QAbstractButton:
        """The visible button with these words."""
        found: list[QAbstractButton] = []

        def look() -> bool:
            buttons = under.findChildren(QAbstractButton)
            found[:] = [one for one in buttons if one.isVisible() and one.text().strip() == words]
            return bool(found)

        self.until(look, f"the button {words}")
        return found[0]


def connect(hands: LiveHands, serial: str) -> None:
    """Device ▸ Simulated Phone, or Device ▸ Connect… and the address."""
    hands.press("alt+d")
    hands.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the menu")
    if serial == "simulated":
        hands.press("p")
    else:
        hands.press("c")
        form = hands.parts.left.devices.form
        hands.until(form.isVisible, "the form")
        hands.click(form.address)
        hands.type(serial)
        hands.press("Return")
    hands.until(lambda: hands.live.current is not None, "the phone")
    view = hands.parts.centre.view
    hands.until(lambda: view.frame is not None and not view.notice, "its picture")


def demonstrate(hands: LiveHands) -> str:
    """Record two taps, say that the goal is unclear, ask, save; the recording's name."""
    parts, recording = hands.parts, hands.bench.live.recording
    goal = parts.left.task.goal_field
    hands.click(goal)
    hands.type(GOAL)
    hands.click(parts.centre.title.record)
    hands.until(lambda: recording.is_running, "the recording")
    hands.tap("Clock")
    hands.tap("Timer")
    hands.click(parts.centre.title.record)
    label = parts.left.label
    hands.until(lambda: not recording.is_running and label.save.isEnabled(), "the survey")
    hands.click(hands.button(label, "Infeasible"))
    hands.click(hands.button(label, "unclear"))
    hands.click(label.follow_up)
    hands.type(QUESTION)
    hands.until(lambda: label.survey().follow_up == (QUESTION,), "the question")
    hands.click(label.save)
    hands.until(lambda: hands.bench.context.conditions.holds("recorded"), "the recording on the disk")
    return recording._last[1]


def replay(hands: LiveHands, name: str) -> dict[str, object]:
    """Find it in the library and step through it with the arrow key."""
    selection = hands.bench.context.selection
    hands.click(hands.button(hands.bench.window.messages, "Open in Replay"))
    hands.until(lambda: selection.episode is not None and selection.episode.id == name, "the recording in Replay")
    hands.until(lambda: hands.bench.window.workspace == "replay", "Replay")
    hands.click(hands.bench.window.replay.view)
    episode, seen = selection.episode, []
    for place in range(len(episode.steps)):
        hands.until(lambda place=place: selection.step_index == place, f"step {place}")
        seen.append(selection.step.action.kind)
        hands.press("Right")
    feasibility = episode.feasibility
    return {
        "goal": episode.goal, "kinds": seen, "targets": [step.action.target.text for step in episode.steps[:2]],
        "problems": [problem.message for problem in episode.problems],
        "label": [feasibility.label, feasibility.reason, list(feasibility.follow_up)],
        "trees": [step.observation.tree is not None for step in episode.steps],
    }  # fmt: skip


def let_agent_try(hands: LiveHands) -> dict[str, object]:
    """The text-match agent proposes, Enter approves, twice; then it is stopped, and what it did is saved and stored."""
    hands.press("ctrl+6")
    hands.until(lambda: hands.bench.window.workspace == "live", "Live")
    task, agent = hands.parts.left.task, hands.bench.live.agent
    stored: list[str] = []
    agent.stored.connect(lambda run, _folder, _episode: stored.append(run))
    hands.until(lambda: task.agents.findData("text-match") > 0, "the agents")
    task.set_goal(AGENT_GOAL)
    task.agents.setCurrentIndex(task.agents.findData("text-match"))
    hands.until(task.start.isVisible, "Start")
    hands.click(task.start)
    hands.until(lambda: isinstance(agent.waiting, ActionProposed), "a proposal")
    first = agent.waiting.choices[0].action
    hands.press("Return")
    hands.until(lambda: len(agent.run.memory.history) >= 1, "the first action")
    hands.until(lambda: agent.waiting is not None or agent.run.phase is Phase.PAUSED, "what comes next")
    agent.stop()
    label = hands.parts.left.label
    hands.until(lambda: not hands.bench.live.recording.is_running and label.save.isEnabled(), "the survey")
    hands.click(hands.button(label, "Feasible"))
    hands.click(label.save)
    hands.until(lambda: bool(stored), "its run in the store")
    return {"first": first.target.text if first.target else first.kind, "run": stored[0]}


def walk(hands: LiveHands, serial: str) -> dict[str, object]:
    window = hands.bench.window
    hands.until(lambda: hands.bench.context.selection.episode is not None, "the sample")
    hands.focus(window)
    connect(hands, serial)
    name = demonstrate(hands)
    seen = replay(hands, name)
    return {"name": name, **seen, **let_agent_try(hands)}


def main(serial: str, picture: str) -> None:
    make_application()
    bench = Workbench(QApplication.instance(), AppFolders.of_user(default_store_url()))
    bench.start([], fresh=True)
    bench.window.resize(1600, 1000)
    bench.window.move(0, 0)
    try:
        found = walk(LiveHands(bench), serial)
    except BaseException:
        bench.window.grab().save(picture)
        raise
    bench.close()
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
