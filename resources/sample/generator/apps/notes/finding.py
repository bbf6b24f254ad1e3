"""Finding and showing in Notes: search, notebooks, order, and the settings."""

from __future__ import annotations

from typing import Any

from stepscope.resources.sample.generator.apps.notes.common import WHICH, called, note_is, opened, pick, texts
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.reach import element
from stepscope.resources.sample.generator.wording import Wording, WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    Then,
    both,
    by_words,
    data,
    done,
    layer,
    page,
    scroll,
    shows,
    snack,
    swipe,
    tap,
    write,
)

SORTS = ("Oldest first", "Title", "Notebook")
SIZES = ("Small", "Normal", "Large", "Very large")
SWITCHES = {
    "dates": ("dates in the list of notes", "Show dates"),
    "ask": ("the question before notes go to trash", "Ask before moving to trash"),
    "spelling": ("spell checking for notes", "Check spelling"),
    "sink": ("moving ticked items of my notes to the bottom", "Ticked items go to the bottom"),
    "swipe": ("archiving notes by a swipe", "Swipe to archive"),
}


def setting(name: str, value: Any) -> Then:
    """The setting has this value."""
    return data(lambda d: d["settings"][name] == value)


def menu(draw: WordingSampler) -> Move:
    """The menu at the top of the first page."""
    return tap(
        "menu_overflow", draw.say("Open the menu", "Tap More options", "Tap the three dots at the top"), layer("Menu")
    )


def settings_open(draw: WordingSampler) -> list[Move]:
    """From the first page to the settings."""
    return [menu(draw), tap("menu_settings", draw.say("Choose Settings", "Tap Settings"), page("SettingsPage"))]


def down_to(name: str, draw: WordingSampler) -> Move:
    """The settings scrolled to their end, where this one is."""
    return scroll(
        "settings_list", draw.say("Scroll down the settings", "Scroll to the end", "Scroll down"), shows(name)
    )


