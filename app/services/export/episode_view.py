"""An episode as it is looked at: with what runs answered, under one rule, with some layers. Exports show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from stepscope.app.services.export.drawing import changes_since
from stepscope.core.domain.affordance import told_kinds
from stepscope.core.domain.annotation import Annotation
from stepscope.core.domain.attention import stream_titled
from stepscope.core.domain.episode import Episode, Step
from stepscope.core.domain.geometry import Region
from stepscope.core.domain.layers import DEFAULT_LAYERS, Layer, Layers
from stepscope.core.domain.link import DeepLink, ids_by_letter
from stepscope.core.domain.mark import AttentionHeat, AttentionMark, ChangeMark, Mark
from stepscope.core.domain.prediction import AttachedPicture, Prediction, Task
from stepscope.core.domain.run import Outcome
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.attention import attention_marks, streams_of
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.draw import render_step
from stepscope.core.imaging.overlay import OWN_ELEMENTS, Elements, RunMarks, build_marks
from stepscope.core.imaging.parts import Pixels
from stepscope.core.scoring.rule import Options, StepScorer

if TYPE_CHECKING:
    from stepscope.core.store.engine import Database

WHOLE_EPISODE = -1
"""The step of an outcome that is about the whole episode."""

PicturesOf = Callable[[int, int], tuple[AttachedPicture, ...]]
"""The attached pictures of run `run` (0 is A) that are shown on the step with this index."""


@dataclass(frozen=True, slots=True)
class RunView:
    """One run: what it answered by the step's index, the scores under the rule that is shown, and what it answered
    about the whole episode. `name` is what people read, `id` that of a stored run."""

    name: str
    predictions: Mapping[int, Prediction] = field(default_factory=dict)
    scores: Mapping[int, Score] = field(default_factory=dict)
    whole: Outcome | None = None
    id: str = ""

    @classmethod
    def of(
        cls,
        name: str,
        outcomes: Mapping[int, Outcome],
        steps: Sequence[Step],
        scorer: StepScorer | None,
        options: Options,
        *,
        task: Task = Task.AUTOMATION,
        id: str = "",
    ) -> RunView:
        """From stored outcomes by step (WHOLE_EPISODE: about all of it). Actions are judged anew by the scorer; other
        answers, errors, and all without a scorer keep their scores."""
        answered = {step: one for step, one in outcomes.items() if step != WHOLE_EPISODE}
        scores = {step: one.score for step, one in answered.items()}
        if scorer is not None and task is Task.AUTOMATION:
            for step in steps:
                score = scores.get(step.index)
                if score is not None and score.status is not ScoreStatus.ERROR:
                    scores[step.index] = scorer.score_step(step, answered[step.index].prediction, options)
        predictions = {step: one.prediction for step, one in answered.items()}
        return cls(name, predictions, scores, outcomes.get(WHOLE_EPISODE), id)


@dataclass(frozen=True)
class EpisodeView:
    """`data` is what people call the data set, `rule` and `rule_id` the rule that is shown; `regions` what it accepts,
    by the step's index. `runs` are by number, 0 for A. `stream` is the title of the stream of attention that is drawn,
    of runs without it their first. `said` are the annotations of the episode and its steps."""

    episode: Episode
    data: str = ""
    runs: Mapping[int, RunView] = field(default_factory=dict)
    rule: str = ""
    rule_id: str = ""
    regions: Mapping[int, Region | None] = field(default_factory=dict)
    layers: Layers = DEFAULT_LAYERS
    strengths: Mapping[Layer, float] = field(default_factory=dict)
    pictures: PicturesOf = lambda _run, _step: ()
    elements: Callable[[Step], Elements] = lambda _step: OWN_ELEMENTS
    stream: str = ""
    said: tuple[Annotation, ...] = ()

    def marks(self, step: Step, changes: Sequence[ChangeMark] = ()) -> tuple[Mark, ...]:
        """What lies over the step's picture; `changes` since the step before are told from outside."""
        runs = []
        for index, run in self.runs.items():
            if run.whole is not None and run.whole.prediction.answer is not None:
                runs.append(RunMarks(index, self._with_pictures(run.whole.prediction, index, step), run.whole.score))
            elif (prediction := run.predictions.get(step.index)) is not None:
                shown = self._with_pictures(prediction, index, step)
                looked = self._attention(prediction, index, step)
                runs.append(RunMarks(index, shown, run.scores.get(step.index), looked))
        region = self.regions.get(step.index)
        tree = step.observation.tree
        told = () if tree is None else told_kinds(self.episode, tree)
        elements = replace(self.elements(step), changes=changes, told=told)
        return build_marks(step, runs, region, self.layers, elements=elements)

    def _with_pictures(self, prediction: Prediction, run: int, step: Step) -> Prediction:
        if Layer.SALIENCY not in self.layers:
            return prediction
        pictures = self.pictures(run, step.index) or prediction.pictures_at(step.index)[:1]
        return replace(prediction, pictures=pictures)

    def _attention(self, prediction: Prediction, run: int, step: Step) -> tuple[AttentionHeat | AttentionMark, ...]:
        if Layer.ATTENTION not in self.layers:
            return ()
        streams = streams_of(prediction.raw, self.episode.goal, step.instruction or "")
        return attention_marks(stream_titled(streams, self.stream), run, step.observation.size)

    def drawn(self, place: int) -> Pixels:
        """The step at a place in the episode with its marks, at the picture's size. Raises UsageError where there is
        no picture, SourceError where it cannot be read."""
        picture = self.episode.shown_at(place)
        if picture is None:
            raise UsageError(f"step {place + 1} has no picture.", hint="Leave it out.")
        step, pixels = self.episode.steps[place], decode(picture)
        wanted = Layer.DIFF in self.layers and place > 0
        changes = changes_since(self.episode.steps[place - 1], step, pixels) if wanted else ()
        return render_step(pixels, self.marks(step, changes), strengths=self.strengths)

    def link(self, place: int) -> str:
        """The link that opens the step with these runs and this rule."""
        letters = tuple(layer.value for layer in Layer if layer.run is not None and layer.run in self.runs)
        ids = {number: run.id for number, run in self.runs.items()}
        step = self.episode.steps[place].index if self.episode.steps else 0
        known = ids_by_letter(ids) if all(ids.values()) else ()
        return str(DeepLink(self.data, self.episode.id, step, letters if known else (), self.rule_id, known))

    def said_at(self, step: int | None) -> tuple[Annotation, ...]:
        """What people said about a step (its index), or about the whole episode."""
        return tuple(one for one in self.said if one.step == step)


