"""WebVoyager's runs of a web agent: `task<web>--<n>/` with `interact_messages.json` and `screenshot<k>.png`.

The k-th user turn of the conversation is shown with screenshot k (the viewport with numbered marks drawn in, as the
agent saw it); the assistant's answer holds a thought and one action. There are no places at all: an action names a
mark's number. The conversation keeps the list of marks only for its last turns. Checked against real runs. Facts: He et
al., "WebVoyager", arXiv:2401.13919; github.com/MinorJerry/WebVoyager (`run.py`, `utils.py`, `prompts.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from stepscope.core.domain.episode import Episode, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.files import check_steps, mapping_of, read_json, shortened, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.folders import FolderSource
from stepscope.core.sources.screens import common_size, find_picture
from stepscope.core.sources.sniffers.webvoyager import FORMAT, MESSAGES, locate
from stepscope.core.sources.webvoyager_turns import action_of, marks_of, split_reply, tree_of

_GOAL = re.compile(r"\s*Now given a task:(.*?)Please interact with (\S{1,2000}) and get the answer", re.DOTALL)
_SEEN = ("Observation", "Now given a task:")
"""How a turn begins that came with a screenshot; any other one tells what was wrong with the last reply."""
_TASK = "task"
_WEBSITE = re.compile(r"(.+)--\d+")
_FALLBACK = Size(1024, 768)
"""The released runs' window, used where a run has no picture."""


@dataclass(frozen=True, slots=True)
class _AgentTurn:
    """A turn: what the agent was told, and its reply ("" when the run ended before it)."""

    told: str
    reply: str


def read_episode(path: Path, episode_id: str) -> Episode:
    """The run whose conversation is the file at `path`; SourceError when it is no conversation."""
    findings = Findings(episode_id, path.parent)
    turns = _turns(path, findings)
    pictures = _pictures(path.parent, turns, findings)
    default = common_size(pictures) or _FALLBACK
    goal = _GOAL.match(turns[0].told)
    if goal is None:
        findings.add("the first turn does not give a task", field="goal", file=path)
    steps = []
    for index, (turn, picture) in enumerate(zip(turns, pictures, strict=True)):
        address = goal[2] if goal and index == 0 else ""
        steps.append(_step(index, turn, picture, picture.size if picture else default, address, findings))
    website = _WEBSITE.fullmatch(identify(path))
    return Episode(
        id=episode_id,
        format="webvoyager",
        platform=Platform.WEB,
        goal=goal[1].strip() if goal else shortened(turns[0].told, 300),
        steps=tuple(steps),
        app=website[1] if website else None,
        problems=findings.as_tuple(),
    )


def _turns(path: Path, findings: Findings) -> list[_AgentTurn]:
    form = read_json(path)
    messages = form if isinstance(form, list) else []
    turns: list[_AgentTurn] = []
    others = 0
    for message in messages:
        role, text = mapping_of(message).get("role"), _words(mapping_of(message))
        if role == "user":
            turns.append(_AgentTurn(text, ""))
        elif role == "assistant" and turns and not turns[-1].reply:
            turns[-1] = _AgentTurn(turns[-1].told, text)
        elif role != "system":
            others += 1
    check_steps(len(turns), path)
    if not turns:
        raise SourceError("no conversation between user and assistant", place=path)
    if others:
        count = "1 message is" if others == 1 else f"{others} messages are"
        findings.add(f"{count} neither a user's turn nor the assistant's reply to one", field="action", file=path)
    return turns


def _words(message: Mapping[str, object]) -> str:
    """A message's text; its content is text, or a list of texts and pictures."""
    content = message.get("content")
    if not isinstance(content, list):
        return text_of(content)
    return "\n".join(text for part in content if (text := text_of(mapping_of(part).get("text"))))


def _pictures(folder: Path, turns: list[_AgentTurn], findings: Findings) -> list[Picture | None]:
    """Each turn's screenshot; the one before where the agent was only told of a mistake and saw nothing new."""
    pictures: list[Picture | None] = []
    for index, turn in enumerate(turns):
        if pictures and not turn.told.lstrip().startswith(_SEEN):
            pictures.append(pictures[-1])
        else:
            pictures.append(find_picture(folder, f"screenshot{index + 1}.png", index, findings))
    return pictures


def _step(index: int, turn: _AgentTurn, picture: Picture | None, size: Size, address: str, findings: Findings) -> Step:
    marks = marks_of(turn.told)
    tree = findings.tree(tree_of(marks, size), step=index, file=MESSAGES)
    observation = Observation(size, picture, tree, activity=address)
    if not turn.reply:
        return Step(index, observation)
    thought, words = split_reply(turn.reply)
    try:
        return Step(index, observation, action_of(words, marks), thought or None)
    except ValueError as error:
        findings.add(str(error), step=index, field="action", file=MESSAGES)
        return Step(index, observation, None, thought or shortened(turn.reply, 300))


def identify(path: Path) -> str:
    """The folder's name without its "task": the id in the list of tasks."""
    name = path.absolute().parent.name
    return name.removeprefix(_TASK) or name


def open_webvoyager(path: Path) -> FolderSource:
    """A folder of runs, one run's folder, or its conversation; ids are those of the list of tasks."""
    return FolderSource(FORMAT.name, path, locate=locate, identify=identify, load=read_episode)
