"""Ways to places in the mail app that several goals share, and how people refer to a letter."""

from __future__ import annotations

from typing import Any

from stepscope.resources.sample.generator.plan import Chance
from stepscope.resources.sample.generator.reach import element, scrolls_to
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, data, hold, layer, page, scroll, tap, write

SCROLLS = ("Scroll down the inbox", "Scroll to the older mails", "Scroll down", "Look further down the list")
WHICH = ("Which mail do you mean?", "Which of the mails is it?", "Can you say which mail it is about?")
_COVERED = 0.25

Letter = dict[str, Any]


def inbox(view: PhoneView) -> list[Letter]:
    """The letters of the inbox as they stand on the first page."""
    by_number = {letter["id"]: letter for letter in view.data["mails"]}
    return [by_number[number] for number in view.data["shown"]]


def named(view: PhoneView, chance: Chance, letter: Letter) -> str:
    """How a person says which letter of the inbox is meant: "from Mira", or by its subject."""
    alone = sum(other["name"] == letter["name"] for other in view.data["mails"]) == 1
    ways = [f"with the subject {letter['subject']}", f"called {letter['subject']}"]
    if alone:
        ways += [f"from {letter['name']}", f"that {letter['name']} sent", f"by {letter['name']}"]
    return chance.choice(ways)


def reach(view: PhoneView, chance: Chance, letter: Letter, part: str = "mail") -> tuple[Move, ...] | None:
    """The scrolls of the inbox until `letter` can be touched, also where the pen button would lie over it."""
    target, order = f"{part}_{letter['id']}", [f"{part}_{number}" for number in view.data["shown"]]
    moves = scrolls_to(view, "letter_list", order, target, SCROLLS, chance)
    seen, pen = element(view.tree, target), element(view.tree, "write_mail")
    if moves == () and seen and pen and seen.box.bottom > pen.box.top:
        return (scroll("letter_list", chance.choice(SCROLLS), share=_COVERED),)
    return moves


def open_letter(draw: WordingSampler, letter: Letter) -> Move:
    """From a list that shows it to the letter's page."""
    says = (f"Open {letter['subject']}", f"Tap the mail from {letter['name']}", f"Open {letter['name']}'s mail")
    return tap(f"mail_{letter['id']}", draw.say(*says), page("LetterPage"))


def hold_letter(draw: WordingSampler, letter: Letter) -> Move:
    """From a list that shows it to the letter's menu."""
    says = (f"Press and hold {letter['subject']}", f"Long press the mail from {letter['name']}")
    return hold(f"mail_{letter['id']}", draw.say(*says), layer("LetterMenu"))


def letter_menu(draw: WordingSampler, letter: Letter) -> list[Move]:
    """To a letter's menu, by a long press or through the letter."""
    if draw.chance.random() < 0.6:
        return [hold_letter(draw, letter)]
    more = tap("letter_more", draw.say("Tap the three dots", "Open More"), layer("LetterMenu"))
    return [open_letter(draw, letter), more]


def drawer(draw: WordingSampler) -> Move:
    """The list of folders and labels opened."""
    says = ("Open the folders", "Tap the three lines at the top", "Tap Folders")
    return tap("drawer_button", draw.say(*says), layer("Drawer"))


def folder(draw: WordingSampler, key: str, title: str) -> list[Move]:
    """From the first page to the folder `key`, which people call `title`."""
    opened = data(lambda d: d["folder"] == key)
    return [drawer(draw), tap(f"folder_{key}", draw.say(f"Open {title}", f"Tap {title}", f"Go to {title}"), opened)]


def labels_page(draw: WordingSampler) -> list[Move]:
    """From the first page to where labels are made, renamed and deleted."""
    return [drawer(draw), tap("edit_labels", draw.say("Tap Edit labels", "Open Edit labels"), page("LabelsPage"))]


def settings(draw: WordingSampler) -> list[Move]:
    """From the first page to the settings, by the folders or by the menu."""
    if draw.chance.random() < 0.6:
        says = ("Tap Settings", "Open the settings")
        return [drawer(draw), tap("open_settings", draw.say(*says), page("MailSettingsPage"))]
    says = ("Choose Settings", "Tap Settings")
    return [mailbox_menu(draw), tap("more_settings", draw.say(*says), page("MailSettingsPage"))]


def mailbox_menu(draw: WordingSampler) -> Move:
    """The menu at the top of the first page."""
    return tap("mailbox_more", draw.say("Tap the three dots", "Open More", "Tap More"), layer("MailboxMenu"))


def look(draw: WordingSampler) -> Move:
    """From the first page to the search."""
    says = ("Tap the magnifying glass", "Tap Search mail", "Open the search")
    return tap("look_button", draw.say(*says), page("LookPage"))


def pen(draw: WordingSampler) -> Move:
    """From the first page to an empty mail."""
    says = ("Tap Write a mail", "Tap the round button with the pen", "Start a new mail")
    return tap("write_mail", draw.say(*says), page("ComposePage"))


def address(draw: WordingSampler, name: str) -> list[Move]:
    """Type the beginning of a name into the line that has the focus, and take the person."""
    text = name[: draw.chance.randint(2, len(name))]
    return [
        write(text, draw.say(f"Type {text}", f"Write {text} into the line To", f"Begin with {text}")),
        tap(f"person_{name.lower()}", draw.say(f"Choose {name}", f"Tap {name}", f"Take {name} from the list")),
    ]


def send(draw: WordingSampler) -> Move:
    """The mail that is being written sent off."""
    sent = data(lambda d: d["draft"] is None)
    return tap("send_mail", draw.say("Tap Send", "Send it", "Press the arrow at the top right"), sent)
