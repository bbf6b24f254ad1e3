"""Who writes to whom: the conversations as they are listed, and how to get to one."""

from __future__ import annotations

from typing import Any

from stepscope.resources.sample.generator.plan import Chance
from stepscope.resources.sample.generator.reach import scrolls_to
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, Then, data, hold, layer, page, tap

Conversation = dict[str, Any]

FIRST = (
    "Anouk", "Bram", "Celine", "Dario", "Edda", "Fenno", "Gilda", "Hamza", "Iris", "Jorun", "Kofi", "Lumi", "Mateus",
    "Nadira", "Otis", "Perla", "Quill", "Runa", "Silas", "Tove", "Umar", "Vesna", "Wanda", "Yara", "Zeno",
)  # fmt: skip
WHO = ("Who do you mean?", "Whose conversation is it?", "Which conversation do you mean?")
_SCROLLS = ("Scroll down the conversations", "Scroll to the older conversations", "Scroll down")


def listed(view: PhoneView) -> list[Conversation]:
    """The conversations of the first page, top to bottom."""
    inbox = [c for c in view.data["conversations"] if not c["archived"] and c["messages"]]
    return sorted(inbox, key=lambda c: (not c["pinned"], c["ago"]))


def called(conversation: Conversation) -> str:
    """What the person calls it: a first name, or the service's name."""
    name: str = conversation["name"]
    return name.split()[0] if conversation["person"] else name


def absent(view: PhoneView) -> list[str]:
    """First names that a search finds nowhere: neither in a name nor inside a word of a message."""
    found = [c["name"].lower() for c in view.data["conversations"]]
    found += [m["text"].lower() for c in view.data["conversations"] for m in c["messages"]]
    return [name for name in FIRST if not any(name.lower() in text for text in found)]


def persons(view: PhoneView) -> list[Conversation]:
    """The listed conversations that are with a person, not with a service."""
    return [c for c in listed(view) if c["person"]]


def reached(view: PhoneView, chance: Chance, chosen: Conversation) -> list[Move] | None:
    """The scrolls that bring its row to the finger."""
    order = [f"conversation_{c['id']}" for c in listed(view)]
    moves = scrolls_to(view, "conversation_list", order, f"conversation_{chosen['id']}", _SCROLLS, chance)
    return None if moves is None else list(moves)


def opened(draw: WordingSampler, chosen: Conversation) -> Move:
    """From the list to the conversation."""
    name = called(chosen)
    says = (f"Open the conversation with {chosen['name']}", f"Tap {chosen['name']}", f"Open {name}")
    return tap(f"conversation_{chosen['id']}", draw.say(*says), page("ThreadPage"))


def held(draw: WordingSampler, chosen: Conversation) -> Move:
    """From the list to the conversation's menu."""
    name = called(chosen)
    says = (f"Press and hold {chosen['name']}", f"Long press the conversation with {name}", f"Keep a finger on {name}")
    return hold(f"conversation_{chosen['id']}", draw.say(*says), layer("ConversationMenu"))


def menu(draw: WordingSampler) -> Move:
    """The menu at the top right."""
    return tap("menu_overflow", draw.say("Open More options", "Tap the three dots", "Open the menu"), layer("Menu"))


def has(number: int, **wanted: Any) -> Then:
    """The conversation with this number has these values."""
    return data(
        lambda d: any(c["id"] == number and all(c[k] == v for k, v in wanted.items()) for c in d["conversations"])
    )


def said(number: int, text: str) -> Then:
    """The last message of the conversation is ours and reads `text`."""
    return data(lambda d: any(c["id"] == number and _last(c) == (True, text) for c in d["conversations"]))


def _last(conversation: Conversation) -> tuple[bool, str] | None:
    messages = conversation["messages"]
    return (messages[-1]["out"], messages[-1]["text"]) if messages else None
