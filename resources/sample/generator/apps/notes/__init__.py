"""Notes: writing down and finding again. Held out: never trained on."""

from __future__ import annotations

from stepscope.resources.sample.generator.apps.notes import early, finding, tidying, writing
from stepscope.resources.sample.generator.apps.notes.common import leave, notes, opened
from stepscope.resources.sample.generator.plan import AppGoals, Chance, Template
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, back, layer, page, scroll, tap, write

Ways = tuple[tuple[Move, ...], ...]


def _detours(view: PhoneView, chance: Chance) -> Ways:
    draw = WordingSampler(chance)
    home = tap("nav_notes", draw.say("Back to Notes", "Tap Notes"), page("NotesPage"))
    close = back(draw.say("Close it again", "Not here, go back"), layer(None))
    first = next(n for n in notes(view) if n["id"] == view.data["shown"][0])
    return (
        (finding.menu(draw), close),
        (tap("nav_archive", draw.say("Look into the archive", "Tap Archive"), page("ArchivePage")), home),
        (tap("nav_trash", draw.say("Look into the trash", "Tap Trash"), page("TrashPage")), home),
        (
            tap("nav_notebooks", draw.say("Look at the notebooks", "Tap Notebooks"), page("NotebooksPage")),
            back(draw.say("Go back to the notes", "Return with back"), page("NotesPage")),
        ),
        (tap("new_note", draw.say("Tap the plus button", "Press New note"), layer("NewSheet")), close),
        (*opened(view, draw, first), *leave(draw)),
        (
            *finding.settings_open(draw),
            tap("navigate_up", draw.say("Leave the settings", "Go back to the notes"), page("NotesPage")),
        ),
        (
            scroll("note_list", draw.say("Scroll down the notes", "Look further down")),
            scroll("note_list", draw.say("Scroll back to the top", "Scroll up again"), way="down", share=0.6),
        ),
    )


def _searches(view: PhoneView, chance: Chance) -> Ways:
    draw, book = WordingSampler(chance), chance.choice(view.data["notebooks"])
    first = next(n for n in notes(view) if n["id"] == view.data["shown"][0])
    word = chance.choice(("list", "today", "plan", "home", "number", "time"))
    return (
        (
            *finding.settings_open(draw),
            scroll("settings_list", draw.say("Look further down the settings", "Scroll down the settings")),
        ),
        (finding.menu(draw),),
        (
            tap("nav_notebooks", draw.say("Look among the notebooks", "Tap Notebooks"), page("NotebooksPage")),
            tap(f"notebook_{book['id']}", draw.say(f"Open {book['name']}", f"Look into {book['name']}")),
        ),
        (
            *opened(view, draw, first),
            tap("editor_overflow", draw.say("Look into the menu of the note", "Open its menu"), layer("EditorMenu")),
        ),
        (
            tap("search_bar", draw.say("Search for it", "Tap the search bar"), page("SearchPage")),
            write(word, draw.say(f"Type {word}", f"Try the word {word}")),
        ),
        (tap("new_note", draw.say("See what can be added", "Tap the plus button"), layer("NewSheet")),),
        (
            scroll("note_list", draw.say("Look through the list", "Scroll down the notes")),
            tap("nav_archive", draw.say("Try the archive", "Tap Archive"), page("ArchivePage")),
        ),
    )


_PLANS = (
    writing.new_note,
    writing.new_checklist,
    writing.add_item,
    writing.tick_item,
    writing.retitle,
    writing.copy_note,
    tidying.pin,
    tidying.colour,
    tidying.archive,
    tidying.archive_two,
    tidying.unarchive,
    tidying.throw_away,
    tidying.restore,
    tidying.empty_trash,
    tidying.move,
    tidying.new_notebook,
    tidying.rename_notebook,
    tidying.delete_notebook,
    finding.find_note,
    finding.filter_notebook,
    finding.sort,
    finding.grid,
    finding.text_size,
    finding.home_notebook,
    finding.switch,
    finding.set_pin,
    finding.how_long,
    early.lock,
    early.lock_without_pin,
    early.back_up,
    early.back_up_without_account,
    early.move_to_missing,
    early.restore_nothing,
    early.empty_nothing,
    early.clear_ticked,
    early.clear_nothing,
)

GOALS = AppGoals(
    app="notes",
    title="Notes",
    category="writing",
    held_out=True,
    templates=tuple(Template(f"notes_{plan.__name__}", "notes", plan) for plan in _PLANS),
    detours=_detours,
    searches=_searches,
)
