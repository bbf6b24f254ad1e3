"""Exports of what the screen shows: the step as a picture; the episode as animation and as a page."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import ExportWork, safe_name
from stepscope.app.gui.shell.ports import DrawnEpisode
from stepscope.app.services.export.whole_files import WriteAbandonedError, unless_cancelled, whole_file, whole_text
from stepscope.core.domain.layers import Layer, run_layer
from stepscope.core.errors import UserError
from stepscope.core.imaging.draw import encode_png, render_step
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress
from stepscope.widgets.export import AnimationChoice, AnimationForm, AnimationSubject

if TYPE_CHECKING:
    from stepscope.app.services.export import episode_animation, episode_view
    from stepscope.app.services.export.episode_view import EpisodeView
    from stepscope.core.store.engine import Database
    from stepscope.widgets.replay.centre import ReplayCentre
else:
    episode_animation = lazy_module("stepscope.app.services.export.episode_animation")
    episode_view = lazy_module("stepscope.app.services.export.episode_view")

NO_PICTURE = "This step has no picture."
KINDS = {"webp": "Animated WebP (*.webp)", "mp4": "MP4 video (*.mp4)"}
_LAYER_WORDS = {
    Layer.REFERENCE: "reference", Layer.TOLERANCE: "tolerance", Layer.TARGET: "target", Layer.TREE: "UI tree",
    Layer.LABELS: "labels", Layer.SALIENCY: "saliency", Layer.ATTENTION: "attention",
}  # fmt: skip


class EpisodeExportController(QObject):
    """Layers, their strengths, the runs and the rule are those of the screen when the export begins."""

    def __init__(
        self,
        context: Context,
        centre: ReplayCentre,
        drawn: DrawnEpisode,
        work: ExportWork,
    ) -> None:
        super().__init__(context)
        self._context, self._centre, self._drawn, self._work = context, centre, drawn, work

    @cached_property
    def form(self) -> AnimationForm:
        form = AnimationForm(self._context.dialog_parent)
        form.export_wanted.connect(self._ask_where)
        return form

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "export.picture": self._ask_for_picture,
            "export.animation": self.show_form,
            "export.page": self._ask_for_page,
        }

    # A step ----------------------------------------------------------------------------------------------------------

    def picture(self, path: Path) -> None:
        """The step as the screen shows it, at the picture's own size."""
        selection, content = self._context.selection, self._centre.view.content
        shown = selection.episode.shown_at(selection.step_index) if selection.episode else None
        if content is None or shown is None:
            self._context.messages.warning(NO_PICTURE)
            return
        marks, strengths = content.marks, self._centre.layers.strengths

        def write(_token: object) -> str:
            from stepscope.core.imaging.decode import decode

            with whole_file(path) as stream:
                stream.write(encode_png(render_step(decode(shown), marks, strengths=strengths)))
            return f"Wrote {path.name}"

        tell = self._context.messages.wrote
        self._context.start("export picture", write, lambda said: tell(said, path), failed=self._work.failed)

    def _ask_for_picture(self) -> None:
        place = self._context.selection.place
        if place is not None:
            name = f"{safe_name(place.episode)}-step-{place.step + 1}.png"
            self._work.choose(name, "PNG (*.png)", self.picture)

    # An episode ------------------------------------------------------------------------------------------------------

    def show_form(self) -> None:
        """Ask how the animation is to be, beside the window."""
        episode = self._context.selection.episode
        if episode is None:
            return
        try:
            episode_animation.check_animation(".webp")
        except UserError as error:
            self._context.messages.failure(error)
            return
        times = [step.observation.time for step in episode.steps]
        known = [time for time in times if time is not None]
        recorded = known[-1] - known[0] if len(known) > 1 else None
        name = episode.goal or episode.id
        self.form.set_about(AnimationSubject(name, len(episode.steps), self._drawn_words(), recorded))
        self.form.show()
        self.form.raise_()
        self.form.activateWindow()

    def animation(self, choice: AnimationChoice, path: Path) -> None:
        """One frame a step, with the marks of the screen and a caption; with a row in the chip."""
        from stepscope.app.services.export.episode_frames import FrameSize, Timing

        suffix = f".{choice.kind}"

        def work(view: EpisodeView, token: CancelToken) -> Generator[Progress, None, int]:
            timing, size = Timing(choice.seconds, choice.recorded), FrameSize(choice.size)
            with unless_cancelled(token), whole_file(path) as stream:
                count = yield from episode_animation.write_animation(
                    view, stream, suffix, token, size=size, timing=timing
                )
                if token.cancelled:
                    raise WriteAbandonedError
                return count
            return 0

        self._start(path, work, "step")

    def page(self, path: Path) -> None:
        """The episode as one HTML file; with a row in the chip."""
        from stepscope.app.services.export.episode_page import page_steps

        def work(view: EpisodeView, token: CancelToken) -> Generator[Progress, None, None]:
            with whole_text(path, token) as text:
                text.write((yield from page_steps(view, token)))

        self._start(path, work)

    def _ask_where(self, choice: AnimationChoice) -> None:
        self._work.choose(self._name(choice.kind), KINDS[choice.kind], partial(self.animation, choice))

    def _ask_for_page(self) -> None:
        if self._context.selection.episode is not None:
            self._work.choose(self._name("html"), "HTML (*.html)", self.page)

    def _name(self, suffix: str) -> str:
        episode = self._context.selection.episode
        return f"{safe_name(episode.id) if episode else 'episode'}.{suffix}"

    def _start(
        self, path: Path, work: Callable[[EpisodeView, CancelToken], Generator[Progress, None, Any]], noun: str = ""
    ) -> None:
        """Export the episode as it is shown now."""
        view, database = self._view(), self._context.database
        if view is None or database is None:
            return
        key, chosen = self._source_key(), self._drawn.picture_name()

        def whole(token: CancelToken) -> Generator[Progress, None, Any]:
            return (yield from work(_with_stored(view, database, key, chosen), token))

        self._work.start(f"Writing {path.name}", whole, self._work.wrote(path, noun), total=len(view.episode.steps))

    def _source_key(self) -> str:
        source = self._context.selection.source
        return source.key if source else ""

    def _view(self) -> EpisodeView | None:
        selection, judged, names = self._context.selection, self._drawn.judged(), self._drawn.run_names()
        episode, source, rule = selection.episode, selection.source, selection.rule
        if episode is None or source is None:
            return None
        runs = {}
        for run, number in judged.runs.items() if judged.episode == episode.id else ():
            scores = judged.scores.get(rule.id, {}).get(run, {})
            answered = {step: one.prediction for step, one in judged.outcomes.get(run, {}).items() if step >= 0}
            name = names.get(run, run)
            runs[number] = episode_view.RunView(name, answered, scores, judged.whole(run), run)
        elements = {step.index: self._drawn.elements_of(step) for step in episode.steps}
        bar = self._centre.layers
        return episode_view.EpisodeView(
            episode,
            source.title,
            runs,
            rule.title,
            rule.id,
            judged.regions.get(rule.id, {}),
            bar.layers,
            bar.strengths,
            elements=lambda step: elements[step.index],
            stream=self._drawn.stream_title(),
        )

    def _drawn_words(self) -> str:
        """Which of the layers are on that there is something to show on."""
        shown, runs = self._centre.layers.layers, self._context.selection.runs
        words = [word for layer, word in _LAYER_WORDS.items() if layer in shown]
        letters = [run_layer(place).value for place in runs.values() if run_layer(place) in shown]
        words += [f"run {', '.join(letters)}"] if letters else []
        return f"Drawn as on the screen: {', '.join(words) or 'no marks'}."


def _with_stored(view: EpisodeView, database: Database, source: str, chosen: str) -> EpisodeView:
    """The view with what people said, and with the attached pictures where they are shown."""
    from stepscope.core.store.repositories import annotations

    with database.reading() as db:
        said = tuple(annotations.of_episode(db, source, view.episode.id))
    if Layer.SALIENCY not in view.layers:
        return replace(view, said=said)
    found = {
        number: episode_view.stored_pictures(database, run.id, view.episode, chosen)
        for number, run in view.runs.items()
    }
    return replace(view, said=said, pictures=lambda run, step: found[run].get(step, ()))
