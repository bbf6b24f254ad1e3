"""An episode's items of a run, with what was sent for them, as the blocks of the transcript."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from stepscope.app.gui.shell.answers import short_words
from stepscope.app.gui.shell.step_words import verdict_of
from stepscope.app.services.run_costs import RunCosts, money
from stepscope.core.domain.action import Action, action_point
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.model_call import CallAttempt, CoordinateSpace, ModelCall, SaidPoint, SentPicture
from stepscope.core.domain.prediction import AskAnswer, PredictionStatus
from stepscope.core.domain.price import TokenPrice
from stepscope.core.domain.run import Outcome
from stepscope.widgets import format as words
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.common.action_words import action_words
from stepscope.widgets.transcript.transcript_values import (
    BlockAttempt,
    BlockPart,
    BlockPicture,
    PartKind,
    TranscriptBlock,
)

if TYPE_CHECKING:
    from stepscope.core.domain.episode import Episode

WHOLE = -1
"""The step of an item about the whole episode."""
CUT = "length"
"""The server's word for an answer that was ended at its limit."""
ENDED = {"stop": "ended by itself", CUT: "cut at its limit", "content_filter": "kept back by a filter"}
NO_ANSWER = {
    PredictionStatus.MALFORMED: "No usable answer",
    PredictionStatus.EMPTY: "No answer",
    PredictionStatus.REFUSED: "Refused",
    PredictionStatus.FAILED: "Failed",
}
SPACES = {
    CoordinateSpace.SENT: "Pixels of the picture sent",
    CoordinateSpace.SCREEN: "Pixels of the recorded screen",
    CoordinateSpace.THOUSAND: "From 0 to 1,000 on either side",
    CoordinateSpace.NINE99: "From 0 to 999 on either side",
    CoordinateSpace.UNIT: "From 0 to 1 on either side",
}


def transcript_blocks(
    outcomes: Sequence[Outcome],
    calls: Mapping[int, Sequence[ModelCall]],
    episode: Episode | None = None,
    price: TokenPrice | None = None,
) -> tuple[TranscriptBlock, ...]:
    """A block for each item, in the order of the steps; `episode` None: what is only searched needs no places. `price`
    is that of the run's model."""
    several = [call for found in calls.values() for call in found]
    seen = Counter(text for call in several for text in {*_texts(call)})
    equal = frozenset(text for text, count in seen.items() if count == len(several) > 1)
    ordered = sorted(outcomes, key=lambda one: one.key.step)
    places = {} if episode is None else {step.index: place for place, step in enumerate(episode.steps)}
    return tuple(_block(one, calls.get(one.key.step, ()), equal, episode, places, price) for one in ordered)


def head_values(costs: RunCosts, done: int, steps: int) -> tuple[tuple[str, str], ...]:
    """What the episode took, for the row above the blocks; what nobody told is left out."""
    found = costs.totals
    rows = [("Steps", f"{words.count(done)} of {words.count(steps)}")]
    if found.tokens_in is not None or found.tokens_out is not None:
        rows += [("Tokens in", words.count(found.tokens_in)), ("Tokens out", words.count(found.tokens_out))]
    if found.sum_ms is not None:
        rows += [("Time", words.duration(found.sum_ms / 1000)), ("Median step", _ms(found.latency_ms))]
    if found.first_ms is not None:
        rows.append(("First token", _ms(found.first_ms)))
    if found.calls:
        rows.append(("Retries", words.count(found.retries)))
    if found.remembered:
        rows.append(("Remembered", words.count(found.remembered)))
    if costs.cost is not None and costs.price is not None:
        rows.append(("Cost", money(costs.cost, costs.price.currency)))
    return tuple(rows)


def _block(
    outcome: Outcome,
    calls: Sequence[ModelCall],
    equal: frozenset[str],
    episode: Episode | None,
    places: Mapping[int, int],
    price: TokenPrice | None,
) -> TranscriptBlock:
    prediction, step = outcome.prediction, outcome.key.step
    place = places.get(step, -1)
    action, verdict = prediction.action, verdict_of(outcome.score)
    named = action_words(action) if action is not None else None
    retries = sum(call.retries for call in calls)
    screen = episode.steps[place].observation.size if episode is not None and place >= 0 else None
    return TranscriptBlock(
        step=step,
        place=place if place >= 0 else None,
        number="all" if step == WHOLE else str((place if place >= 0 else step) + 1),
        title=named.word if named is not None else _answer_words(outcome) or "Answer",
        detail=_detail(outcome, named.detail if named is not None else ""),
        verdict=verdict,
        badge="" if not retries else words.counted(retries, "retry", "retries"),
        tokens=_tokens(calls),
        time="" if prediction.latency_ms is None else _ms(prediction.latency_ms),
        parts=tuple(_parts(outcome, calls, equal, verdict, price)),
        pictures=tuple(_pictures(calls, screen)),
        attempts=tuple(_attempts(calls)),
        request="" if not calls else request_json(calls),
        raw=prediction.raw,
    )


