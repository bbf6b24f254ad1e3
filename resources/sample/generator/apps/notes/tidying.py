"""Tidying up in Notes: pins, colours, archive, trash, and notebooks."""

from __future__ import annotations

from typing import Any

from stepscope.resources.sample.generator.apps.notes.common import (
    WHICH,
    called,
    leave,
    note_is,
    notes,
    opened,
    pick,
    reach,
)
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    by_words,
    data,
    done,
    hold,
    layer,
    page,
    snack,
    swipe,
    tap,
    write,
)

COLOURS = ("Red", "Orange", "Yellow", "Green", "Teal", "Blue", "Purple", "Pink")
NOTEBOOKS = ("Letters", "House hunt", "Wedding", "Bees", "Woodwork", "School", "Sketches", "Allotment", "Club")


def _menu_of(view: PhoneView, draw: WordingSampler, note: dict[str, Any]) -> list[Move]:
    title = note["title"]
    say = draw.say(f"Press and hold {title}", f"Hold the note {title}", f"Long press the card {title}")
    return [*reach(view, draw, note), hold(f"note_{note['id']}", say, layer("NoteMenu"))]


def pin(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A note kept at the top. Slot `note`; None when all are pinned."""
    draw, note = WordingSampler(chance), pick(chance, notes(view, pinned=False))
    if note is None:
        return None
    title = called(draw, note["title"])
    words = draw.goal(
        f"Pin[note| the note {title}| a note]",
        f"Keep[note| my note {title}| one of my notes] at the top",
        f"I look at[note| the note {title}| this note] all the time, can you pin it?",
        f"Please fix[note| the note {title}| the note] to the top of my notes",
        f"Pin[note| {title}| that one] in Notes",
    )
    pinned = note_is(note, pinned=True)
    if chance.random() < 0.5:
        way = _menu_of(view, draw, note)
        moves = [*way, tap("menu_pin", draw.say("Choose Pin", "Tap Pin"), pinned)]
    else:
        say = draw.say("Tap Pin", "Tap the pin at the top", "Press the pin")
        moves = [*opened(view, draw, note), tap("pin_button", say, pinned)]
    slots = (draw.slot(words, "note", note["title"], 0, WHICH),)
    return GoalPlan(words.full, (*moves, done(draw.say("It is pinned", "Done"))), pinned, slots)


def colour(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another colour for a note. Slots `note`, `colour`; None without a note."""
    draw, note = WordingSampler(chance), pick(chance, notes(view))
    if note is None:
        return None
    new = chance.choice([c for c in COLOURS if c != note["colour"]])
    title, shade = called(draw, note["title"]), new.lower()
    words = draw.goal(
        f"Make[note| the note {title}| a note][colour| {shade}| another colour]",
        f"Colour[note| my note {title}| one of my notes][colour| {shade}]",
        f"Give[note| the note {title}| that note][colour| a {shade} background| a background colour], please",
        f"So that I see it at once:[note| the note {title}| one note] in[colour| {shade}| a colour]",
    )
    way = opened(view, draw, note)
    moves = [
        *way,
        tap("colour_button", draw.say("Tap Colour", "Tap the palette", "Open the colours"), layer("ColourSheet")),
        tap(
            f"colour_{shade}",
            draw.say(f"Choose {new}", f"Tap the {shade} circle", f"Pick {shade}"),
            note_is(note, colour=new),
        ),
        *leave(draw),
        done(draw.say(f"The note is {shade}", "The task is done")),
    ]
    slots = (
        draw.slot(words, "note", note["title"], 0, WHICH),
        draw.slot(words, "colour", shade, len(way) + 1, ("Which colour?", "Which colour should the note have?")),
    )
    return GoalPlan(words.full, tuple(moves), note_is(note, colour=new), slots, key=len(way))


def archive(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A note swiped into the archive. Slot `note`; None without a note."""
    draw, note = WordingSampler(chance), pick(chance, notes(view))
    if note is None:
        return None
    title = called(draw, note["title"])
    words = draw.goal(
        f"Archive[note| the note {title}| a note]",
        f"I am finished with[note| my note {title}| one of my notes], put it into the archive",
        f"Could you swipe[note| the note {title}| that note] into the archive?",
        f"[note|The note {title}|A note] should go to the archive",
    )
    say = draw.say(f"Swipe {note['title']} away", f"Swipe the note {note['title']} to the side", "Swipe the note away")
    gone = note_is(note, place="archive")
    moves = [*reach(view, draw, note), swipe(f"note_{note['id']}", chance.choice(("left", "right")), say, gone), done()]
    return GoalPlan(words.full, tuple(moves), gone, (draw.slot(words, "note", note["title"], 0, WHICH),))


def archive_two(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Two notes archived in one go, by the selection. Slot `note` for the second; None with fewer than two in reach."""
    draw = WordingSampler(chance)
    near = [n for n in notes(view) if not reach(view, draw, n)]
    if len(near) < 2:
        return None
    one, two = chance.sample(near, 2)
    words = draw.goal(
        f"Archive the notes {one['title']} and[note| {two['title']}| one more]",
        f"Put {one['title']} and[note| {two['title']}| another note] into the archive of my notes",
        f"Both the note {one['title']} and[note| {two['title']}| a second one] can be archived",
        f"Please archive two notes, {one['title']} and[note| {two['title']}| the other]",
    )
    first = _menu_of(view, draw, one)
    both_gone = data(lambda d: {n["id"] for n in d["notes"] if n["place"] == "archive"} >= {one["id"], two["id"]})
    moves = [
        *first,
        tap("menu_select", draw.say("Choose Select", "Tap Select"), data(lambda d: d["selected"])),
        tap(f"note_{two['id']}", draw.say(f"Select {two['title']} too", f"Tap {two['title']}")),
        tap("action_archive", draw.say("Tap Archive", "Tap the box at the top", "Archive both"), both_gone),
        done(draw.say("Both are archived", "The task is done")),
    ]
    slots = (draw.slot(words, "note", two["title"], len(first) + 1, ("Which is the other note?", *WHICH)),)
    return GoalPlan(words.full, tuple(moves), both_gone, slots)


def unarchive(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A note swiped back out of the archive. Slot `note`; None when the archive is empty."""
    draw, note = WordingSampler(chance), pick(chance, notes(view, "archive"))
    if note is None:
        return None
    title = called(draw, note["title"])
    words = draw.goal(
        f"Get[note| the note {title}| a note] back out of the archive",
        f"I archived[note| the note {title}| the wrong note] by mistake, undo that",
        f"Return[note| {title}| one of them] from the archive to my notes",
        f"Could you take[note| my note {title}| that note] from the archive, please?",
    )
    say = draw.say(f"Swipe {note['title']} out of the archive", f"Swipe {note['title']} to the side")
    moves = [
        tap("nav_archive", draw.say("Go to Archive", "Tap Archive", "Open the archive"), page("ArchivePage")),
        swipe(f"note_{note['id']}", chance.choice(("left", "right")), say, note_is(note, place="notes")),
        done(draw.say("The note is back", "The task is done")),
    ]
    slots = (draw.slot(words, "note", note["title"], 1, WHICH),)
    return GoalPlan(words.full, tuple(moves), note_is(note, place="notes"), slots)


def throw_away(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A note into the trash. Slot `note`; None without a note."""
    draw, note = WordingSampler(chance), pick(chance, notes(view))
    if note is None:
        return None
    title = called(draw, note["title"])
    words = draw.goal(
        f"Delete[note| the note {title}| a note]",
        f"Throw[note| my note {title}| one of my notes] away",
        f"I do not need[note| the note {title}| that note] any more, bin it",
        f"Would you move[note| the note {title}| a note of mine] to the trash?",
        f"Get rid of[note| the note {title}| the note]",
    )
    gone = note_is(note, place="trash")
    asks = view.data["settings"]["ask"]
    moves = _menu_of(view, draw, note)
    throw = draw.say("Choose Move to trash", "Tap Move to trash")
    moves.append(tap("menu_trash", throw, layer("TrashDialog") if asks else gone))
    if asks:
        moves.append(tap("button_ok", draw.say("Confirm with Move", "Tap Move", "Confirm"), gone))
    slots = (draw.slot(words, "note", note["title"], 0, WHICH),)
    return GoalPlan(words.full, (*moves, done()), gone, slots)


def restore(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A note back out of the trash. Slot `note`; None when the trash is empty."""
    draw, note = WordingSampler(chance), pick(chance, notes(view, "trash"))
    if note is None:
        return None
    words = restore_goal(draw, note["title"])
    moves = [
        tap("nav_trash", draw.say("Go to Trash", "Tap Trash", "Open the bin at the bottom"), page("TrashPage")),
        tap(
            f"note_{note['id']}",
            draw.say(f"Tap {note['title']}", f"Choose the note {note['title']}"),
            layer("TrashSheet"),
        ),
        tap("restore_note", draw.say("Choose Restore", "Tap Restore"), note_is(note, place="notes")),
        done(draw.say("The note is back", "The task is done")),
    ]
    slots = (draw.slot(words, "note", note["title"], 1, WHICH),)
    return GoalPlan(words.full, tuple(moves), note_is(note, place="notes"), slots, key=2)


def restore_goal(draw: WordingSampler, title: str) -> Any:
    """How people ask for a note back, whether it is in the trash or not."""
    name = called(draw, title)
    return draw.goal(
        f"Restore[note| the note {name}| a note] from the trash",
        f"I deleted[note| my note {name}| one of my notes] too soon, bring it back",
        f"Can you fetch[note| the note {name}| that note] out of the trash?",
        f"Bring[note| the note {name}| a deleted note] back from the trash, I still need it",
    )


def empty_trash_goal(draw: WordingSampler) -> str:
    """How people ask for an empty trash, whether there is something in it or not."""
    return draw.say(
        "Empty the trash of my notes",
        "Delete everything in the notes trash for ever",
        "Would you clear out the trash in Notes?",
        "Nobody should read the notes I threw away, so empty the trash",
        "Trash in Notes: empty it",
    )


def empty_trash(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Everything in the trash deleted for good. None when it is empty."""
    draw = WordingSampler(chance)
    if not notes(view, "trash"):
        return None
    empty = data(lambda d: not any(n["place"] == "trash" for n in d["notes"]))
    moves = (
        tap("nav_trash", draw.say("Go to Trash", "Tap Trash", "Open the trash"), page("TrashPage")),
        tap("trash_overflow", draw.say("Open the menu", "Tap More options"), layer("Menu")),
        tap("menu_empty_trash", draw.say("Choose Empty trash", "Tap Empty trash"), layer("EmptyTrashDialog")),
        tap("button_ok", draw.say("Confirm with Empty", "Tap Empty"), empty),
        done(draw.say("The trash is empty", "The task is done")),
    )
    return GoalPlan(empty_trash_goal(draw), moves, empty)


def move(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A note into another notebook. Slots `note`, `book`; None without a note."""
    draw, note = WordingSampler(chance), pick(chance, notes(view))
    if note is None:
        return None
    book = chance.choice([b for b in view.data["notebooks"] if b["id"] != note["notebook"]])
    words, way = move_goal(draw, note["title"], book["name"]), opened(view, draw, note)
    moved = note_is(note, notebook=book["id"])
    moves = [
        *way,
        tap(
            "notebook_button",
            draw.say("Tap the notebook at the bottom", "Open the list of notebooks"),
            layer("NotebookSheet"),
        ),
        tap(f"choose_notebook_{book['id']}", draw.say(f"Choose {book['name']}", f"Tap {book['name']}"), moved),
        done(draw.say(f"It is in {book['name']} now", "The task is done")),
    ]
    slots = (
        draw.slot(words, "note", note["title"], 0, WHICH),
        draw.slot(words, "book", book["name"], len(way) + 1, ("Into which notebook?", "Which notebook do you mean?")),
    )
    return GoalPlan(words.full, tuple(moves), moved, slots)


def move_goal(draw: WordingSampler, title: str, book: str) -> Any:
    """How people ask for a note in another notebook, whether that exists or not."""
    name = called(draw, title)
    return draw.goal(
        f"Move[note| the note {name}| a note] to[book| the notebook {book}| another notebook]",
        f"[note|My note {name}|One of my notes] belongs into[book| the notebook {book}| a different notebook]",
        f"Please put[note| the note {name}| that note] into[book| my {book} notebook| one of my notebooks]",
        f"File[note| the note {name}| this note] under[book| {book}| a notebook] in Notes",
    )


def new_notebook(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A notebook with a name. Slot `name`."""
    draw, name = WordingSampler(chance), chance.choice(NOTEBOOKS)
    words = draw.goal(
        f"Create a notebook[name| called {name}]",
        f"I want a new notebook[name| with the name {name}] in Notes",
        f"Add[name| {name}| one more] to my notebooks",
        f"Could you set up a notebook[name| named {name}] for me?",
    )
    there = data(lambda d: any(b["name"] == name for b in d["notebooks"]))
    moves = (
        tap("nav_notebooks", draw.say("Go to Notebooks", "Tap Notebooks"), page("NotebooksPage")),
        tap("new_notebook", draw.say("Tap New notebook", "Press the button with the plus"), layer("NewNotebookDialog")),
        write(name, draw.say("Type the name", f"Type {name}")),
        tap("button_ok", draw.say("Tap Create", "Confirm with Create"), there),
        done(draw.say("The notebook is there", "The task is done")),
    )
    questions = ("What should the notebook be called?", "Which name shall the notebook have?")
    return GoalPlan(words.full, moves, there, (draw.slot(words, "name", name, 2, questions),), key=1)


def rename_notebook(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another name for a notebook. Slots `book`, `name`."""
    draw, book, name = WordingSampler(chance), chance.choice(view.data["notebooks"]), chance.choice(NOTEBOOKS)
    old = book["name"]
    words = draw.goal(
        f"Rename[book| the notebook {old}| a notebook] to[name| {name}| something else]",
        f"[book|My notebook {old}|One of my notebooks] should be called[name| {name}| something else] from now on",
        f"Change the name of[book| the {old} notebook| that notebook][name| to {name}]",
        f"Please call[book| the notebook {old}| one notebook][name| {name}| by another name] instead",
    )
    renamed = data(lambda d: any(b["id"] == book["id"] and b["name"] == name for b in d["notebooks"]))
    moves = (
        tap("nav_notebooks", draw.say("Go to Notebooks", "Tap Notebooks"), page("NotebooksPage")),
        hold(
            by_words(old, "notebook_"), draw.say(f"Press and hold {old}", f"Hold the row {old}"), layer("NotebookMenu")
        ),
        tap("menu_rename", draw.say("Choose Rename", "Tap Rename"), layer("RenameDialog")),
        write(name, draw.say("Type the new name", f"Type {name} instead"), replace=True),
        tap("button_ok", draw.say("Tap Rename", "Confirm the new name"), renamed),
        done(),
    )
    slots = (
        draw.slot(words, "book", old, 1, ("Which notebook?", "Which of the notebooks do you mean?")),
        draw.slot(words, "name", name, 3, ("What is the new name?", "How should the notebook be called?")),
    )
    return GoalPlan(words.full, moves, renamed, slots, key=2)


def delete_notebook(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A notebook deleted, its notes kept. Slot `book`."""
    draw, book = WordingSampler(chance), chance.choice(view.data["notebooks"])
    old = book["name"]
    words = draw.goal(
        f"Delete[book| the notebook {old}| a notebook], its notes may stay",
        f"I no longer want[book| a notebook {old}| one of my notebooks]",
        f"Remove[book| {old}| one] from my notebooks",
        f"Could you take[book| the {old} notebook| that notebook] away?",
    )
    gone = data(lambda d: all(b["id"] != book["id"] for b in d["notebooks"]))
    moves = (
        tap("nav_notebooks", draw.say("Go to Notebooks", "Tap Notebooks"), page("NotebooksPage")),
        hold(by_words(old, "notebook_"), draw.say(f"Press and hold {old}", f"Hold {old}"), layer("NotebookMenu")),
        tap("menu_delete", draw.say("Choose Delete notebook", "Tap Delete notebook"), layer("DeleteNotebookDialog")),
        tap("button_ok", draw.say("Confirm with Delete", "Tap Delete"), snack("Notebook deleted")),
        done(draw.say("The notebook is gone", "The task is done")),
    )
    slots = (draw.slot(words, "book", old, 1, ("Which notebook?", "Which of the notebooks do you mean?")),)
    return GoalPlan(words.full, moves, gone, slots, key=2)
