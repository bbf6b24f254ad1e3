"""What the command palette offers: commands, saved filters, matching rules, steps, episodes and apps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.commands.table import COMMANDS
from stepscope.core.domain.episode import Step
from stepscope.core.scoring.named_rules import RULES
from stepscope.core.store.engine import Database
from stepscope.core.store.queries import episodes
from stepscope.widgets.format import app_name, counted
from stepscope.widgets.library import SavedFilter
from stepscope.widgets.shell.palette.palette_row import PaletteRow


def immediate_rows(bar: CommandBar, filters: Iterable[SavedFilter], steps: Iterable[Step]) -> list[PaletteRow]:
    """What the window knows without asking the store."""
    rules = [PaletteRow("rule", rule.id, rule.title, "matching rule") for rule in RULES]
    numbered = [PaletteRow("step", str(one.index), f"Step {one.index + 1}", one.instruction or "") for one in steps]
    return [*_command_rows(bar), *map(_filter_row, filters), *rules, *numbered]


def stored_rows(database: Database, source: int, ids: Sequence[str]) -> list[PaletteRow]:
    """Episodes of a source by these ids, and the apps that they are in, by the names that people call them."""
    with database.reading() as db:
        found = episodes(db, source, ids)
    apps = sorted({entry.app for entry in found if entry.app})
    return [
        *(PaletteRow("episode", entry.id, entry.goal or entry.id, entry.app or "") for entry in found),
        *(PaletteRow("app", app, app_name(app), f"filter by {app}") for app in apps),
    ]


def _command_rows(bar: CommandBar) -> list[PaletteRow]:
    rows = []
    for row in COMMANDS:
        enabled = bar.actions[row.id].isEnabled()
        where = row.menu.replace("&", "").replace("/", " ▸ ")
        why = "" if enabled else row.why_not
        rows.append(PaletteRow("command", row.id, row.plain_text, where, bar.key_of(row.id), enabled, why))
    return rows


def _filter_row(saved: SavedFilter) -> PaletteRow:
    many = "" if saved.count is None else f", {counted(saved.count, 'episode')}"
    title = f"Filter: {saved.name}"
    return PaletteRow("filter", saved.text, title, f"saved{many}", enabled=not saved.wrong, why=saved.wrong)
