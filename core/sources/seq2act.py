"""seq2act's PixelHelp and RicoSCA: TFRecord shards with screens as lists of objects, without pictures.

A PixelHelp example is an instruction of several steps, each on a screen of its own; lists are filled up to the same
number of objects on every screen (93 in the released code, told here by division). A RicoSCA example is one screen and
several made-up instructions of one step, each an episode here; the examples do not say which RICO screen it is. Boxes
are in fractions of the screen, which is taken as 540 × 960 and 1440 × 2560 (`config.py`). Checked on fixtures only.
Facts: Li et al., "Mapping Natural Language Instructions to Mobile UI Action Sequences", ACL 2020, arXiv:2005.03776;
github.com/google-research/google-research, folder seq2act (`models/input.py`, `data_generation/*.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from stepscope.core.archives.example import Example
from stepscope.core.domain.episode import Episode, EpisodeSummary, Observation, Platform, Problem, Step, summarise
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.example_items import ExamplePlace, example_at, read_examples
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.seq2act_actions import SWIPE, ActionColumns
from stepscope.core.sources.seq2act_screen import Objects
from stepscope.core.sources.seq2act_words import vocabulary_near, words_of
from stepscope.core.sources.shards import ShardSource
from stepscope.core.sources.sniffers.seq2act import PIXELHELP, PIXELHELP_ONLY, RICOSCA, located
from stepscope.core.sources.tfrecord_fields import Fields, refused_record

_PIXELHELP_SCREEN = Size(540, 960)
_RICO_SCREEN = Size(1440, 2560)


class _ExampleReading:
    """An example's features, and what is wrong with them."""

    def __init__(self, shard: Path, example: Example) -> None:
        self.shard = shard
        self.findings = Findings("", shard.parent)
        self.fields = Fields(example, self.note)
        self.done = ActionColumns.of(self.fields)

    def note(self, field: str, message: str, step: int | None = None) -> None:
        self.findings.add(message, step=step, field=field, file=self.shard)

    def episode(self, identity: str, format: str, goal: str, steps: tuple[Step, ...]) -> Episode:
        if not goal:
            self.note("goal", "there is no instruction")
        problems = tuple(replace(problem, episode=identity) for problem in self.findings.problems)
        return Episode(identity, format, Platform.ANDROID, goal, steps, problems=problems)


Read = Callable[[Path, ExamplePlace, Example], Iterator[tuple[ExamplePlace, Episode]]]


def _pixelhelp(shard: Path, place: ExamplePlace, example: Example) -> Iterator[tuple[ExamplePlace, Episode]]:
    """The example's only episode."""
    reading = _ExampleReading(shard, example)
    fields, done = reading.fields, reading.done
    objects = Objects.of(example, fields, _PIXELHELP_SCREEN, reading.note)
    each, rest = divmod(len(objects.types), len(done.verbs))
    if rest:
        message = f"{len(objects.types)} objects do not fall into {len(done.verbs)} screens"
        reading.note("ui_obj_type_id_seq", message)
    goal = fields.text("instruction_str")
    words = words_of(goal, fields.ints("instruction_word_id_seq"), vocabulary_near(shard.parent))
    steps = []
    for index in range(len(done.verbs)):
        note = partial(reading.note, step=index)
        end = 0 if rest else each * (index + 1)
        screen = objects.screen(each * index, end, _PIXELHELP_SCREEN, note)
        action = None
        try:
            action = done.action(index, screen, words)
        except ValueError as error:
            note("action", str(error))
        said = words.covered(done.named[index], done.typed[index], done.described[index])
        steps.append(Step(index, Observation(_PIXELHELP_SCREEN, None, screen.tree), action, said or None))
    identity = fields.text(PIXELHELP_ONLY) or f"{shard.stem}:{place.number}"
    yield place, reading.episode(identity, "pixelhelp", goal, tuple(steps))


def _ricosca(shard: Path, place: ExamplePlace, example: Example) -> Iterator[tuple[ExamplePlace, Episode]]:
    """An episode of one step for each instruction about the example's screen."""
    reading = _ExampleReading(shard, example)
    fields, done = reading.fields, reading.done
    objects = Objects.of(example, fields, _RICO_SCREEN, reading.note)
    screen = objects.screen(0, len(objects.types), _RICO_SCREEN, reading.note)
    goals, ids = fields.texts("instruction_str"), fields.ints("instruction_word_id_seq")
    each = len(ids) // len(done.verbs)
    vocabulary = vocabulary_near(shard.parent)
    common = tuple(reading.findings.problems)
    for index, verb in enumerate(done.verbs):
        reading.findings.problems = list(common)
        goal = goals[index] if index < len(goals) else ""
        action = None
        try:
            action = done.action(index, screen, words_of(goal, ids[each * index : each * (index + 1)], vocabulary))
        except ValueError as error:
            if verb != SWIPE:  # so it is with every swipe of this data set, which is no one example's fault
                reading.note("action", str(error), 0)
        step = Step(0, Observation(_RICO_SCREEN, None, screen.tree), action, goal or None)
        identity = f"{shard.stem}:{place.number}.{index + 1}"
        yield replace(place, item=index), reading.episode(identity, "ricosca", goal, (step,))


def _outline(read: Read, shard: Path) -> Iterator[EpisodeSummary | Problem]:
    """Index rows of a shard; examples are small, so that they are read as a whole."""
    for found in read_examples(shard):
        if isinstance(found, Problem):
            yield found
            continue
        try:
            for place, episode in read(shard, *found):
                yield summarise(episode, place.text())
        except SourceError as error:
            yield refused_record(found[0].number, error)


def _load(read: Read, shard: Path, place: str, episode_id: str) -> Episode:
    where, example = example_at(shard, place)
    for found, episode in read(shard, where, example):
        if found.item == where.item:
            problems = tuple(replace(problem, episode=episode_id) for problem in episode.problems)
            return replace(episode, id=episode_id, problems=problems)
    raise SourceError(f"there is no instruction {where.item + 1} in it", place=shard, record=where.number)


def open_pixelhelp(path: Path) -> ShardSource:
    """A folder with shards or one shard; ids are the tasks' ids."""
    return ShardSource(
        PIXELHELP.name,
        path,
        locate=partial(located, True),
        outline=partial(_outline, _pixelhelp),
        load=partial(_load, _pixelhelp),
    )


def open_ricosca(path: Path) -> ShardSource:
    """A folder with shards or one shard; ids are the shard's name, the example's number and the instruction's."""
    return ShardSource(
        RICOSCA.name,
        path,
        locate=partial(located, False),
        outline=partial(_outline, _ricosca),
        load=partial(_load, _ricosca),
    )