def verdict_word(score: Score | None) -> str:
    """A score in a word: hit, miss, unscored, malformed, no answer, error; "" where nothing was judged."""
    if score is None:
        return ""
    if score.status is ScoreStatus.ERROR:
        return "error"
    if score.status is ScoreStatus.UNSCORED:
        return "unscored"
    if score.malformed:
        return "no answer" if score.null else "malformed"
    return "hit" if score.right else "miss"


def stored_answers(database: Database, run_id: str, episode: str) -> dict[int, Outcome]:
    """What a stored run answered in an episode, by the step's index, WHOLE_EPISODE for all of it."""
    from stepscope.core.store.queries import items

    with database.reading() as db:
        return {one.key.step: one for one in items(db, run_id, episodes=[episode], limit=None).rows}


def stored_pictures(
    database: Database, run_id: str, episode: Episode, name: str = ""
) -> dict[int, tuple[AttachedPicture, ...]]:
    """The run's attached pictures by the index of the step on which they lie: at each the one of that name, else the
    first one."""
    from stepscope.core.domain.run import ItemKey
    from stepscope.core.store.repositories import attachments

    shown: dict[int, tuple[AttachedPicture, ...]] = {}
    with database.reading() as db:
        for item in attachments.names(db, run_id, episode.id):
            pictures = attachments.of_item(db, run_id, ItemKey(episode.id, item))
            for step in episode.steps:
                here = [one for one in pictures if one.lies_on(None if item == WHOLE_EPISODE else item, step.index)]
                if here:
                    shown[step.index] = (next((one for one in here if one.name == name), here[0]),)
    return shown


def regions_of(steps: Sequence[Step], scorer: StepScorer | None, options: Options) -> dict[int, Region | None]:
    """What the rule accepts at each step."""
    return {} if scorer is None else {step.index: scorer.region(step, options) for step in steps}
