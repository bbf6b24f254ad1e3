"""The one question that an agent is asked about a step: its adapter's prompt, what was done so far, and the screens."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from stepscope.core.domain.action import Action, AskUser, Say
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import OwnAnswer, StepRequest
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.draw import encode_png
from stepscope.core.imaging.resampling import resized
from stepscope.core.sources.procedures import action_words
from stepscope.models.agents.adapter import Adapter
from stepscope.models.agents.prompts import PromptTemplate, filled, put_in
from stepscope.models.agents.settings import AskingSettings
from stepscope.models.agents.spaces import extent
from stepscope.models.automation.screen import shown_box
from stepscope.models.chat.redaction import painted_over, without_named_password, without_secret_words, without_secrets
from stepscope.models.chat.redaction_rules import Redaction, redaction_of
from stepscope.models.features.screens import screen_elements

MOST_ELEMENTS = 100
"""Of a screen that are told to an agent that reads them (ours)."""
Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class AgentQuestion:
    """`screen` is the recorded screen's size, `sent` the picture's as the agent sees it. `places`: the place among its
    episode's of the step that each picture of the messages shows, in their order; None where that cannot be told."""

    request: StepRequest
    messages: list[Message]
    screen: Size
    sent: Size
    places: tuple[int | None, ...] = ()


def question(request: StepRequest, settings: AskingSettings, *, pictures: bool = True) -> AgentQuestion:
    """Decodes and resizes the pictures. Without `pictures` the agent is told the screen's elements. Raises SourceError
    for a picture that cannot be read, UserError for a screen that it cannot be shown and for a person's rules that
    cannot be read."""
    redaction = redaction_of(request.app)
    adapter, seen = settings.adapter, request.observation
    template = adapter.prompt_on(request.platform)
    screen, sent = seen.size, adapter.sent(seen.size)
    if pictures and seen.shown is None:
        raise UserError("The step has no picture.", hint="Add the server with --text-only to tell it the elements.")
    past = _past(request, settings, sent, redaction)
    in_own_words = adapter.tells_answers and template.history == "text" and "{history}" in template.user
    goal = request.goal if in_own_words else _goal(request)
    dialogue = _dialogue(request, adapter) if in_own_words else ()
    values = {
        "goal": goal,
        "instruction": request.instruction or "",
        "step": request.instruction or goal,
        "app": request.app or "",
        "width": str(sent.width),
        "height": str(sent.height),
        "elements": _elements(seen, adapter, screen, sent, redaction),
        "history": "" if template.history == "turns" else _told(past, template, dialogue),
    }
    parts: list[tuple[str, Any]] = [("user", filled(template.user, values))]
    if system := filled(template.system, values):
        parts.insert(0, ("system", system))
    if not pictures:
        parts.append(("user", f"Elements on the screen: {values['elements'] or 'none'}"))
    places: list[int | None] = []
    known = len(request.history) == request.step  # else steps are left out, and which is which cannot be told
    for one in past:
        if pictures and one.screen is not None:
            parts.append(("user", _picture(one.screen, adapter, redaction)))
            places += [one.place if known else None] if one.screen.shown is not None else []
        if template.history == "turns":
            parts.append(("assistant", one.raw or put_in(template.answer, one.values)))
    if pictures:
        parts.append(("user", _picture(seen, adapter, redaction)))
        places.append(request.step if known else None)
    return AgentQuestion(request, _messages(parts), screen, sent, tuple(places))


def _goal(request: StepRequest) -> str:
    """The goal, and what the person said when they were asked."""
    return " ".join((request.goal, *(_talk(asked, answered) for asked, answered in _replies(request))))


def _replies(request: StepRequest) -> tuple[tuple[str, str], ...]:
    """All questions that were answered by now, with their answers, in their order."""
    return (*request.told, *(() if request.reply is None else (request.reply,)))


def _talk(asked: str, answered: str) -> str:
    """A question with its answer; of some the data does not have the question's words."""
    said = f"The person answered: “{answered}”"
    return f"(You asked: “{asked}” {said})" if asked.strip() else f"({said})"


def sent_picture(seen: Observation, size: Size, redaction: Redaction | None = None) -> bytes | None:
    """The file of a screen as it is sent: a PNG of exactly this size, so that nothing is lost and no server resizes it
    once more; None where there is no picture. `redaction` None: a person's rules, where the app is not known. Raises
    SourceError, UserError for rules that cannot be read."""
    if seen.shown is None:
        return None
    pixels = painted_over(decode(seen.shown), seen, redaction_of() if redaction is None else redaction)
    same = (pixels.shape[1], pixels.shape[0]) == (size.width, size.height)
    return encode_png(pixels if same else resized(pixels, size))


