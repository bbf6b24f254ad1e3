"""AndroidArena's rendered agent runs: one HTML file an episode, screenshots inside it as base64.

The page comes from a fixed template into which texts were put without escaping, so it is cut at the template's own
marks and not parsed as HTML; nothing in it is fetched or run. Each `<h2>Step k</h2>` has an `<img>` (JPEG data, though
called image/png), the text observation, and, but for the last, thought, action and reward. No element has bounds, no
action a place. Checked against real runs. Facts: Xing et al., arXiv:2402.06596, and github.com/AndroidArenaAgent
(`agents/replay_buffer.py`, `agents/action_parser.py`, `android_env2/xml_tool.py`, `android_env2/actions.py`).
"""

from __future__ import annotations

import base64
import binascii
import re
from pathlib import Path

from stepscope.core.domain.action import Action
from stepscope.core.domain.episode import Encoding, Episode, Observation, Picture, Platform, Slice, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.probe import probe_bytes
from stepscope.core.sources.androidarena_text import action_of, app_of, tree_of
from stepscope.core.sources.files import check_steps, read_bytes, shortened, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.folders import FolderSource
from stepscope.core.sources.screens import common_size
from stepscope.core.sources.sniffers.androidarena import FORMAT, PROMPT, TASK, locate

_STEP = re.compile(rb"<h2>Step (\d{1,6})</h2><div class='row'>")
_IMAGE = re.compile(rb'<img class="image" src="data:[\w/+.;=-]{0,60}base64,([^"]*)"?')
_TEXT, _TEXT_END = b"<pre>", b"</pre>"
_PART = re.compile(rb'<br><div class="(green|blue|red)-font">(Thought|Action|Reward): ')
_AFTER_STEPS = re.compile(rb"<h2>(?:Exception|Reflection)</h2><pre>")
_DIV_END = b"</div>"
_FALLBACK = Size(320, 640)
"""Size of the released runs' screenshots, used where a run has none."""


@dataclass(frozen=True, slots=True)
class _StepBlock:
    """One step's stretch of the page: where its base64 text lies, and its words ("" for what is missing)."""

    picture: Slice | None
    observed: str
    thought: str
    action: str
    reward: str


def read_episode(path: Path, episode_id: str) -> Episode:
    """The run on the page at `path`; SourceError when the page has no steps."""
    findings = Findings(episode_id, path.parent)
    page = read_bytes(path)
    blocks = _blocks(page, path, findings)
    pictures = [_picture(page, path, index, block, findings) for index, block in enumerate(blocks)]
    default = common_size(pictures) or _FALLBACK
    steps = []
    for index, (block, picture) in enumerate(zip(blocks, pictures, strict=True)):
        size = picture.size if picture else default
        tree = findings.tree(tree_of(block.observed, size), step=index, file=path)
        action: Action | None = None
        try:
            action = action_of(block.thought, block.action, tree) if block.action or block.thought else None
        except ValueError as error:
            findings.add(str(error), step=index, field="action", file=path)
        steps.append(Step(index, Observation(size, picture, tree), action, block.thought or None))
    return Episode(
        id=episode_id,
        format="androidarena",
        platform=Platform.ANDROID,
        goal=_goal(page, path, findings),
        steps=tuple(steps),
        app=next((app for block in blocks if (app := app_of(block.observed))), None),
        splits=_result(blocks),
        problems=findings.as_tuple(),
    )


def _blocks(page: bytes, path: Path, findings: Findings) -> list[_StepBlock]:
    starts = list(_STEP.finditer(page))
    if not starts:
        raise SourceError("the page has no steps", place=path)
    check_steps(len(starts), path)
    ends = [start.start() for start in starts[1:]]
    after = _AFTER_STEPS.search(page, starts[-1].end())
    ends.append(after.start() if after else len(page))
    if [int(start[1]) for start in starts] != list(range(len(starts))):
        findings.add("the steps are not numbered 0, 1, 2, …: some are missing or double", field="step", file=path)
    return [_block(page, start.end(), end) for start, end in zip(starts, ends, strict=True)]


def _block(page: bytes, start: int, end: int) -> _StepBlock:
    image = _IMAGE.match(page, start, end)
    begin = page.find(_TEXT, image.end() if image else start, end)
    text_end = page.find(_TEXT_END + _DIV_END, begin, end) if begin >= 0 else -1
    text = page[begin + len(_TEXT) : text_end] if text_end >= 0 else b""
    begins = list(_PART.finditer(page, max(text_end, start), end))
    parts = {}
    for place, mark in enumerate(begins):
        limit = begins[place + 1].start() if place + 1 < len(begins) else end
        parts[mark[2]] = page[mark.end() : max(page.rfind(_DIV_END, mark.end(), limit), mark.end())]
    picture = Slice(image.start(1), image.end(1) - image.start(1), encoding=Encoding.BASE64) if image else None
    words = [_words(parts.get(name, b"")) for name in (b"Thought", b"Action", b"Reward")]
    return _StepBlock(picture, _words(text), *words)


def _words(data: bytes) -> str:
    return text_of(data.decode("utf-8", errors="replace").replace("\r\n", "\n")).strip()


def _picture(page: bytes, path: Path, step: int, block: _StepBlock, findings: Findings) -> Picture | None:
    if block.picture is None:
        return None
    part = block.picture
    try:
        data = base64.b64decode(page[part.offset : part.offset + part.length], validate=True)
        return Picture(path, probe_bytes(data, path).size, part)
    except binascii.Error:
        findings.add("the picture is not base64", step=step, field="screenshot", file=path)
    except SourceError as error:
        findings.add_error(error, step=step, field="screenshot", file=path)
    return None


def _goal(page: bytes, path: Path, findings: Findings) -> str:
    """The instruction, and behind it the constraint that newer pages have of their own."""
    begin = page.find(TASK)
    told = page[begin : page.find(PROMPT, begin)].split(_TEXT)[1:3] if begin >= 0 else []
    goal = "\n".join(words for part in told if (words := _words(part.partition(_TEXT_END)[0])))
    if not goal:
        findings.add("the page gives no task", field="goal", file=path)
    return goal


def _result(blocks: list[_StepBlock]) -> tuple[str, ...]:
    """What the last reward says of the run: the environment gives 1 for a task that was done."""
    rewards = [block.reward for block in blocks if block.reward]
    if not rewards:
        return ()
    try:
        return ("result/success",) if float(rewards[-1]) == 1.0 else ("result/failure",)
    except ValueError:
        return (f"result/{shortened(rewards[-1], 20)}",)


def open_androidarena(path: Path) -> FolderSource:
    """A folder of pages or one page; ids are the files' names."""
    return FolderSource(FORMAT.name, path, locate=locate, identify=lambda page: page.stem, load=read_episode)
