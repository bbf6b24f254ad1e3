"""What Notes can do only after something else: the same goals where it can be done and where it is too early."""

from __future__ import annotations

from stepscope.resources.sample.generator.apps.notes.common import (
    PREMATURE,
    WHICH,
    called,
    lists,
    note_is,
    notes,
    opened,
    pick,
    texts,
)
from stepscope.resources.sample.generator.apps.notes.finding import down_to, settings_open
from stepscope.resources.sample.generator.apps.notes.tidying import empty_trash_goal, move_goal, restore_goal
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import Wording, WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, data, done, give_up, layer, page, snack, tap

_ABSENT = ("Lake house", "Plum cake", "Running plan", "Talk outline", "Boiler code", "Camping sites", "Sleep log")
_BOOKS = ("Home", "Work", "Travel", "Recipes", "Ideas", "Garden", "Study", "Health", "Music", "Letters", "Woodwork")


def _lock_goal(draw: WordingSampler, title: str) -> Wording:
    name = called(draw, title)
    return draw.goal(
        f"Lock[note| the note {name}| a note]",
        f"Nobody else should read[note| my note {name}| this note], lock it",
        f"Could you put a lock on[note| the note {name}| one of my notes]?",
        f"Protect[note| the note {name}| that note] with my note PIN",
    )


def _lock_moves(view: PhoneView, draw: WordingSampler, note: dict[str, object]) -> list[Move]:
    return [
        *opened(view, draw, note),
        tap("editor_overflow", draw.say("Open the menu of the note", "Tap More options"), layer("EditorMenu")),
    ]


