"""The current source: opening, closing and reading it anew, its list, and what could not be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.features.library.listing_controller import ListController
from stepscope.app.gui.features.library.opening_controller import OpeningController
from stepscope.app.gui.features.library.presenter import distinct_names
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.ports import LibraryViews
from stepscope.app.gui.shell.selection import OpenSource
from stepscope.app.services.provenance import is_made_here, is_sample
from stepscope.widgets import format as words
from stepscope.widgets.common.plain_words import window_title
from stepscope.widgets.library.order import ListOrder

if TYPE_CHECKING:
    pass


TITLES = 4
"""Sources that the status line names; it counts the others."""


class LibraryController(QObject):
    """`opened(source)` fires when a source has become the current one and its rows can be asked for."""

    opened = Signal(object)
    place_kept = Signal(str, int)
    """episode and step that were shown before the source was read anew"""

    def __init__(self, context: Context, views: LibraryViews) -> None:
        super().__init__(context)
        self._context = context
        self.opening = OpeningController(context, views.episodes)
        self.listing = ListController(context, views.episodes)
        self.listed = self.listing.listed
        """the filtered list of ids is new"""
        self._view = views.episodes
        self._is_missing = False
        self._connect()

    def _connect(self) -> None:
        view = self._view
        view.open_requested.connect(self.opening.ask_for_file)
        view.open_folder_requested.connect(self.opening.ask_for_folder)
        view.stop_requested.connect(self.opening.stop)
        view.more_menu.aboutToShow.connect(self._fill_more_menu)
        self.opening.taken.connect(self._make_current)
        self.opening.grown.connect(self._grow)
        self.opening.completed.connect(self._complete)
        self.opening.ended.connect(self._finish)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            **self.opening.handlers(),
            **self.listing.handlers(),
            "source.close": self.close_current,
            "source.rescan": self.rescan,
        }

    # The list, as the others know it ---------------------------------------------------------------------------------

    @property
    def ids(self) -> tuple[str, ...]:
        """The episodes of the list, in order."""
        return self.listing.ids

    @property
    def is_incomplete(self) -> bool:
        """Whether more of the current source may still come into the list."""
        source = self._context.selection.source
        return self.listing.is_asking or (source is not None and self.opening.is_reading(source))

    @property
    def filter_text(self) -> str:
        """The filter in force."""
        return self.listing.filter_text

    def set_filter(self, text: str, *, tell_view: bool = False) -> None:
        self.listing.set_filter(text, tell_view=tell_view)

    def position_of(self, episode_id: str) -> int:
        """Place in the list, -1 for an episode that the filter leaves out."""
        return self.listing.position_of(episode_id)

    def beside(self) -> tuple[str, ...]:
        """The episodes after and before the one that is shown, as far as the list has them."""
        episode = self._context.selection.episode
        place = self.position_of(episode.id) if episode is not None else -1
        around = (place + 1, place - 1) if place >= 0 else ()
        return tuple(self.ids[one] for one in around if 0 <= one < len(self.ids))

    @property
    def order(self) -> ListOrder:
        """How the list is ordered."""
        return self.listing.order

    def set_order(self, order: ListOrder) -> None:
        self.listing.set_order(order)

    def begin_with(self, order: ListOrder, text: str) -> None:
        self.listing.begin_with(order, text)

    def found_steps(self) -> int:
        """How many steps the filter means, 0 where it asks about none."""
        return self.listing.found_steps()

    def steps_of(self, episode: str) -> tuple[int, ...]:
        """Indices of the steps that the filter means in an episode."""
        return self.listing.steps_of(episode)

    # What is open ----------------------------------------------------------------------------------------------------

    def open_path(
        self,
        path: Path,
        then: Callable[[], object] | None = None,
        *,
        again: bool = False,
        remember: bool = True,
        as_procedures: bool = False,
        shown: bool = True,
        known: Callable[[], object] | None = None,
    ) -> None:
        """Open one path in the background (see `OpeningController.open_path`)."""
        self.opening.open_path(
            path, then, again=again, remember=remember, as_procedures=as_procedures, shown=shown, known=known
        )

    def put_in_order(self, keys: Sequence[str]) -> None:
        """The open sources follow each other as these keys do; others come last."""
        places = {key: place for place, key in enumerate(keys)}
        self._context.sources.sort(key=lambda source: places.get(source.key, len(places)))
        self._show_title()
        if self.listing.is_together:
            self.listing.relist()

    def _make_current(self, source: OpenSource | None) -> None:
        self._context.conditions.set("source", source is not None)
        self.listing.begin(source)
        self._context.selection.set_source(source)
        self._show_partial(source)
        self._show_title()
        if source is not None and not self.listing.lists(source):
            self.listing.relist(first=True)

    def choose_listed(self, place: int) -> str:
        """Make the source current that the list has at this place; the id of the episode there, "" outside of it."""
        at = self.listing.listed_sources.at(place)
        if at is None:
            return ""
        source, episode = at
        if source.key != getattr(self._context.selection.source, "key", None):
            self._make_current(next(one for one in self._context.sources if one.key == source.key))
        return episode

    def _grow(self, old: OpenSource, fresh: OpenSource) -> None:
        """Take in what more is known of a source."""
        context = self._context
        if context.selection.source is old:
            context.selection.source = fresh
            self._show_partial(fresh)
            self.listing.grow()
        self._show_title()

    def _complete(self, old: OpenSource, fresh: OpenSource) -> None:
        """Rows that are listed already say more."""
        if self._context.selection.source is old:
            self._context.selection.source = fresh
            self._show_partial(fresh)
            self.listing.complete(fresh)

    def _show_partial(self, source: OpenSource | None) -> None:
        if source is None:
            self._view.set_partial(0, 0)
        else:
            self._view.set_partial(source.skipped, source.episodes + source.skipped, source.problems)

    def _finish(self, path: Path) -> None:
        source = self._context.selection.source
        if source is not None and source.source.path == path.resolve():
            self.opened.emit(source)

    def rescan(self) -> None:
        """Read the current source anew and go back to the step that was shown; its pictures may be other ones."""
        source, place, text = self._context.selection.source, self._context.selection.place, self.filter_text

        def ended() -> None:
            current = self._context.selection.source
            if current is None or source is None or current.key != source.key:
                return  # the person went to another data set meanwhile
            if text:
                self.set_filter(text, tell_view=True)
            if place is not None:
                self.place_kept.emit(place.episode, place.step)

        if source is not None:
            self._context.pictures.clear()
            self.opening.stop_for(source)
            self.opening.open_path(
                source.source.path, ended, again=True, remember=False, as_procedures=source.as_procedures
            )

    def close_current(self) -> None:
        """Take the current source away; the last opened one of the others becomes current."""
        context = self._context
        current = context.selection.source
        if current is not None:
            self.opening.stop_for(current)
            context.messages.settle(("source", current.key))
            context.messages.settle(("missing", current.source.path))
            self._take_away([current])

    def close_all(self) -> None:
        """Take everything away that is open."""
        for source in self._context.sources:
            self.opening.stop_for(source)
            self._context.messages.settle(("source", source.key))
        self._take_away(tuple(self._context.sources))

    def drop(self, path: Path) -> None:
        """Take away what is open of a path: the data lies elsewhere now."""
        self._take_away([source for source in self._context.sources if source.source.path == path])

    def _take_away(self, gone: Sequence[OpenSource]) -> None:
        context = self._context
        context.sources = [source for source in context.sources if source not in gone]
        together = self.listing.together
        if context.selection.source in gone:
            self._make_current(context.sources[-1] if context.sources else None)
        else:
            self._show_title()
        if together:
            self.listing.relist()

    def choose_source(self, source: OpenSource) -> None:
        if source is not self._context.selection.source:
            self._make_current(source)

    # Titles ----------------------------------------------------------------------------------------------------------

    def _fill_more_menu(self) -> None:
        menu = self._view.more_menu
        menu.clear()
        self.listing.fill_menu(menu)

    def show_title(self, *, missing: bool) -> None:
        """Say in the window's title what is open, and whether it is `missing`."""
        self._is_missing = missing
        self._show_title()

    def _show_title(self) -> None:
        context = self._context
        shown, names = context.sources[-TITLES:], distinct_names(context.sources)
        text = " · ".join(f"{names[source.key]} {words.count(source.episodes)}" for source in shown)
        if more := len(context.sources) - len(shown):
            text = f"{words.count(more)} more · {text}"
        context.status.put("sources", text or "Nothing open")
        current = context.selection.source
        gone = " (not there)" if self._is_missing else ""
        name = names.get(current.key, current.title) if current else ""
        title = f"{window_title(name)}{gone} – Stepscope" if current else "Stepscope"
        context.dialog_parent.setWindowTitle(title)
        made = current is not None and is_made_here(current.source.path)
        title = "Sample data" if current is not None and is_sample(current.source.path) else "Generated data"
        context.status.put("sample", title if made else "", "Made by this project; scores on it are no findings")