def find_note(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A note searched for by its title, and opened. Slot `note`; None without an unlocked text."""
    draw = WordingSampler(chance)
    note = pick(chance, [n for n in texts(view) if not n["locked"]])
    if note is None:
        return None
    word = max(note["title"].split(), key=len)
    title = called(draw, note["title"])
    words = draw.goal(
        f"Search my notes for[note| {title}| something] and open what you find",
        f"Look up[note| the note {title}| a note] with the search and open it",
        f"Where is[note| my note {title}| that note of mine]? Search for it and show it to me",
        f"Find[note| the note {title}| a certain note] by searching, please, and open it",
    )
    moves = (
        tap("search_bar", draw.say("Tap Search notes", "Tap the search bar", "Start a search"), page("SearchPage")),
        write(word, draw.say(f"Type {word}", "Type a word of its title"), shows(f"note_{note['id']}")),
        tap(f"note_{note['id']}", draw.say(f"Open {note['title']}", "Tap the note that was found"), page("NotePage")),
        done(draw.say("The note is open", "Here it is")),
    )
    slots = (draw.slot(words, "note", note["title"], 1, ("What shall I search for?", *WHICH)),)
    return GoalPlan(words.full, moves, both(page("NotePage"), lambda v: v.state["arg"] == note["id"]), slots)


def filter_notebook(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Only the notes of one notebook. Slot `book`."""
    draw, book = WordingSampler(chance), chance.choice(view.data["notebooks"])
    name, chip = book["name"], f"filter_{book['id']}"
    words = draw.goal(
        f"Show only the notes[book| of the notebook {name}| of one notebook]",
        f"I just want to see[book| my {name} notes| the notes of one notebook]",
        f"Limit the list of notes to[book| {name}| one notebook], please",
        f"Filter my notes by notebook[book|: {name}]",
    )
    seen = element(view.tree, chip)
    moves: list[Move] = []
    if seen is None or seen.box.right >= view.tree.size.width - 2:
        say = draw.say("Swipe through the notebooks at the top", "Swipe the row of notebooks to the left")
        moves.append(swipe("notebook_filter", "left", say, shows(chip)))
    chosen = data(lambda d: d["filter"] == book["id"])
    moves += [tap(chip, draw.say(f"Tap {name}", f"Choose {name}", f"Tap the chip {name}"), chosen), done()]
    slots = (draw.slot(words, "book", name, 0, ("Which notebook?", "Which of your notebooks?")),)
    return GoalPlan(words.full, tuple(moves), chosen, slots)


def sort(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The notes in another order. Slot `order`."""
    draw, order = WordingSampler(chance), chance.choice(SORTS)
    how = {"Oldest first": "with the oldest first", "Title": "by title", "Notebook": "by notebook"}[order]
    words = draw.goal(
        f"Sort my notes[order| {how}| another way]",
        f"Put the notes[order| into order {how}| into another order]",
        f"I would rather see the list of notes sorted[order| {how}| differently]",
        f"Could you arrange my notes[order| {how}| in some other order]?",
    )
    moves = (
        menu(draw),
        tap("menu_sort", draw.say("Choose Sort notes", "Tap Sort notes"), layer("SortDialog")),
        tap(by_words(order, "option_"), draw.say(f"Choose {order}", f"Tap {order}", f"Pick {order}")),
        done(draw.say("The notes are sorted", "The task is done")),
    )
    questions = ("How should the notes be sorted?", "Which order would you like?")
    slots = (draw.slot(words, "order", how, 2, questions),)
    return GoalPlan(words.full, moves, data(lambda d: d["sort"] == order), slots, key=1)


def grid(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The notes two side by side."""
    draw = WordingSampler(chance)
    goal = draw.say(
        "Show my notes as a grid",
        "I want to see two notes side by side",
        "Could you lay the notes out in a grid instead of a list?",
        "More notes on one screen, please: use the grid",
    )
    shown = data(lambda d: d["grid"])
    layout = tap("menu_layout", draw.say("Choose Show as grid", "Tap Show as grid"), shown)
    return GoalPlan(goal, (menu(draw), layout, done(draw.say("The notes stand in a grid", "Done"))), shown, key=1)


def text_size(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another size for the notes' text. Slot `size`."""
    draw = WordingSampler(chance)
    size = chance.choice([s for s in SIZES if s != view.data["settings"]["size"]])
    words = draw.goal(
        f"Set the text size of my notes[size| to {size.lower()}| to another size]",
        f"The text of my notes should be[size| {size.lower()}| of another size]",
        f"I cannot read my notes well, change the text size[size| to {size.lower()}]",
        f"Would you switch the text in Notes[size| to {size.lower()}| to a different size]?",
    )
    moves = (
        *settings_open(draw),
        tap("setting_size", draw.say("Tap Text size of notes", "Open Text size of notes"), layer("TextSizeDialog")),
        tap(by_words(size, "option_"), draw.say(f"Choose {size}", f"Tap {size}"), setting("size", size)),
        done(),
    )
    slots = (draw.slot(words, "size", size.lower(), 3, ("Which size?", "How big should the text be?")),)
    return GoalPlan(words.full, moves, setting("size", size), slots, key=2)


def home_notebook(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The notebook that new notes go into. Slot `book`."""
    draw = WordingSampler(chance)
    book = chance.choice([b for b in view.data["notebooks"] if b["id"] != view.data["settings"]["home"]])
    name = book["name"]
    words = draw.goal(
        f"New notes should go into[book| {name}| another notebook] from now on",
        f"Make[book| {name}| another one] the notebook for new notes",
        f"Please save new notes in[book| the notebook {name}| a different notebook] by default",
        f"Set the notebook for new notes[book| to {name}]",
    )
    moves = (
        *settings_open(draw),
        tap("setting_home", draw.say("Tap Notebook for new notes", "Open Notebook for new notes")),
        tap(by_words(name, "option_"), draw.say(f"Choose {name}", f"Tap {name}"), setting("home", book["id"])),
        done(),
    )
    slots = (draw.slot(words, "book", name, 3, ("Which notebook?", "Into which notebook should new notes go?")),)
    return GoalPlan(words.full, moves, setting("home", book["id"]), slots, key=2)


def switch(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """One of the settings on or off."""
    draw, name = WordingSampler(chance), chance.choice(list(SWITCHES))
    what, title = SWITCHES[name]
    on = not view.data["settings"][name]
    turn = "on" if on else "off"
    goal = draw.say(
        f"Turn {turn} {what}",
        f"I want {what} switched {turn}",
        f"Could you turn {what} {turn} in the settings of Notes?",
        f"Settings of Notes: {what} {turn}, please",
    )
    flip = tap(
        f"setting_{name}", draw.say(f"Tap {title}", f"Switch {title}", f"Turn {turn} {title}"), setting(name, on)
    )
    return GoalPlan(goal, (*settings_open(draw), flip, done()), setting(name, on), key=2)


def pin_goal(draw: WordingSampler, pin: str) -> Wording:
    """How people ask for a note PIN."""
    return draw.goal(
        f"Set the note PIN[pin| to {pin}]",
        f"Protect my notes with[pin| the PIN {pin}| a PIN]",
        f"Could you make[pin| {pin}| something new] the PIN of my notes?",
        f"I want[pin| {pin}| four digits I choose] as the PIN for locked notes",
    )


def set_pin(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Four digits as the note PIN. Slot `pin`."""
    draw, pin = WordingSampler(chance), f"{chance.randint(1000, 9999)}"
    words = pin_goal(draw, pin)
    moves = (
        *settings_open(draw),
        down_to("setting_pin", draw),
        tap("setting_pin", draw.say("Tap Note PIN", "Open Note PIN"), layer("SetPinDialog")),
        write(pin, draw.say("Type the four digits", f"Type {pin}")),
        tap("button_ok", draw.say("Tap Save", "Save it"), snack("Note PIN saved")),
        done(draw.say("The PIN is set", "The task is done")),
    )
    slots = (draw.slot(words, "pin", pin, 4, ("Which four digits?", "What should the PIN be?")),)
    return GoalPlan(words.full, moves, data(lambda d: d["pin"] == pin), slots, key=3)


def how_long(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A note's details, which have its number of words. Slot `note`; None without a text."""
    draw, note = WordingSampler(chance), pick(chance, texts(view))
    if note is None:
        return None
    title = called(draw, note["title"])
    words = draw.goal(
        f"Show how many words[note| the note {title}| a note] has",
        f"How long is[note| my note {title}| that note] in words? Show me its details",
        f"Open the details of[note| the note {title}| one of my notes]",
        f"Let me see the word count of[note| the note {title}| the note], please",
    )
    way = opened(view, draw, note)
    moves = (
        *way,
        tap("editor_overflow", draw.say("Open the menu of the note", "Tap More options"), layer("EditorMenu")),
        tap("menu_details", draw.say("Choose Details", "Tap Details"), layer("DetailsDialog")),
        done(draw.say("The number of words is on the screen", "Here are the details")),
    )
    slots = (draw.slot(words, "note", note["title"], 0, WHICH),)
    result = both(layer("DetailsDialog"), note_is(note, title=note["title"]))
    return GoalPlan(words.full, moves, result, slots, key=len(way) + 1)