def lock(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A note locked with the PIN that is there. Slot `note`; None without a PIN or a text."""
    draw, note = WordingSampler(chance), pick(chance, texts(view))
    if note is None or view.data["pin"] is None:
        return None
    words, way = _lock_goal(draw, note["title"]), _lock_moves(view, draw, note)
    locked = note_is(note, locked=True)
    moves = (*way, tap("menu_lock", draw.say("Choose Lock note", "Tap Lock note"), locked), done())
    slots = (draw.slot(words, "note", note["title"], 0, WHICH),)
    return GoalPlan(words.full, moves, locked, slots, key=len(way))


def lock_without_pin(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: no PIN was set. None when one was, or without a text."""
    draw, note = WordingSampler(chance), pick(chance, texts(view))
    if note is None or view.data["pin"] is not None:
        return None
    moves = (
        *_lock_moves(view, draw, note),
        tap("menu_lock", draw.say("Choose Lock note", "Tap Lock note"), layer("NoPinDialog")),
        give_up(draw.say("No note PIN has been set, so nothing can be locked yet", "A note PIN is needed first")),
    )
    follow_up = draw.say(
        "You have no note PIN yet. Which four digits shall I set first?",
        "Notes can only be locked with a PIN. Shall I set one?",
    )
    goal = _lock_goal(draw, note["title"]).full
    return GoalPlan(goal, moves, layer("NoPinDialog"), reason=PREMATURE, follow_up=follow_up)


def _backup_goal(draw: WordingSampler) -> str:
    return draw.say(
        "Back up my notes",
        "Make a backup of all notes now",
        "I am getting a new phone tomorrow, so back up the notes",
        "Would you back my notes up, please?",
        "Notes: backup now",
    )


def back_up(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A backup into the account. None without an account."""
    draw = WordingSampler(chance)
    if view.data["account"] is None:
        return None
    saved = data(lambda d: d["backup"] is not None)
    moves = (
        *settings_open(draw),
        down_to("setting_backup", draw),
        tap("setting_backup", draw.say("Tap Back up notes now", "Start the backup"), saved),
        done(draw.say("The notes are backed up", "The task is done")),
    )
    return GoalPlan(_backup_goal(draw), moves, saved, key=3)


def back_up_without_account(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: there is no account to back up to. None when there is one."""
    draw = WordingSampler(chance)
    if view.data["account"] is not None:
        return None
    moves = (
        *settings_open(draw),
        down_to("setting_backup", draw),
        tap("setting_backup", draw.say("Tap Back up notes now", "Start the backup"), layer("NoAccountDialog")),
        give_up(draw.say("Without an account there is no place for a backup", "An account has to be added first")),
    )
    follow_up = draw.say(
        "Notes has no account yet. Which mail address shall I add?",
        "A backup needs an account. Do you want me to add yours first?",
    )
    return GoalPlan(_backup_goal(draw), moves, layer("NoAccountDialog"), reason=PREMATURE, follow_up=follow_up)


def move_to_missing(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A notebook that nobody has created yet."""
    draw, note = WordingSampler(chance), pick(chance, notes(view))
    names = {b["name"] for b in view.data["notebooks"]}
    if note is None:
        return None
    book = chance.choice([b for b in _BOOKS if b not in names])
    open_list = draw.say("Tap the notebook at the bottom", "Open the list of notebooks")
    moves = (
        *opened(view, draw, note),
        tap("notebook_button", open_list, layer("NotebookSheet")),
        give_up(draw.say(f"There is no notebook {book} yet", "This notebook would have to be created first")),
    )
    follow_up = draw.say(
        f"There is no notebook called {book}. Shall I create it first?",
        f"I cannot find {book} among your notebooks. Do you want a new one, or which of these shall I take?",
    )
    goal = move_goal(draw, note["title"], book).full
    return GoalPlan(goal, moves, layer("NotebookSheet"), reason=PREMATURE, follow_up=follow_up)


def restore_nothing(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A note asked back while the trash is empty."""
    draw = WordingSampler(chance)
    titles = {n["title"] for n in view.data["notes"]}
    if notes(view, "trash"):
        return None
    title = chance.choice([t for t in _ABSENT if t not in titles] or ["Holiday photos"])
    moves = (
        tap("nav_trash", draw.say("Go to Trash", "Tap Trash", "Open the bin at the bottom"), page("TrashPage")),
        give_up(draw.say("The trash is empty", "Nothing is in the trash that could come back")),
    )
    follow_up = draw.say(
        f"Nothing is in the trash. Could {title} have another title, or shall I look in the archive?",
        "The trash is empty. Where did you last see the note?",
    )
    return GoalPlan(restore_goal(draw, title).full, moves, page("TrashPage"), reason=PREMATURE, follow_up=follow_up)


def empty_nothing(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: the trash is empty already. None when it is not."""
    draw, said = WordingSampler(chance), snack("The trash is empty already")
    if notes(view, "trash"):
        return None
    moves = (
        tap("nav_trash", draw.say("Go to Trash", "Tap Trash", "Open the trash"), page("TrashPage")),
        tap("trash_overflow", draw.say("Open the menu", "Tap More options"), layer("Menu")),
        tap("menu_empty_trash", draw.say("Choose Empty trash", "Tap Empty trash"), said),
        give_up(draw.say("There is nothing in the trash to delete", "The trash has nothing in it yet")),
    )
    follow_up = draw.say(
        "The trash is empty already. Is there a note that you want deleted?",
        "No note has been thrown away. Which ones should go?",
    )
    return GoalPlan(empty_trash_goal(draw), moves, page("TrashPage"), reason=PREMATURE, follow_up=follow_up)


def _clear_goal(draw: WordingSampler, title: str) -> Wording:
    name = called(draw, title)
    return draw.goal(
        f"Clear the ticked items from[note| the note {name}| my checklist note]",
        f"Take everything that is done off[note| the note {name}| that list in Notes]",
        f"Could you remove what is ticked in[note| my note {name}| one of my notes]?",
        f"[note|The note {name}|One of my notes] only needs what is still open, so clear the ticked items",
    )


def _clear_moves(view: PhoneView, draw: WordingSampler, note: dict[str, object]) -> list[Move]:
    return [
        *opened(view, draw, note),
        tap("editor_overflow", draw.say("Open the menu of the list", "Tap More options"), layer("EditorMenu")),
    ]


def clear_ticked(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The ticked items of a list removed. Slot `note`; None when no list has any."""
    draw, note = WordingSampler(chance), pick(chance, [n for n in lists(view) if any(i["done"] for i in n["items"])])
    if note is None:
        return None
    words, way = _clear_goal(draw, note["title"]), _clear_moves(view, draw, note)
    left = note_is(note, items=[i for i in note["items"] if not i["done"]])
    clear = tap("menu_clear_ticked", draw.say("Choose Clear ticked items", "Tap Clear ticked items"), left)
    slots = (draw.slot(words, "note", note["title"], 0, WHICH),)
    return GoalPlan(words.full, (*way, clear, done()), left, slots)


def clear_nothing(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: nothing in the list is ticked yet. None without such a list."""
    draw, note = (
        WordingSampler(chance),
        pick(chance, [n for n in lists(view) if not any(i["done"] for i in n["items"])]),
    )
    if note is None:
        return None
    same, said = note_is(note, items=note["items"]), snack("Nothing is ticked")
    moves = (
        *_clear_moves(view, draw, note),
        tap("menu_clear_ticked", draw.say("Choose Clear ticked items", "Tap Clear ticked items"), said),
        give_up(draw.say("Nothing is ticked in this list yet", "No item of it has been ticked")),
    )
    follow_up = draw.say(
        f"Nothing in {note['title']} is ticked. Which items are done?",
        "No item is ticked yet. Shall I tick some first, and which?",
    )
    return GoalPlan(_clear_goal(draw, note["title"]).full, moves, same, reason=PREMATURE, follow_up=follow_up)
