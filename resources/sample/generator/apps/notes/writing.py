"""Writing in Notes: new notes and lists, their items, and titles."""

from __future__ import annotations

from stepscope.resources.sample.generator.apps.notes.common import (
    WHICH,
    called,
    leave,
    lists,
    note_is,
    opened,
    pick,
    texts,
)
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, both, data, done, enter, layer, page, snack, tap, write

NEW = (
    ("Bike repair", "The chain slips in the third gear"),
    ("Garage number", "Level two, bay forty one"),
    ("Gift for Ines", "A small teapot or a book about owls"),
    ("Film tips", "The one about the ferry and the one with the goats"),
    ("Rent questions", "Who pays for the new lock in the cellar"),
    ("Soup of Sunday", "More ginger next time and less salt"),
    ("Dream", "I was a postman on a very small island"),
    ("Pool hours", "Open from seven to nine on weekdays"),
    ("Shoe size of Theo", "Thirty four, wide at the front"),
    ("Moving day", "Book the van before the twentieth"),
    ("Words from grandmother", "Never iron on a full moon"),
    ("Course ideas", "Pottery, sailing, or finally Italian"),
)
LISTS = (
    ("Picnic", "Blanket"),
    ("Hardware store", "Wood glue"),
    ("Things to sell", "Old bicycle"),
    ("Films to watch", "The Long Ferry"),
    ("Gifts", "Teapot"),
    ("For the cellar", "Light bulbs"),
    ("Concert bag", "Spare strings"),
    ("Sunday brunch", "Orange juice"),
)
ITEMS = ("Oat milk", "Batteries", "Matches", "Tape", "Honey", "Notepad", "Gloves", "Rope", "Soap", "Plums", "Map")
TITLES = ("Draft for later", "Keep this", "Read again in June", "Old version", "For Monday", "Show to Ada", "Final")


def _new(draw: WordingSampler, kind: str) -> list[Move]:
    choose = {
        "new_text_note": ("Choose Text note", "Tap Text note", "Pick the plain note"),
        "new_checklist": ("Choose Checklist", "Tap Checklist", "Pick the list with boxes"),
    }[kind]
    plus = draw.say("Tap the plus button", "Start a new note", "Press New note", "Tap the round button at the bottom")
    return [tap("new_note", plus, layer("NewSheet")), tap(kind, draw.say(*choose), page("NotePage"))]