def _picture(seen: Observation, adapter: Adapter, redaction: Redaction) -> dict[str, Any]:
    file = sent_picture(seen, adapter.sent(seen.size), redaction)
    if file is None:
        return {"type": "text", "text": "(The screen was not recorded.)"}
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{base64.b64encode(file).decode()}"}}


def _messages(parts: Sequence[tuple[str, Any]]) -> list[Message]:
    """Neighbours of one person are one message, since many servers want turns; a picture stands behind its text."""
    found: list[Message] = []
    for role, part in parts:
        content = part if role != "user" else [{"type": "text", "text": part} if isinstance(part, str) else part]
        if found and role == "user" and found[-1]["role"] == "user":
            found[-1]["content"] += content
        else:
            found.append({"role": role, "content": content})
    return [_plain(one) for one in found]


def _plain(message: Message) -> Message:
    """A message of nothing but one text as that text: servers that read text only know no parts."""
    content = message["content"]
    if isinstance(content, list) and len(content) == 1 and content[0]["type"] == "text":
        return {"role": message["role"], "content": content[0]["text"]}
    return message


@dataclass(frozen=True, slots=True)
class _PastStep:
    """`values` is what is told of it, `screen` its picture where that is shown, `place` its place in the history; `raw`
    is the agent's own answer as it came, "" for what was recorded."""

    place: int
    values: dict[str, str]
    screen: Observation | None
    raw: str


def _past(request: StepRequest, settings: AskingSettings, sent: Size, redaction: Redaction) -> list[_PastStep]:
    """What was done before, without questions and answers: as it was recorded, or as the agent itself said."""
    if settings.history == "none":
        return []
    own = settings.history == "predicted"
    said = request.own if own else tuple(OwnAnswer(action) for action in request.history)
    screen, missing = request.observation.size, len(said) - len(request.past)
    found: list[_PastStep] = []
    for place, one in enumerate(said):
        if isinstance(one.action, AskUser | Say):
            continue
        before = request.past[place - missing] if place >= missing else None
        shown = None if one.action is None else _without_secrets(one.action, before, redaction)
        words = _UNREADABLE if shown is None else action_words(shown)
        wrote = None if shown is None else settings.adapter.written(shown, screen, sent, request.platform)
        values = {"number": str(len(found) + 1), "words": words, "action": wrote or words}
        seen = before if place >= _first(request, settings) else None
        found.append(_PastStep(place, values, seen, one.raw if own else ""))
    return found


def _without_secrets(action: Action, seen: Observation | None, redaction: Redaction) -> Action:
    """Before a person's rules a typed password: a step of the history is often told without its screen."""
    return without_secrets(without_named_password(action), seen, redaction)


_UNREADABLE = "(an answer that could not be read)"


def _first(request: StepRequest, settings: AskingSettings) -> int:
    """The place of the first step of the history whose screen is shown."""
    return max(0, len(request.history) - settings.screens)


def _told(past: Sequence[_PastStep], template: PromptTemplate, dialogue: Sequence[str] = ()) -> str:
    """What was done, and behind it what was asked and answered, in their own lines of the history."""
    lines = [one.values for one in past]
    lines += [{"number": str(len(lines) + place), "words": one, "action": one}
              for place, one in enumerate(dialogue, start=1)]  # fmt: skip
    return template.between.join(put_in(template.past, one) for one in lines) or template.none


def _dialogue(request: StepRequest, adapter: Adapter) -> tuple[str, ...]:
    """The questions that were asked and the person's answers, as the agent's own words have them; of some the data does
    not have the question's words."""
    size = request.observation.size
    turns = (turn for asked, answered in _replies(request) for turn in (AskUser(asked), Say(answered)) if turn.text)
    several = (adapter.written(one, size, size) for one in turns)
    return tuple(one for one in several if one is not None)


def _elements(seen: Observation, adapter: Adapter, screen: Size, sent: Size, redaction: Redaction) -> str:
    """`"name" (x, y)` of the elements that something can be done on, in the adapter's space."""
    found = []
    whole = extent(adapter.space, screen, sent)
    for element, name in screen_elements(without_secret_words(seen, redaction), MOST_ELEMENTS):
        box = shown_box(element, seen)
        if name and box is not None:
            x, y = (share * side for share, side in zip(box.centre.fraction, whole, strict=True))
            digits = adapter.decimals if whole == (1, 1) else 0
            found.append(f'"{name}" ({x:.{digits}f}, {y:.{digits}f})')
    return "; ".join(found)
