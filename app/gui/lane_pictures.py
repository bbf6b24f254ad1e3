"""The picture of an asking agent's lanes: a scripted agent on the sample's ambiguous tasks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.app.services.provenance import SAMPLE
from stepscope.core.domain.action import Action, AskUser, Say, Type, Wait
from stepscope.core.domain.episode import Episode
from stepscope.core.domain.prediction import AskAnswer, Prediction, Task
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.gui import walk as window_walk
    from stepscope.app.gui.walk import WindowWalk
else:
    window_walk = lazy_module("stepscope.app.gui.walk")

SCRIPT = "scripted"
FIRST_SHOWN = "ask-cake-timer"


def shoot_lanes(walk: WindowWalk, shoot: Callable[[str], None]) -> None:
    """Both streams of an agent that asks when due, a step late, a step early, never, and where nobody needed it."""
    bench, results = walk.bench, walk.bench.window.results
    folder = ambiguous_tasks(walk.folder / "Ambiguous tasks")
    selection = bench.context.selection
    bench.library.opening.open_paths([str(folder)])
    window_walk.wait_for(
        lambda: selection.source is not None and selection.source.source.path == folder.resolve(),
        "the tasks",
    )
    walk.settle()
    selection.set_runs(())
    run = ask_by_script(walk)
    bench.commands.run("workspace.results")
    bench.results.choose(run)
    window_walk.wait_for(lambda: bench.results.current is not None and bench.results.current.id == run, "the run")
    selection.show_run(run, str(folder.resolve()))
    bench.window.docks["runs"].hide()
    bench.window.docks["selection"].show()
    results.show_page("lanes")
    lanes = bench.lanes
    window_walk.wait_for(lambda: lanes.found is not None and lanes.found.is_exact and not lanes.is_working, "the lanes")
    lanes.page.tasks.choose(FIRST_SHOWN)
    window_walk.wait_for(
        lambda: lanes.task is not None and lanes.task.episode.id == FIRST_SHOWN and not lanes.is_working, "the task"
    )
    walk.settle()
    shoot("lanes.png")
    bench.window.docks["runs"].show()


def ambiguous_tasks(folder: Path) -> Path:
    """The sample's tasks with a question, and three without one; what was left out stands in the whole goals."""
    whole = {name: SAMPLE / name for name in sorted(one.name for one in SAMPLE.iterdir() if one.is_dir())}
    asking = [name for name in whole if name.startswith("ask-")]
    for name in (*asking, *[name for name in whole if name.startswith("settings-")][:3]):
        shutil.copytree(whole[name], folder / name)
        file = folder / name / "episode.json"
        form = json.loads(file.read_text(encoding="utf-8"))
        if form["asks"]:
            form["original_goal"] = f"{form['goal']}: {form['asks'][0]['answer'].rstrip('.').lower()}"
            file.write_text(json.dumps(form), encoding="utf-8")
    return folder


def ask_by_script(walk: WindowWalk) -> str:
    """A stored run whose agent does what was recorded once it knows what is missing, and else waits; gives its id."""
    from stepscope.app.gui.shell.events import RunsChanged
    from stepscope.core.domain.run import RunSpec
    from stepscope.core.evaluation.imported_predictions import ImportedPredictor
    from stepscope.core.evaluation.runs import EvaluationRun
    from stepscope.core.scoring.registry import run_scorer

    context, opened = walk.bench.context, walk.bench.context.selection.source
    assert context.database is not None and opened is not None
    source = opened.source
    ambiguous = [episode for name in walk.bench.library.ids if (episode := source.read(name)).asks]
    others = [source.read(name) for name in walk.bench.library.ids if name not in {one.id for one in ambiguous}][:3]
    answers = [one for place, episode in enumerate(ambiguous) for one in _asked(episode, (0, 1, -1, None)[place % 4])]
    answers += [one for place, episode in enumerate(others) for one in _needless(episode, asks=place == 0)]
    predictor = ImportedPredictor.of(answers, task=Task.ASK, model=SCRIPT)
    spec = RunSpec(Task.ASK, SCRIPT, str(source.path), source.format, "ask")
    names = [episode.id for episode in (*ambiguous, *others)]
    run = EvaluationRun.start(context.database, spec, source, names, predictor, run_scorer("ask"))
    for _update in run.updates():
        pass
    context.events.publish(RunsChanged())
    window_walk.wait_for(lambda: run.run_id in walk.bench.results.run_ids, "the run in the list")
    return run.run_id


def _asked(episode: Episode, offset: int | None) -> Iterator[Prediction]:
    """`offset`: how many steps after the due one it asks, None for never."""
    ask = episode.asks[0]
    when = None if offset is None else max(0, ask.step + offset)
    for step in episode.steps:
        action = step.action
        if action is None and step.index != ask.step:
            continue
        done: Action = Wait() if action is None or isinstance(action, AskUser | Say) else action
        lost = step.index >= ask.step and (step.index <= ask.step + 2 or isinstance(done, Type))
        question = f"{ask.question.rstrip('?')}, please?" if step.index == when else None
        score = 0.9 - 0.1 * abs(step.index - (ask.step if when is None else when)) - 0.3 * (when is None)
        answer = AskAnswer(question, max(0.05, round(score, 2)), Wait() if lost else done, done, done)
        yield Prediction(episode.id, step.index, answer, raw="ASK" if question else str(done.kind))


def _needless(episode: Episode, *, asks: bool) -> Iterator[Prediction]:
    for place, step in enumerate(episode.steps):
        if step.action is not None:
            question = "Is this the right app?" if asks and place == 1 else None
            yield Prediction(
                episode.id, step.index, AskAnswer(question, 0.6 if question else 0.1, step.action, step.action)
            )
