"""What a server's response says: a sentence, or in one sentence why not."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from stepscope.core.domain.model_call import ModelCall
from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.frozen import dataclass
from stepscope.core.limits import hint, limit

MOST_WORDS = 80
"""A longer line is no sentence."""
_SHOWN = 200
_LETTERS = 4
"""Letters of a token, at least on average: a rule of thumb for English, and more than other texts have."""
_MOST_COUNTED = 1 << 53
"""Larger numbers of tokens cannot be; JSON's own readers do not agree on them."""
_LONGEST_STOP = 40
_LONGEST_MODEL = 120
_LOOKED_AT = 10_000
"""Letters at the beginning of what is no JSON that are looked at to tell what it is."""
_STREAM = ("data:", "event:", "id:", ":")
_THOUGHT = re.compile(r"<think>.*?(</think>|\Z)", re.DOTALL)
_LEAD = re.compile(r"^(?:[-*#>\s]|\d+[.)]\s)*(?:\**(?:user'?s? )?goal\**\s*:)?\s*\**", re.IGNORECASE)
_GOAL = re.compile(r"^\W*(?:user'?s? )?goal\W*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """`text` where the status is ok, else `why`; `raw` is what came, cut short where it is no answer. `ms`: how long
    the server took over the attempt that worked. `tokens_in` and `tokens_out` are what the server says that it read
    and wrote. `unended`: the model was stopped at its limit, and `raw` is how far it came. `stop` is the server's word
    for why it ended. `call` is all that was sent and came back, as it is kept. `model` is who answered, as the server
    says it, and `note` what is to be told of that."""

    status: PredictionStatus
    text: str = ""
    why: str = ""
    raw: str = ""
    ms: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    unended: bool = False
    stop: str = ""
    call: ModelCall | None = None
    model: str = ""
    note: str = ""


def answer_text(body: str) -> ChatAnswer:
    """The text of the first choice of a chat completion."""
    try:
        form = json.loads(body)
    except RecursionError:
        return _nonsense("The server's answer is JSON nested too deep to be one.", body)
    except ValueError:
        start = body[:_LOOKED_AT].lstrip()[:_SHOWN]
        if start.startswith(_STREAM):  # in pieces, of which no part shows what it hides
            return ChatAnswer(PredictionStatus.MALFORMED, why="The server answers in a stream, which nobody asked for.")
        if not start:
            return _nonsense("The server answered with nothing.", body)
        if start[:1] == "<":
            return _nonsense("The server answered with a web page: is the URL the right one?", body)
        return _nonsense("The server's answer is no JSON, or was cut off.", body)
    choice = _first(form)
    if choice is None:
        return _nonsense(_said(form) or "The server's answer has no choices.", body)
    found = replace(_of_choice(choice, body), stop=_stop(choice), model=_model(form))
    return replace(found, tokens_in=_used(form, "prompt"), tokens_out=_used(form, "completion"))


def _of_choice(choice: dict[str, Any], body: str) -> ChatAnswer:
    message, reason = choice.get("message"), choice.get("finish_reason")
    content = _content(message.get("content")) if isinstance(message, dict) else None
    if isinstance(message, dict) and isinstance(message.get("tool_calls"), list):
        content = "\n".join([*filter(None, (content,)), *map(_tool_call, message["tool_calls"])])
    if isinstance(message, dict) and isinstance(message.get("refusal"), str) and message["refusal"].strip():
        refusal = message["refusal"].strip()
        return ChatAnswer(PredictionStatus.REFUSED, why=f"The model refused: {line(refusal)}", raw=refusal)
    if reason == "content_filter":
        return ChatAnswer(PredictionStatus.REFUSED, why="The server's filter kept the answer back.", raw=content or "")
    if content is None:
        return _nonsense("The server's answer has no text.", body)
    most = limit("answer-tokens")
    if len(content) > _LETTERS * most:
        told = f"The answer has more than {most:,} tokens, of {_LETTERS} letters each."
        return ChatAnswer(PredictionStatus.MALFORMED, why=f"{told} {hint('answer-tokens')}", raw=content[:_SHOWN])
    if reason == "length":
        why = "The answer was cut off before its end: the model may say too much before it."
        return ChatAnswer(PredictionStatus.MALFORMED, why=why, raw=content, unended=True)
    if not content.strip():
        return ChatAnswer(PredictionStatus.EMPTY, why="The model said nothing.", raw=content)
    return ChatAnswer(PredictionStatus.OK, content, raw=content)


def spoken_text(text: str) -> str:
    """What is said aloud: without what stands between <think> and </think>, to the end where it is not closed."""
    return _THOUGHT.sub("", text)


def sentence(answer: ChatAnswer) -> ChatAnswer:
    """The one sentence that was asked for: the last line marked as the goal, else the first line of what is left
    without thoughts, without quotes and list marks."""
    if answer.status is not PredictionStatus.OK:
        return answer
    lines = [line.strip() for line in spoken_text(answer.text).splitlines() if line.strip()]
    marked = [line for line in lines if is_marked_goal(line)]
    line = _LEAD.sub("", marked[-1] if marked else lines[0] if lines else "")
    found = " ".join(line.strip(" *\"'“”‘’`").split())
    if not any(letter.isalnum() for letter in found):
        return ChatAnswer(PredictionStatus.EMPTY, why="The model said nothing that is a goal.", raw=answer.raw)
    if len(found.split()) > MOST_WORDS:
        why = f"The answer is no one sentence: its line has more than {MOST_WORDS} words."
        return ChatAnswer(PredictionStatus.MALFORMED, why=why, raw=answer.raw)
    return ChatAnswer(PredictionStatus.OK, found, raw=answer.raw)


def is_marked_goal(line: str) -> bool:
    """Whether a line says of itself that it is the goal."""
    return _GOAL.match(line) is not None


def error_words(body: str) -> str:
    """What the server says of an error, "" where it says nothing that can be shown."""
    try:
        return _said(json.loads(body))
    except (ValueError, RecursionError):
        return ""


def line(text: str) -> str:
    """One short line of what a stranger says, without signs that steer a terminal or turn letters round."""
    return _short("".join(letter if letter.isprintable() else " " for letter in text[:_LOOKED_AT]))


def _first(form: Any) -> dict[str, Any] | None:
    choices = form.get("choices") if isinstance(form, dict) else None
    return choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else None


def _model(form: dict[str, Any]) -> str:
    name = form.get("model")
    return line(name)[:_LONGEST_MODEL] if isinstance(name, str) else ""


def _stop(choice: dict[str, Any]) -> str:
    reason = choice.get("finish_reason")
    return line(reason)[:_LONGEST_STOP] if isinstance(reason, str) else ""


def _used(form: dict[str, Any], what: str) -> int | None:
    """Tokens of this kind, by the response's `usage`; None where it tells nothing that can be."""
    usage = form.get("usage")
    count = usage.get(f"{what}_tokens") if isinstance(usage, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= _MOST_COUNTED else None


def _content(content: Any) -> str | None:
    """Text, or the text of several parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str)) if parts else None
    return content if isinstance(content, str) else None


def _tool_call(form: Any) -> str:
    """A call that a server took out of the model's text, as such models write it."""
    function = form.get("function") if isinstance(form, dict) else None
    name, arguments = (function.get("name"), function.get("arguments")) if isinstance(function, dict) else ("", "")
    told = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return f'<tool_call>\n{{"name": {json.dumps(name)}, "arguments": {told or "{}"}}}\n</tool_call>'


def _said(form: Any) -> str:
    error = form.get("error") if isinstance(form, dict) else None
    words = error.get("message") if isinstance(error, dict) else error
    return f"The server says: {line(words)}" if isinstance(words, str) and words.strip() else ""


def _nonsense(why: str, body: str) -> ChatAnswer:
    return ChatAnswer(PredictionStatus.MALFORMED, why=why, raw=body[:_SHOWN])


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