def new_note(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A note with title and text. Slots `title`, `text`."""
    draw = WordingSampler(chance)
    title, text = chance.choice(NEW)
    words = draw.goal(
        f"Write a new note[title| called {title}| and give it a title],[text| saying: {text}| with the text I have]",
        f"Note down[text| {text}| a sentence] and put[title| {title}| a title] on top of the note",
        f"Please make a note[title| with the title {title}| with a title][text| and the words: {text}| and some words]",
        f"I forget this, so save a note[title| named {title}| under its name][text| that reads {text}| for me]",
        f"New note[title|, title {title}|, with a title][text|, text: {text}|, with text]",
    )
    is_there = data(lambda d: any(n["title"] == title and n["body"] == text for n in d["notes"]))
    moves = [
        *_new(draw, "new_text_note"),
        write(title, draw.say("Type the title", f"Type {title}", "Write the title")),
        tap("edit_body", draw.say("Tap below the title", "Tap the field Note", "Go to the text of the note")),
        write(text, draw.say("Type the text", "Write the note", "Type what it should say"), is_there),
        *leave(draw, keyboard=True),
        done(draw.say("The note is written", "The task is done", "It is saved")),
    ]
    slots = (
        draw.slot(words, "title", title, 2, ("What should the title be?", "How shall I call the note?")),
        draw.slot(words, "text", text, 4, ("What should the note say?", "Which text shall I write into the note?")),
    )
    return GoalPlan(words.full, tuple(moves), both(page("NotesPage"), is_there), slots, key=0)


def new_checklist(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A list with a title and its first item. Slots `title`, `item`."""
    draw = WordingSampler(chance)
    title, item = chance.choice(LISTS)
    words = draw.goal(
        f"Start a checklist note[title| called {title}| with a name][item| with {item} on it| with one thing on it]",
        f"Make me a note to tick off[title|, {title}|, with a title],[item| first item {item}| with a first item]",
        f"Could you begin a checklist in my notes[title| named {title}| with its name][item| and put {item} on it"
        f"| and put the first thing on it]?",
        f"New checklist note[title| {title}| with a title],[item| beginning with {item}| with its first entry]",
    )
    is_there = data(
        lambda d: any(n["title"] == title and n["items"] == [{"text": item, "done": False}] for n in d["notes"])
    )
    moves = [
        *_new(draw, "new_checklist"),
        write(title, draw.say("Type the title", f"Type {title}", "Name the list")),
        tap("add_item_input", draw.say("Tap Add item", "Go to the line for a new item")),
        write(item, draw.say(f"Type {item}", "Type the first item")),
        enter(draw.say("Press enter", "Add it with the enter key"), is_there),
        *leave(draw, keyboard=True),
        done(draw.say("The list is there", "The task is done")),
    ]
    slots = (
        draw.slot(words, "title", title, 2, ("What should the checklist be called?", "Which title shall it have?")),
        draw.slot(words, "item", item, 4, ("What is the first item?", "What shall I put on the checklist?")),
    )
    return GoalPlan(words.full, tuple(moves), both(page("NotesPage"), is_there), slots, key=0)


def add_item(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """One more item on a list. Slots `note`, `item`; None without a list."""
    draw, note = WordingSampler(chance), pick(chance, lists(view))
    if note is None:
        return None
    item = chance.choice(ITEMS)
    title = called(draw, note["title"])
    words = draw.goal(
        f"Put[item| {item}| one more thing] on[note| the note {title}| my checklist note]",
        f"Add[item| {item}| something] to[note| my note {title}| a note of mine]",
        f"Could you write[item| {item}| another item] into[note| the checklist {title}| the checklist] in my notes?",
        f"We are out of something:[item| {item}| I will say what] goes on[note| the note {title}| the note]",
    )
    way = opened(view, draw, note)
    wanted = [*note["items"], {"text": item, "done": False}]
    moves = [
        *way,
        tap("add_item_input", draw.say("Tap Add item", "Go to the empty line", "Tap the line with the plus")),
        write(item, draw.say(f"Type {item}", "Type the new item")),
        enter(draw.say("Press enter", "Confirm with the enter key"), note_is(note, items=wanted)),
        done(draw.say("It is on the list", "The task is done")),
    ]
    slots = (
        draw.slot(words, "note", note["title"], 0, WHICH),
        draw.slot(words, "item", item, len(way) + 1, ("What shall I add?", "Which item should go on the list?")),
    )
    return GoalPlan(words.full, tuple(moves), note_is(note, items=wanted), slots)


def tick_item(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An item of a list ticked, or not any more. Slots `note`, `item`; None without a list."""
    draw, note = WordingSampler(chance), pick(chance, lists(view))
    if note is None:
        return None
    index = chance.randrange(len(note["items"]))
    item = note["items"][index]
    text, title, off = item["text"], called(draw, note["title"]), item["done"]
    tick = "Untick" if off else "Tick"
    why = "is not done after all" if off else "is done"
    words = draw.goal(
        f"{tick}[item| {text}| an item] in[note| the note {title}| my checklist note]",
        f"In[note| my note {title}| one of my notes],[item| {text}| one of the lines] {why}, so change its box",
        f"Please {tick.lower()}[item| {text}| one thing] on[note| the note {title}| that note]",
        f"[item|{text}|Something] on[note| my checklist {title}| my checklist] in Notes {why}, {tick.lower()} it",
    )
    way = opened(view, draw, note)
    wanted = [dict(i, done=not off) if n == index else i for n, i in enumerate(note["items"])]
    say = draw.say(f"Tap {text}", f"{tick} {text}", f"Tap the box before {text}")
    moves = [*way, tap(f"item_{index}", say, note_is(note, items=wanted)), done()]
    slots = (
        draw.slot(words, "note", note["title"], 0, WHICH),
        draw.slot(words, "item", text, len(way), ("Which item?", "Which line of the list do you mean?")),
    )
    return GoalPlan(words.full, tuple(moves), note_is(note, items=wanted), slots)


def retitle(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another title for a note. Slots `note`, `new`; None without a text."""
    draw, note = WordingSampler(chance), pick(chance, texts(view))
    if note is None:
        return None
    new, title = chance.choice(TITLES), called(draw, note["title"])
    words = draw.goal(
        f"Change the title of[note| the note {title}| a note][new| to {new}]",
        f"Rename[note| my note {title}| one of my notes][new| to {new}]",
        f"[note|The note {title}|One note] needs another title[new|: {new}]",
        f"Would you give[note| the note {title}| that note of mine] the title[new| {new}| I thought of]?",
    )
    way = opened(view, draw, note)
    moves = [
        *way,
        tap("edit_title", draw.say("Tap the title", f"Tap {note['title']} at the top"), lambda v: v.state["keyboard"]),
        write(new, draw.say("Replace the title", f"Type {new} instead"), note_is(note, title=new), replace=True),
        *leave(draw, keyboard=True),
        done(draw.say("The note has its new title", "The task is done")),
    ]
    slots = (
        draw.slot(words, "note", note["title"], 0, WHICH),
        draw.slot(words, "new", new, len(way) + 1, ("What should the new title be?", "Which title shall I write?")),
    )
    return GoalPlan(words.full, tuple(moves), both(page("NotesPage"), note_is(note, title=new)), slots)


def copy_note(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A note twice, by its menu. Slot `note`; None without a text."""
    draw, note = WordingSampler(chance), pick(chance, texts(view))
    if note is None:
        return None
    title = called(draw, note["title"])
    words = draw.goal(
        f"Duplicate[note| the note {title}| a note]",
        f"I need[note| my note {title}| one of my notes] twice, make a copy",
        f"Please copy[note| the note {title}| that note] within Notes",
        f"Before I change it, make a second one of[note| the note {title}| the note]",
    )
    way = opened(view, draw, note)
    copied = data(lambda d: any(n["title"] == f"{note['title']} (copy)" for n in d["notes"]))
    moves = [
        *way,
        tap("editor_overflow", draw.say("Open the menu of the note", "Tap More options"), layer("EditorMenu")),
        tap("menu_copy", draw.say("Choose Make a copy", "Tap Make a copy"), both(copied, snack("Note copied"))),
        done(draw.say("There are two of it now", "The task is done")),
    ]
    slots = (draw.slot(words, "note", note["title"], 0, WHICH),)
    return GoalPlan(words.full, tuple(moves), copied, slots, key=len(way) + 1)
