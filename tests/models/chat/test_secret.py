"""A server that gives the key back, in whatever shape, is not repeated."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest

from stepscope.models.chat.answers import ChatAnswer
from stepscope.models.chat.client import ServerError, ask, check
from stepscope.models.chat.secret import MARKER, without_key
from tests.models.chat.faults import Act, Stage, Waiting, completion

pytestmark = pytest.mark.needs("openai")

KEY = "sk-lab-4f9A/xy+Z7Q2mm81"
BODY = {"model": "m", "messages": [], "temperature": 0.0, "max_tokens": 9}


def packed(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "shape",
    [
        KEY,
        KEY.upper(),
        quote(KEY, safe=""),
        KEY.encode().hex(),
        KEY.replace("/", "\\/"),
        "".join(f"\\u{ord(letter):04x}" for letter in KEY),
        "".join(f"\\\\u{ord(letter):04X}" for letter in KEY),
        "".join(f"&#{ord(letter)};" for letter in KEY),
        "".join(f"&#x{ord(letter):X};" for letter in KEY),
    ],
)
def test_shapes_of_the_key(shape: str) -> None:
    assert without_key(f"It is {shape}, I say", KEY) == f"It is {MARKER}, I say"


@pytest.mark.parametrize("around", ["", "x:", "Bearer ", "ab", "a"])
@pytest.mark.parametrize("signs", ["+/", "-_"])
def test_base64_of_the_key_and_of_more(around: str, signs: str) -> None:
    """At most the letters at the edges stay, which a part of the key's first or last byte is in."""
    text = packed(around + KEY).replace("+", signs[0]).replace("/", signs[1])
    found = without_key(f"<{text}>", KEY)
    assert MARKER in found
    left = found.replace(MARKER, "").strip("<>=")
    assert len(left) <= len(packed(around).rstrip("=")) + 3


def test_a_short_key_is_a_word_of_its_own() -> None:
    assert without_key("determine what is mine: Mine", "mine") == f"determine what is {MARKER}: {MARKER}"
    assert without_key("nothing to hide", None) == without_key("nothing to hide", "") == "nothing to hide"


@pytest.mark.parametrize(
    "act",
    [
        Act(completion(f"Open {KEY}")),
        Act(completion(None, refusal=f"Not with {KEY}")),
        Act(completion([{"type": "text", "text": KEY[:9]}, {"type": "text", "text": KEY[9:]}])),
        Act(completion("@").replace("@", "".join(f"\\u{ord(letter):04x}" for letter in KEY))),
        Act(completion(packed(KEY))),
        Act(f"<html>{KEY}"),
        Act("x" * 190 + KEY),
        Act(json.dumps({"error": {"message": f"Wrong key {KEY}"}}), 401),
        Act(json.dumps({"error": {"message": f"It broke with {packed(KEY)}"}}), 500),
        Act("x", headers={"Content-Encoding": KEY}),
    ],
)
def test_neither_answers_nor_errors_have_it(stage: Stage, waiting: Waiting, act: Act) -> None:
    stage.plays(act)
    (found,) = ask(stage.server(), [BODY], key=KEY, patience=waiting.patience(1))
    told = str(found) if isinstance(found, ServerError) else f"{found.text} {found.why} {found.raw}"
    assert not any(part in told for part in (KEY, packed(KEY), KEY[:9], "\\u0073"))
    if not (isinstance(found, ChatAnswer) and "web page" in found.why):
        assert MARKER in told


def test_names_of_models_do_not_have_it(stage: Stage) -> None:
    stage.plays(json.dumps({"data": [{"id": f"gpt {KEY}"}]}))
    assert check(stage.server(), key=KEY).models == (f"gpt {MARKER}",)
