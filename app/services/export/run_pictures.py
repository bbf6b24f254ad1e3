"""The screens of a run's items with marks drawn on them: one PNG an item, and the pictures of reports."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from stepscope.app.services.export.drawing import draw
from stepscope.app.services.export.file_names import FileNames
from stepscope.app.services.export.whole_files import whole_file
from stepscope.app.services.library import indexed_source
from stepscope.core.domain.episode import Episode, Picture, Problem
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.layers import DEFAULT_LAYERS, Layer, Layers
from stepscope.core.domain.run import Outcome, Run
from stepscope.core.drafts import advice, reason
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.defects import Defects, defective
from stepscope.core.evaluation.export import scoring_of_run
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.draw import encode_png
from stepscope.core.imaging.parts import Pixels
from stepscope.core.imaging.resampling import fitted, resized
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import step_protocols, step_scorer
from stepscope.core.store import columns, queries
from stepscope.core.store.engine import Database
from stepscope.core.store.queries import ItemFilter
from stepscope.core.store.repositories import attachments, runs

if TYPE_CHECKING:
    from stepscope.core.sources.source import Source

SCREENS = 6
"""So many screens of a whole episode stand side by side."""
_STRIP = Size(480, 800)
_GAP = 12
_GREY = 96
_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class PictureExportReport:
    """How many pictures are in the folder now, and which items could not be drawn."""

    pictures: int
    problems: tuple[Problem, ...]


class RunScreens:
    """Draws the items of a run, its answers as run A. Episodes are read once as long as their items stand together."""

    def __init__(self, database: Database, run: Run, scoring_id: int | None = None) -> None:
        """Raises UserError when the run's data cannot be opened, or its rule is not known here."""
        self._database, self._run_id = database, run.id
        path = Path(run.spec.source)
        if not path.exists():
            raise UsageError("The run's data is not there any more.", place=path.name, hint="Put it back.")
        self.source: Source = indexed_source(database, path, run.spec.format)
        with database.reading() as db:
            stored = scoring_of_run(db, run.id, scoring_id)
        protocol, given = run.spec.protocol, run.spec.options
        if stored is not None:
            protocol, given = stored.protocol, stored.options
        self._scorer = step_scorer(protocol) if protocol in step_protocols() else None
        self._options = parse_options(self._scorer.info, dict(given)) if self._scorer else {}
        self.read = lru_cache(maxsize=4)(self.source.read)

    def step(self, outcome: Outcome, layers: Layers = DEFAULT_LAYERS) -> Pixels:
        """The item's step with its marks, at full size. Raises UserError when there is nothing to draw on."""
        return self.step_drawing(outcome, layers)()

    def step_drawing(
        self, outcome: Outcome, layers: Layers = DEFAULT_LAYERS, max_size: Size | None = None
    ) -> Callable[[], Pixels]:
        """What draws the item's step with its marks, reduced to fit into `max_size`, wherever it is called: in another
        thread too. Raises UserError when there is nothing to draw on; the drawing does for a damaged picture."""
        episode = self.read(outcome.key.episode)
        place = episode.position_of(outcome.key.step)
        if place < 0:
            raise UsageError("this step is not in the data.", hint="It may have changed since the run.")
        if episode.shown_at(place) is None:
            raise UsageError("this step has no picture.", hint="Leave it out.")
        prediction = outcome.prediction
        if Layer.SALIENCY in layers:
            with self._database.reading() as db:
                prediction = replace(prediction, pictures=attachments.of_item(db, self._run_id, outcome.key))
        answers = [(prediction, outcome.score)]
        step, scorer, options = episode.steps[place], self._scorer, self._options
        return partial(draw, step, answers, scorer, options, layers, max_size=max_size)

    def screens(self, episode: Episode, most: int) -> list[Picture]:
        """The first pictures of an episode."""
        shown = (episode.shown_at(place) for place in range(len(episode.steps)))
        return [picture for picture in shown if picture is not None][:most]

    def strip(self, outcome: Outcome) -> Pixels:
        """The first screens of the item's episode side by side. Raises UserError when there are none."""
        pictures = self.screens(self.read(outcome.key.episode), SCREENS)
        if not pictures:
            raise UsageError("this episode has no pictures.", hint="Leave it out.")
        tiles = [resized(one, fitted(Size(one.shape[1], one.shape[0]), _STRIP)) for one in map(decode, pictures)]
        height = max(tile.shape[0] for tile in tiles)
        width = sum(tile.shape[1] for tile in tiles) + _GAP * (len(tiles) - 1)
        sheet = np.full((height, width, 3), _GREY, np.uint8)
        left = 0
        for tile in tiles:
            sheet[: tile.shape[0], left : left + tile.shape[1]] = tile[:, :, :3]
            left += tile.shape[1] + _GAP
        return sheet


def write_pictures(
    database: Database,
    run_id: str,
    folder: Path,
    token: CancelToken,
    *,
    show: ItemFilter = "wrong",
    episodes: Collection[str] | None = None,
    rows: Sequence[int] | None = None,
    scoring_id: int | None = None,
    limit: int | None = None,
    layers: Layers = DEFAULT_LAYERS,
    without_defects: bool = False,
) -> Generator[Progress, None, PictureExportReport]:
    """One PNG for each item, `EPISODE-STEP.png` with the step's index, or `EPISODE.png` with the first screens for an
    item about a whole episode. Items are chosen as in `core.evaluation.export.export_csv`.

    Each file is whole or not there; what was written before a cancel stays. Items that cannot be drawn are left out
    and told. Raises UserError when the data is gone, or nothing can be written.
    """
    wanted = _rows(database, run_id, show, episodes, rows, scoring_id)[:limit]
    with database.reading() as db:
        run = runs.get(db, run_id)
        defects = defective(db, run.spec.source) if without_defects else Defects()
    screens = RunScreens(database, run, scoring_id)
    _make(folder)
    meter, names = ProgressMeter(total=len(wanted)), FileNames()
    problems: list[Problem] = []
    for first in range(0, len(wanted), _AT_ONCE):
        with database.reading() as db:
            found = columns.rows(db, run_id, wanted[first : first + _AT_ONCE], scoring_id)
        outcomes = [outcome for outcome in found if outcome.key not in defects]
        meter.total = (meter.total or 0) - len(found) + len(outcomes)
        for outcome in outcomes:
            if token.cancelled:
                return PictureExportReport(meter.done - len(problems), tuple(problems))
            try:
                drawn = screens.step(outcome, layers) if outcome.key.step >= 0 else screens.strip(outcome)
            except UserError as error:
                step = outcome.key.step if outcome.key.step >= 0 else None
                problems.append(Problem(error.message, outcome.key.episode, step))
            else:
                with whole_file(folder / _name(names, outcome)) as stream:
                    stream.write(encode_png(drawn))
            yield meter.advance()
    return PictureExportReport(meter.done - len(problems), tuple(problems))


def _rows(
    database: Database,
    run_id: str,
    show: ItemFilter,
    episodes: Collection[str] | None,
    rows: Sequence[int] | None,
    scoring_id: int | None,
) -> list[int]:
    """Ids of the predictions to draw."""
    if rows is not None:
        return list(rows)
    with database.reading() as db:
        found = queries.item_rows(db, run_id, show, scoring_id)
        return [row for row, episode in found if episodes is None or episode in episodes]


def _name(names: FileNames, outcome: Outcome) -> str:
    step = outcome.key.step
    return names.of(outcome.key.episode, f"-{step}" if step >= 0 else "") + ".png"


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"the folder cannot be made: {reason(error)}.", place=folder, hint=advice(error)) from error
