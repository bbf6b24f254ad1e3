"""Where the shown runs' models looked: over the screen, and in the words on their cards; each lights the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.ports import ReplayViews
from stepscope.core.domain.episode import Step
from stepscope.core.domain.geometry import Point
from stepscope.core.domain.layers import Layer, run_layer
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.core.domain import attention
    from stepscope.core.domain.attention import AttentionPointer, AttentionStream
    from stepscope.core.domain.mark import AttentionHeat, AttentionMark
else:
    attention = lazy_module("stepscope.core.domain.attention")


class AttentionController(QObject):
    """`changed()`: something else is to be drawn on the screen; `switched()`: the layer was turned on or off, which the
    cards follow. The person chooses a stream by its title, which holds from step to step; a run without one of that
    title shows its first."""

    changed = Signal()
    switched = Signal()

    def __init__(self, context: Context, views: ReplayViews) -> None:
        super().__init__(context)
        self._selection = context.selection
        self._bar, self._inspector = views.centre.layers, views.inspector
        self._judged = JudgedEpisode()
        self._chosen = ""
        self._pointers: Mapping[int, AttentionPointer] = {}
        """what is pointed at, by run (0 is A)"""
        self._was_on = self._is_on
        self._bar.layers_changed.connect(lambda _layers: self._follow_layer())
        self._bar.choice_changed.connect(self._choose_of_layer)
        self._inspector.stream_chosen.connect(self._choose)
        self._inspector.attention_pointed.connect(lambda run, pointer: self._point({run: pointer}))
        views.centre.view.hovered.connect(self._hovered)
        context.selection.step_changed.connect(self._forget_pointers)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"attention.next": self.next}

    def set_judged(self, judged: JudgedEpisode) -> None:
        self._judged = judged
        self._forget_pointers()
        self._bar.set_choices(Layer.ATTENTION, self.titles, self.chosen)

    @property
    def titles(self) -> list[str]:
        """The titles of all streams in the episode, in order of first appearance."""
        by_steps = self._judged.attention.values()
        every = (one.title for by_step in by_steps for streams in by_step.values() for one in streams)
        return list(dict.fromkeys(every))

    @property
    def chosen(self) -> str:
        """The title of the stream that is shown, "" where there are none."""
        return self._chosen if self._chosen in self.titles else next(iter(self.titles), "")

    def next(self) -> None:
        """Choose the next stream, after the last the first; and show the layer."""
        titles = self.titles
        if titles:
            self._choose(titles[(titles.index(self.chosen) + 1) % len(titles)])
        if titles and not self._is_on:
            self._bar.toggle(Layer.ATTENTION)

    def streams_of(self, run: str, step: Step) -> tuple[AttentionStream, ...]:
        """What a run's card tells of a step."""
        return self._judged.streams(run, step.index) if self._is_on and self._fits() else ()

    def marks_of(self, run: str, step: Step) -> tuple[AttentionHeat | AttentionMark, ...]:
        """What is drawn of a run on a step."""
        from stepscope.core.evaluation.attention import attention_marks

        number, stream = self._judged.runs.get(run, 0), attention.stream_titled(self.streams_of(run, step), self.chosen)
        return attention_marks(stream, number, step.observation.size, self._pointers.get(number, attention.NOWHERE))

    @property
    def _is_on(self) -> bool:
        return Layer.ATTENTION in self._bar.layers

    def _fits(self) -> bool:
        episode = self._selection.episode
        return episode is not None and self._judged.episode == episode.id

    def _follow_layer(self) -> None:
        if self._was_on is not self._is_on:
            self._was_on = self._is_on
            self._forget_pointers()
            self.switched.emit()

    def _choose_of_layer(self, layer: Layer, title: str) -> None:
        if layer is Layer.ATTENTION:
            self._choose(title)

    def _choose(self, title: str) -> None:
        if title != self._chosen:
            self._chosen = title
            self._forget_pointers()
            self._bar.set_choices(Layer.ATTENTION, self.titles, self.chosen)
            self._inspector.choose_stream(title)
            self.changed.emit()

    # Pointing --------------------------------------------------------------------------------------------------------

    def _hovered(self, point: Point | None) -> None:
        """Point at the elements that lie under the pointer, of each run whose marks are shown."""
        step = self._selection.step
        if step is None or not self._is_on or not self._judged.attention:
            return
        pointers = {}
        for run, number in self._judged.runs.items():
            stream = attention.stream_titled(self.streams_of(run, step), self.chosen)
            if point is not None and stream is not None and run_layer(number) in self._bar.layers:
                element = stream.element_at(*point.fraction)
                if element is not None:
                    pointers[number] = attention.AttentionPointer(element=element)
        self._point(pointers)

    def _point(self, pointers: Mapping[int, AttentionPointer]) -> None:
        told = {run: pointer for run, pointer in pointers.items() if pointer != attention.NOWHERE}
        if told == self._pointers:
            return
        before, self._pointers = self._pointers, told
        for run in {*before, *told}:
            self._inspector.light_attention(run, told.get(run, attention.NOWHERE))
        self.changed.emit()

    def _forget_pointers(self) -> None:
        """Another step or another stream: nothing on it is pointed at."""
        before, self._pointers = self._pointers, {}
        for run in before:
            self._inspector.light_attention(run, attention.NOWHERE)