def _answer_words(outcome: Outcome) -> str:
    answer = outcome.prediction.answer
    if isinstance(answer, AskAnswer):
        return f"Asks: {answer.question}" if answer.question is not None else "Does not ask"
    return NO_ANSWER.get(outcome.prediction.status, "") or short_words(outcome)


def _detail(outcome: Outcome, of_action: str) -> str:
    why = outcome.prediction.why if outcome.prediction.status is not PredictionStatus.OK else outcome.score.why
    return ", ".join(part for part in (of_action, why) if part)


def _parts(
    outcome: Outcome,
    calls: Sequence[ModelCall],
    equal: frozenset[str],
    verdict: ShownVerdict,
    price: TokenPrice | None,
) -> Iterator[BlockPart]:
    for number, call in enumerate(calls):
        of = f" {number + 1} of {len(calls)}" if len(calls) > 1 else ""
        yield from _prompt_parts(call, equal, of)
        yield _raw_part(call, of, outcome if number == len(calls) - 1 else None, price)
    if not calls and outcome.prediction.raw:
        yield _raw_text("Raw output", outcome.prediction.raw, "", outcome)
    text = parsed_words(outcome, calls)
    if text:
        yield BlockPart(PartKind.PARSED, "Parsed action" if outcome.prediction.action else "Answer", text, verdict.word)


def _prompt_parts(call: ModelCall, equal: frozenset[str], of: str) -> Iterator[BlockPart]:
    title, note = f"Prompt{of}", f"{sum(map(len, _texts(call))):,} letters of text"
    for message in call.messages:
        together: list[str] = []
        for part in message.parts:
            if isinstance(part, str) and (part in equal or message.role == "system"):
                same = ", the same in every step" if part in equal else ""
                summary = f"{message.role} · {len(part):,} letters{same}"
                yield BlockPart(PartKind.PROMPT, title, part, note, summary)
                title = note = ""
            else:
                together.append(part if isinstance(part, str) else f"<picture, {part.width} × {part.height}>")
        if together:
            role = "" if message.role == "user" else f"{message.role}: "
            yield BlockPart(PartKind.PROMPT, title, role + "\n".join(together), note)
            title = note = ""


def _raw_part(call: ModelCall, of: str, outcome: Outcome | None, price: TokenPrice | None) -> BlockPart:
    note = [] if call.tokens_out is None else [words.counted(call.tokens_out, "token")]
    if call.tokens_out and call.ms:
        note.append(f"{1000 * call.tokens_out / call.ms:.1f} a second")
    note.append(ENDED.get(call.stop, call.stop))
    if price is not None and not call.remembered and (call.tokens_in, call.tokens_out) != (None, None):
        note.append(money(price.of(call.tokens_in or 0, call.tokens_out or 0), price.currency))
    told = ", ".join(part for part in note if part)
    limit = dict(call.settings).get("max_tokens", "")
    part = _raw_text(f"Raw output{of}", call.output, told, outcome)
    if call.stop != CUT:
        return part
    most = f" of {int(limit):,} tokens" if limit.isdecimal() else ""
    return replace(part, warning=f"The answer was cut at its limit{most}.")


def _raw_text(title: str, text: str, note: str, outcome: Outcome | None) -> BlockPart:
    if outcome is None or outcome.prediction.status is not PredictionStatus.MALFORMED:
        return BlockPart(PartKind.RAW, title, text, note)
    return BlockPart(PartKind.RAW, title, text, note, "", outcome.prediction.why, reading_stopped(text))


def reading_stopped(text: str) -> int | None:
    """The letter at which the JSON in an answer cannot be read on; None where there is none, or all of it can."""
    start = text.find("{")
    if start < 0:
        return None
    try:
        json.JSONDecoder().raw_decode(text, start)
    except json.JSONDecodeError as error:
        return min(error.pos, max(len(text) - 1, 0))
    except RecursionError:
        return start
    return None


def parsed_words(outcome: Outcome, calls: Sequence[ModelCall]) -> str:
    """The answer as said → scaled → on the screen, as far as that is known."""
    prediction = outcome.prediction
    action = prediction.action
    exact = action_words(action).exact if action is not None else ""
    said = next((one for call in reversed(calls) for one in call.said), None)
    sent = next((one for call in reversed(calls) for one in reversed(call.pictures)), None)
    if not exact:
        return _answer_words(outcome) if prediction.answer is not None else ""
    if said is None:
        return f"{exact} on the recorded screen" if _has_place(action) else exact
    scaled = _scaled(said, sent, action)
    return " → ".join(
        part
        for part in (f"{round(said.x, 1):g}, {round(said.y, 1):g} as said", scaled, f"{exact} on the screen")
        if part
    )


