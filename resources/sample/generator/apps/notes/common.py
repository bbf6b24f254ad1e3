"""What the templates of Notes share: reading the app's data, reaching a note in the list, leaving the editor."""

from __future__ import annotations

import math
from typing import Any

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.plan import Chance
from stepscope.resources.sample.generator.reach import element
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, Then, back, data, page, scroll, shows, tap

PREMATURE = InfeasibilityReason.PREMATURE
Note = dict[str, Any]

_WIDTH, _HEIGHT = 412, 915
_ROW, _FOOT = 96, 104
_LONGEST = 0.5
WHICH = ("Which note do you mean?", "There are several notes. Which one is it?", "Which of your notes?")


def notes(view: PhoneView, place: str = "notes", **wanted: Any) -> list[Note]:
    """The notes in a place (`notes`, `archive`, `trash`) that have all these values."""
    found = (n for n in view.data["notes"] if n["place"] == place)
    return [n for n in found if all(n[key] == value for key, value in wanted.items())]


def texts(view: PhoneView) -> list[Note]:
    """The notes on the first page that are text, not lists to tick off."""
    return notes(view, items=None)


def lists(view: PhoneView) -> list[Note]:
    """The notes on the first page that are lists to tick off."""
    return [n for n in notes(view) if n["items"] is not None]


def note_is(note: Note, **wanted: Any) -> Then:
    """The note has all these values now."""
    return data(lambda d: any(n["id"] == note["id"] and all(n[k] == v for k, v in wanted.items()) for n in d["notes"]))


def called(draw: WordingSampler, title: str) -> str:
    """The title as people write it into a sentence."""
    return draw.say(title, title, f'"{title}"')


def reach(view: PhoneView, draw: WordingSampler, note: Note) -> list[Move]:
    """The scrolls after which the note can be touched; none when it can be now."""
    box, tops = element(view.tree, "note_list"), view.data["tops"]
    if box is None:
        raise ValueError("the list of notes is not on the screen")
    seen = box.box.height * _WIDTH / view.tree.size.width
    top, end = tops[f"note_{note['id']}"], max(tops.values()) + _FOOT + _ROW
    if top + _ROW * 0.75 <= seen:
        return []
    way = max(min(top + _ROW / 2 - seen / 2, end - seen), 0.12 * _HEIGHT)
    number = math.ceil(way / _HEIGHT / _LONGEST)
    says = ("Scroll down the notes", "Look further down the list", "Scroll to the older notes", "Scroll down")
    moves = [scroll("note_list", draw.say(*says), share=way / number / _HEIGHT) for _ in range(number)]
    last = moves.pop()
    return [*moves, scroll("note_list", last.say, shows(f"note_{note['id']}"), share=last.share)]


def opened(view: PhoneView, draw: WordingSampler, note: Note) -> list[Move]:
    """The way from the list into the note."""
    title = note["title"]
    say = draw.say(f"Open the note {title}", f"Tap {title}", f"Open {title}", f"Tap the card that says {title}")
    return [*reach(view, draw, note), tap(f"note_{note['id']}", say, page("NotePage"))]


def leave(draw: WordingSampler, *, keyboard: bool = False) -> list[Move]:
    """Out of the editor, by the arrow or by the phone's back, which puts the keyboard away first."""
    if draw.chance.random() < 0.6:
        say = draw.say("Go back to the notes", "Tap the arrow at the top left", "Leave the note with the arrow")
        return [tap("navigate_up", say, page("NotesPage"))]
    leaving = back(draw.say("Go back", "Leave the note", "Return to the list of notes"), page("NotesPage"))
    if not keyboard:
        return [leaving]
    hide = draw.say("Put the keyboard away", "Close the keyboard", "Go back once to hide the keyboard")
    return [back(hide, lambda view: not view.state["keyboard"]), leaving]


def pick(chance: Chance, found: list[Note]) -> Note | None:
    """One of them by chance; None when there are none."""
    return chance.choice(found) if found else None
