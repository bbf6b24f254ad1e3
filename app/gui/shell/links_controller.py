"""Links to a step: copied from where the window is, and followed to data, episode, runs and rule."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.ports import Library
from stepscope.app.gui.shell.run_letters import LETTERS
from stepscope.app.gui.shell.selection import OpenSource
from stepscope.app.services.nearest import nearest_hint
from stepscope.app.services.provenance import PROCEDURES, source_title
from stepscope.core.domain.layers import Layers, run_layer
from stepscope.core.domain.link import FORM, SCHEME, DeepLink, ids_by_letter, is_link, parse_link
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.plain_text import safe
from stepscope.core.scoring.named_rules import PAGE_RULES, RULES, rule_by_id

if TYPE_CHECKING:
    from stepscope.core.store import queries
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import sources
    from stepscope.widgets.screen import LayerBar
    from stepscope.widgets.shell.palette.palette_row import PaletteRow
else:
    queries = lazy_module("stepscope.core.store.queries")
    sources = lazy_module("stepscope.core.store.repositories.sources")

PROCEDURES_END = " (procedures)"
"""How the title of data ends that is shown as procedures."""

NAME_SHOWN = 80
"""Characters of a name that a link gives, in messages and in the palette."""


@dataclass(frozen=True, slots=True)
class _LinkTargets:
    """What the store knows of a link: where its data may lie, those of its runs that are here, and all runs on this
    data, the oldest first."""

    paths: tuple[str, ...]
    named: tuple[str, ...]
    on_data: tuple[str, ...]


class LinksController(QObject):
    def __init__(self, context: Context, library: Library, replay: EpisodeViewer, layers: LayerBar) -> None:
        super().__init__(context)
        self._context, self._library, self._replay, self._layers = context, library, replay, layers

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"copy.link": self.copy}

    # Copying ---------------------------------------------------------------------------------------------------------

    def copy(self) -> None:
        self._context.messages.done("Copied a link to this step.")
        QGuiApplication.clipboard().setText(self.link())

    def link(self) -> str:
        """The step that is shown, with the runs and the rule."""
        selection = self._context.selection
        if selection.source is None or selection.episode is None:
            return ""
        step = selection.step.index if selection.step else 0
        layers = self._layers.layers
        letters = tuple(LETTERS[number] for number in selection.runs.values() if run_layer(number) in layers)
        ids = ids_by_letter({number: run for run, number in selection.runs.items()})
        return str(DeepLink(selection.source.title, selection.episode.id, step, letters, selection.rule.id, ids))

    # Following -------------------------------------------------------------------------------------------------------

    def pasted(self) -> str:
        """The link in the clipboard, or how a link begins."""
        text = QGuiApplication.clipboard().text().strip()
        return text if is_link(text) else f"{SCHEME}://"

    def row(self, text: str) -> PaletteRow | None:
        """The palette's offer for a link that is typed there."""
        from stepscope.widgets.shell.palette.palette_row import PaletteRow

        text = text.strip()
        if not is_link(text):
            return None
        try:
            link = parse_link(text)
        except UsageError:
            return PaletteRow("link", text, "Open link", enabled=False, why=f"A link reads {FORM}")
        words = f"step {link.step + 1} of {_shown(link.episode)} in {_shown(link.source)}"
        return PaletteRow("link", text, "Open link", words)

    def follow(self, text: str) -> None:
        """Open the step that a link names, in data that this store knows."""
        try:
            link = parse_link(text)
        except UsageError as error:
            self._context.messages.failure(error)
            return
        self._context.query("find linked data", lambda db: _look_up(db, link), lambda found: self._open(link, found))

    def _open(self, link: DeepLink, found: _LinkTargets) -> None:
        here = next((source for source in self._context.sources if source.title == link.source), None)
        if here is None and not found.paths:
            self._context.messages.warning(
                f"No data called {_shown(link.source)} is known here. Open its folder, then the link again.",
                ("open.folder", "Open a folder"),
            )
            return
        self._context.workspaces.set_workspace("replay")
        self._show_rule(link)
        self._show_runs(link, found, here.key if here is not None else found.paths[0])
        if here is not None:
            self._check_episode(link, here)
            return
        wrapped = link.source.endswith(PROCEDURES_END)
        self._library.open_path(Path(found.paths[0]), lambda: self._opened(link), as_procedures=wrapped)

    def _opened(self, link: DeepLink) -> None:
        source = self._context.selection.source
        if source is not None and source.title == link.source:  # else it could not be, or the person went on
            self._check_episode(link, source)

    def _show_rule(self, link: DeepLink) -> None:
        if link.rule in [rule.id for rule in RULES]:
            self._context.selection.set_rule(rule_by_id(link.rule))
        elif link.rule and link.rule not in [rule.id for rule in PAGE_RULES]:  # those judge no single step
            self._context.messages.warning(
                f"The link's rule {_shown(link.rule)} is not known here; another one is shown."
            )

    def _show_runs(self, link: DeepLink, found: _LinkTargets, data: str) -> None:
        """The runs that the link names, under its letters where these are still to be given here; for bare letters
        those that have them here, or else all on this data."""
        selection = self._context.selection
        gone = [run for run in link.ids if run and run not in found.named]
        if gone:
            named = ", ".join(run[:6] for run in gone)
            self._context.messages.warning(
                f"Run {named} of the link is not in this store. Import its bundle to see it."
            )
        if found.named:
            selection.set_runs(found.named, data, {run: link.ids.index(run) for run in found.named})
        elif link.runs and not selection.runs_on(data):
            selection.set_runs(found.on_data, data)
        shown_here = selection.runs_on(data)
        wanted = {LETTERS.index(letter) for letter in link.runs if not gone}
        if link.ids:
            ids = [run for place, run in enumerate(link.ids) if place in wanted]
            wanted = {shown_here[run] for run in ids if run in shown_here}
        known = set(shown_here.values())
        if not link.ids and (lost := [LETTERS[place] for place in sorted(wanted) if place not in known]):
            self._context.messages.warning(f"No run has the letter {', '.join(lost)} here. Choose runs under Results.")
        if wanted & known:
            shown = self._layers.layers.shown
            runs = {run_layer(place) for place in range(len(LETTERS))}
            self._layers.show_layers(Layers(frozenset((shown - runs) | {run_layer(place) for place in wanted})))

    def _check_episode(self, link: DeepLink, source: OpenSource) -> None:
        """Show the step if the data has the episode; otherwise say which ones it has."""

        def ask(database: Database) -> tuple[str, ...]:
            """() where the episode is there, else a hint."""
            with database.reading() as db:
                if sources.summaries(db, source.id, [link.episode]):
                    return ()
                known = queries.matching(db, source.id)
            return (nearest_hint(link.episode, known),)

        self._context.query("find linked episode", ask, lambda hint: self._show(link, source, hint))

    def _show(self, link: DeepLink, source: OpenSource, hint: tuple[str, ...]) -> None:
        if source not in self._context.sources:
            return  # it was closed meanwhile
        if hint:
            self._context.messages.warning(
                f"{_shown(link.source)} has no episode '{_shown(link.episode)}': "
                f"it may be another version of the data. {hint[0]}"
            )
            return

        self._library.choose_source(source)

        def arrived() -> None:
            episode = self._context.selection.episode
            if episode is None:
                return
            place = episode.position_of(link.step)
            self._replay.go(max(place, 0))
            if place < 0:
                self._context.messages.warning(
                    f"{_shown(link.episode)} has no step {link.step + 1}; its first one is shown."
                )

        self._replay.open_episode(link.episode, link.step, arrived)


def _shown(name: str) -> str:
    """A name out of a link in one short line: whoever made the link chose it, and could write a message of their own
    with it."""
    line = " ".join(safe(name, keep_lines=True).split())
    return line if len(line) <= NAME_SHOWN else f"{line[: NAME_SHOWN - 1]}…"


def _look_up(database: Database, link: DeepLink) -> _LinkTargets:
    title = link.source.removesuffix(PROCEDURES_END)
    with database.reading() as db:
        known = [source.path for source in sources.all_sources(db)]
        runs = [counts.run for counts in queries.run_list(db)]
    paths = [path for path in known if source_title(Path(path)) == title and Path(path).exists()]
    wrapped = PROCEDURES if link.source.endswith(PROCEDURES_END) else ""
    on_data = [run.id for run in reversed(runs) if run.spec.source in [f"{path}{wrapped}" for path in paths]]
    named = [run for run in link.ids if run and any(one.id == run for one in runs)]
    return _LinkTargets(tuple(paths), tuple(named)[: len(LETTERS)], tuple(on_data)[: len(LETTERS)])