def _has_place(action: Action | None) -> bool:
    return action is not None and action_point(action) is not None


def _scaled(said: SaidPoint, sent: SentPicture | None, action: Action | None) -> str:
    point = None if action is None else action_point(action)
    if point is None:
        return ""
    size = point.size
    match said.space:
        case CoordinateSpace.SENT if sent is not None:
            return f"× {size.width}/{sent.width}, × {size.height}/{sent.height}"
        case CoordinateSpace.THOUSAND:
            return f"× {size.width}/1000, × {size.height}/1000"
        case CoordinateSpace.NINE99:
            return f"× {size.width}/999, × {size.height}/999"
        case CoordinateSpace.UNIT:
            return f"× {size.width}, × {size.height}"
    return ""


def _pictures(calls: Sequence[ModelCall], screen: Size | None) -> Iterator[BlockPicture]:
    """The places said are those of a call's last picture: those before it are of steps before."""
    for call in calls:
        for one in call.pictures:
            yield _picture(one, call.said if one is call.pictures[-1] else (), screen)


def _picture(one: SentPicture, said: Sequence[SaidPoint], screen: Size | None) -> BlockPicture:
    facts = [f"{one.width} × {one.height} sent"]
    if screen is not None:
        facts.append(f"{screen.width} × {screen.height} recorded")
    if one.blocks:
        facts.append(f"{-(-one.width // one.blocks)} × {-(-one.height // one.blocks)} blocks of {one.blocks} px")
    if said:
        facts.append(SPACES[said[0].space])
    points = tuple(share for place in said if (share := _share(place, one, screen)) is not None)
    return BlockPicture(one.digest, (one.width, one.height), tuple(facts), points, one.step)


def _share(said: SaidPoint, sent: SentPicture, screen: Size | None) -> tuple[float, float] | None:
    """The place as shares of the picture's width and height."""
    match said.space:
        case CoordinateSpace.SENT:
            return said.x / sent.width, said.y / sent.height
        case CoordinateSpace.THOUSAND:
            return said.x / 1000, said.y / 1000
        case CoordinateSpace.NINE99:
            return said.x / 999, said.y / 999
        case CoordinateSpace.UNIT:
            return said.x, said.y
    return None if screen is None else (said.x / screen.width, said.y / screen.height)


def _attempts(calls: Sequence[ModelCall]) -> Iterator[BlockAttempt]:
    for call in calls:
        if call.remembered:
            yield BlockAttempt("Known from an earlier run, nothing was asked", False)
            continue
        for number, one in enumerate(call.attempts, start=1):
            yield BlockAttempt(f"Attempt {number}  {_attempt(one, call)}", bool(one.why))


def _attempt(one: CallAttempt, call: ModelCall) -> str:
    if one.why:
        waited = f", waited {words.duration(one.waited_ms / 1000)}" if one.waited_ms else ""
        return f"{one.why} after {_ms(one.ms)}{waited}"
    first = f"first token {_ms(call.first_ms)}, " if call.first_ms is not None else ""
    return f"{first}{_ms(one.ms)} in all"


def _tokens(calls: Sequence[ModelCall]) -> str:
    read = [call.tokens_in for call in calls if call.tokens_in is not None]
    written = [call.tokens_out for call in calls if call.tokens_out is not None]
    return f"{sum(read):,} + {sum(written):,}" if read or written else ""


def _texts(call: ModelCall) -> Iterator[str]:
    return (part for message in call.messages for part in message.parts if isinstance(part, str))


def _ms(value: float | None) -> str:
    return words.duration(None if value is None else value / 1000)


def request_json(calls: Sequence[ModelCall]) -> str:
    """What was sent, as JSON without a key: pictures by size and SHA-256."""
    forms = [
        {
            **dict(call.settings),
            "messages": [{"role": one.role, "content": _content(one.parts)} for one in call.messages],
        }
        for call in calls
    ]
    return json.dumps(forms[0] if len(forms) == 1 else forms, indent=1, ensure_ascii=False)


def _content(parts: Sequence[str | SentPicture]) -> list[dict[str, Any]]:
    return [
        {"type": "text", "text": one}
        if isinstance(one, str)
        else {"type": "image", "media_type": one.media, "width": one.width, "height": one.height, "sha256": one.digest}
        for one in parts
    ]
