"""`make docs-pictures`: the guide's screenshots, always of today's window."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.app.gui.lane_pictures import shoot_lanes
from stepscope.app.gui.shell.display import go_offscreen
from stepscope.core.domain.action import OpenApp, Tap
from stepscope.core.domain.annotation import Defect
from stepscope.core.domain.prediction import Task
from stepscope.core.lazy import lazy_module
from stepscope.core.settings import HOME_VARIABLE

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from stepscope.app.gui import walk as window_walk
    from stepscope.app.gui.walk import WindowWalk
    from stepscope.widgets.live import SurveyAnswers
else:
    window_walk = lazy_module("stepscope.app.gui.walk")

Shoot = Callable[[str], None]
"""Saves a picture of the window under a name."""


def main(folder: Path) -> int:
    go_offscreen()
    os.environ["LOGNAME"] = "you"  # whose notes the pictures show
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        os.environ[HOME_VARIABLE] = work  # the form begins with what was chosen last, which is nobody's here
        parts: tuple[tuple[str, tuple[Callable[[WindowWalk, Shoot], None], ...]], ...] = (
            ("first", (shoot_first_minutes,)),  # with the runs that come with the sample; the others have their letters
            (
                "later",
                (
                    shoot_evaluations, shoot_replay, shoot_filters, shoot_pages, shoot_models, shoot_live,
                    shoot_web_tasks, shoot_walks, shoot_orders, shoot_review, shoot_lanes,
                ),
            ),
        )  # fmt: skip
        for name, takes in parts:
            (Path(work) / name).mkdir()
            walk = window_walk.WindowWalk(Path(work) / name)
            walk.open_sample()
            for take in takes:
                take(walk, partial(_shoot, walk, folder))
            walk.end()
    return 0


def _shoot(walk: WindowWalk, folder: Path, name: str) -> None:
    walk.picture(name).replace(folder / name)
    print(folder / name)


def shoot_first_minutes(walk: WindowWalk, shoot: Shoot) -> None:
    """The start page, and wrong steps of a run that comes with the sample as tiles, some of them chosen."""
    bench = walk.bench
    bench.commands.run("view.start")
    shoot("start.png")
    bench.commands.run("open.sample")
    window_walk.wait_for(lambda: len(bench.context.selection.runs) == 2, "the runs of the sample")
    walk.settle()
    bench.commands.run("view.grid")
    window_walk.wait_for(lambda: bool(bench.grid.view.area.tiles), "the tiles")
    view = bench.grid.view
    view.runs.setCurrentIndex(1)
    view.runs.activated.emit(1)
    window_walk.wait_for(lambda: len(bench.grid.steps) > 100, "the wrong steps of the second run")
    view.causes.picked.emit("row", False)
    window_walk.wait_for(lambda: 0 < len(view.area.tiles) < 100, "those of one cause")
    walk.settle()
    tiles = [tile.key for tile in view.area.tiles]
    view.area.choose(tiles[:3])
    view.area.set_current(tiles[0])
    shoot("grid.png")


def shoot_pages(walk: WindowWalk, shoot: Shoot) -> None:
    """The leaderboard, two descriptions to judge, and the keys."""
    bench, run = walk.bench, walk.bench.commands.run
    run("workspace.results")
    run("results.view")
    bench.window.docks["evaluate"].hide()
    shoot("leaderboard.png")
    run("results.view")
    walk.evaluate("template", task=Task.GOAL)
    run("workspace.judge")
    window_walk.wait_for(lambda: bench.judge.read is not None and bench.judge.origins is not None, "the pairs")
    shoot("judge.png")
    run("keys.change")
    shoot("keys.png")
    run("workspace.replay")


def shoot_evaluations(walk: WindowWalk, shoot: Shoot) -> None:
    """The form, and the results' pages: of a feasibility run, and of two runs of task automation."""
    bench, results = walk.bench, walk.bench.window.results
    bench.commands.run("evaluate.automation")
    window_walk.wait_for(lambda: bool(words_named(bench.window.evaluate, "What will be run")), "what will be run")
    shoot("evaluate.png")
    for model in ("never-feasible", "always-feasible"):
        walk.evaluate(model, task=Task.FEASIBILITY)
    choose_cell(walk, "infeasible", "feasible")
    shoot("results.png")
    bench.context.selection.set_runs(())
    walk.evaluate("nearest-element", "aitw")
    walk.evaluate("text-match", "aitw")
    results.show_page("steps")
    shoot("results-steps.png")
    bench.commands.run("run.compare")
    window_walk.wait_for(lambda: results.compare.model.rowCount() > 0, "the steps on which two runs differ")
    shoot("results-compare.png")
    bench.commands.run("run.rescore_all")
    window_walk.wait_for(lambda: bench.results.is_scored_by_all, "scores under all rules")
    results.show_page("rules")
    shoot("rules.png")
    shoot_comparison(walk, shoot)
    results.show_page("summary")
    choose_cell(walk, "tap", "tap")
    bench.commands.run("theme.light")
    shoot("results-light.png")
    bench.commands.run("theme.dark")


def shoot_comparison(walk: WindowWalk, shoot: Shoot) -> None:
    """Both runs beside each other at a step that only one has right."""
    bench = walk.bench
    bench.commands.run("workspace.compare")
    walk.settle()
    bench.compare.choose_cell("only_b")
    bench.commands.run("wrong.next")
    walk.settle()
    bench.compare_rules.choose("aitz")
    shoot("compare.png")
    bench.commands.run("workspace.results")


def shoot_replay(walk: WindowWalk, shoot: Shoot) -> None:
    """A wrong step, its UI tree, notes on it; in the light."""
    run = walk.bench.commands.run
    run("workspace.replay")
    walk.open_episode("settings-larch-house")
    run("wrong.next")
    shoot("replay-dark.png")
    run("layer.tree")
    shoot("tree.png")
    run("layer.tree")
    say_something(walk)
    shoot("notes.png")
    for _change in range(5):
        run("edit.undo")
    walk.bench.window.inspector.setCurrentIndex(0)
    run("theme.light")
    shoot("replay-light.png")
    run("theme.dark")


def shoot_filters(walk: WindowWalk, shoot: Shoot) -> None:
    bench = walk.bench
    bench.library.set_filter("stepps>3", tell_view=True)
    shoot("filter-mistake.png")
    bench.library.set_filter("infeasible", tell_view=True)
    window_walk.wait_for(lambda: 0 < len(bench.library.ids) < 30, "the filtered list")
    shoot("filter.png")
    bench.commands.run("filter.clear")
    bench.help.open_palette()
    shoot("palette.png")
    bench.help.close_palette()


def shoot_models(walk: WindowWalk, shoot: Shoot) -> None:
    """What the trained models answered on the screen and as an order; the list of models; a training at work."""
    bench, run = walk.bench, walk.bench.commands.run
    bench.context.selection.set_runs(())
    feasibility = walk.evaluate("feasibility-mlp", task=Task.FEASIBILITY)
    run("workspace.replay")
    walk.open_episode("premature-fingerprint", 2)
    shoot("feasibility.png")
    shoot_reasons(walk, shoot)
    bench.context.selection.toggle_run(feasibility)
    shoot_layer(walk, shoot, "two-tower", "layer.numbers", "candidates.png")
    shoot_layer(walk, shoot, "seq2act", "layer.attention", "attention.png")
    walk.evaluate("pairwise-pointer", task=Task.ORDERING)
    run("workspace.ordering")
    walk.open_episode("quiet-then-write")
    shoot("ordering.png")
    run("workspace.replay")
    shoot_training(walk, shoot)


def shoot_layer(walk: WindowWalk, shoot: Shoot, model: str, layer: str, name: str) -> None:
    """What a model of task automation leaves over the screen, in a layer that is off else."""
    bench, run = walk.bench, walk.bench.commands.run
    answered = walk.evaluate(model, "aitw")
    run("workspace.replay")
    walk.open_episode("settings-larch-house", 2)
    run(layer)
    shoot(name)
    run(layer)
    bench.context.selection.toggle_run(answered)


def shoot_reasons(walk: WindowWalk, shoot: Shoot) -> None:
    """Infeasible goals that a model called feasible, in groups, those of one app listed."""
    bench, results = walk.bench, walk.bench.window.results
    bench.commands.run("workspace.results")
    results.show_page("reasons")
    walk.settle()
    details = results.reasons.apps.shown()
    bench.breakdown.choose(details[0].key)
    window_walk.wait_for(lambda: bench.window.selected.model.peek(0) is not None, "the items of the app")
    bench.window.selected.choose(0)
    shoot("reasons.png")
    results.show_page("summary")
    bench.breakdown.select(())


def shoot_training(walk: WindowWalk, shoot: Shoot) -> None:
    """What is asked before a training, and its curves."""
    from dataclasses import replace

    bench, panel = walk.bench, walk.bench.window.training
    bench.commands.run("models.train")
    walk.settle()
    panel.form.fill(replace(panel.form.request(), name="feasibility-of-mine", seeds=(0, 1), epochs=40))
    shoot("train.png")
    panel.form.run()
    window_walk.wait_for(lambda: not bench.training.is_running, "the end of the training", patience=900)
    panel.show_page("curves")
    shoot("curves.png")


def choose_cell(walk: WindowWalk, reference: str, predicted: str) -> None:
    """Choose a cell of the confusion matrix of the run that is shown, as a click on it does."""
    bench = walk.bench
    window_walk.wait_for(
        lambda: bench.breakdown.loaded is not None and bench.breakdown.loaded.run == bench.results.current,
        "the cards of the run",
    )
    assert bench.breakdown.loaded is not None
    found = bench.breakdown.loaded.breakdown.confusion
    bench.breakdown.choose(found.cells[found.rows.index(reference)][found.columns.index(predicted)].key)
    window_walk.wait_for(lambda: bench.window.selected.model.peek(0) is not None, "the items of the cell")
    bench.window.selected.choose(0)


def words_named(form: QWidget, name: str) -> str:
    """What the label with this accessible name says."""
    from PySide6.QtWidgets import QLabel

    return next(label.text() for label in form.findChildren(QLabel) if label.accessibleName() == name)


def say_something(walk: WindowWalk) -> None:
    """Marks, tags and a note on the step that is shown: five changes."""
    annotating = walk.bench.annotating
    for spot in annotating.spots():
        annotating.book.toggle_star(spot)
        annotating.book.set_defect(spot, Defect.SEVERAL_RIGHT)
        for tag in ("Wi-Fi", "two ways"):
            annotating.book.add_tag(spot, tag)
        annotating.book.set_note(spot, "The network's own page has a Connect button: right as well.")
    walk.settle()
    walk.bench.commands.run("mark.note")


def shoot_live(walk: WindowWalk, shoot: Shoot) -> None:
    """The simulated phone: an agent proposes on it, and a demonstration waits for its label."""
    from stepscope.core.domain.elements import UIElement
    from stepscope.widgets.live import SurveyAnswers

    bench = walk.bench
    bench.commands.run("device.simulated")
    live, recording = bench.live.device, bench.live.recording
    window_walk.wait_for(lambda: live.current is not None, "the simulated phone")
    session, parts = live.current, live.parts
    assert session is not None
    window_walk.wait_for(lambda: parts.centre.view.frame is not None and not parts.centre.view.notice, "its picture")

    def element(name: str) -> UIElement:
        tree = session.look(fresh=True).result(60).tree
        assert tree is not None
        return next(one for one in tree if one.clickable and one.label == name)

    parts.left.task.set_goal("Set a timer for the tea")
    bench.commands.run("record.toggle")
    window_walk.wait_for(lambda: recording.is_running, "the recording")
    for count, name in enumerate(("Clock", "Timer"), start=1):
        session.act(Tap(element(name).box.centre)).result(60)
        window_walk.wait_for(lambda count=count: len(parts.recording.film.cells()) == count, f"the tap on {name}")  # type: ignore[misc]
    bench.commands.run("record.toggle")
    window_walk.wait_for(lambda: not recording.is_running and parts.left.label.save.isVisible(), "the survey")
    parts.left.label.show_survey(SurveyAnswers("infeasible", "unclear", "", ("For how many minutes?",)))
    shoot("live-label.png")
    parts.left.label.save.click()
    window_walk.wait_for(lambda: recording.session is None, "the recording on the disk")
    _shoot_help(walk, shoot, SurveyAnswers("feasible"))
    parts.left.task.set_goal("tap Stopwatch")
    agents = parts.left.task.agents
    window_walk.wait_for(lambda: agents.findData("text-match") > 0, "the agents")
    agents.setCurrentIndex(agents.findData("text-match"))
    bench.live.agent.start()
    window_walk.wait_for(lambda: bench.live.agent.waiting is not None, "a proposal")
    bench.commands.run("layer.tree")
    window_walk.wait_for(lambda: parts.centre.view.tree is not None, "the tree")
    shoot("live.png")
    bench.live.agent.stop()
    window_walk.wait_for(lambda: not bench.live.agent.is_at_work, "the agent's end")


def _shoot_help(walk: WindowWalk, shoot: Shoot, survey: SurveyAnswers) -> None:
    """A model on the picture has settled on a goal, and offers an agent's help."""
    live, recording = walk.bench.live.device, walk.bench.live.recording
    session, parts, goals = live.current, live.parts, walk.bench.live.goals
    assert session is not None
    parts.left.task.set_goal("")
    walk.bench.live.overlay.toggle("template", True)
    walk.bench.commands.run("record.toggle")
    window_walk.wait_for(lambda: recording.is_running, "the recording")
    session.act(OpenApp("Clock")).result(60)
    for name in ("Timer", "Timer", "Timer"):
        tree = session.look(fresh=True).result(60).tree
        assert tree is not None
        place = next((one.box.centre for one in tree if one.clickable and one.label == name), None)
        if place is not None and goals.offer is None:
            count = len(parts.recording.film.cells())
            session.act(Tap(place)).result(60)
            window_walk.wait_for(lambda count=count: len(parts.recording.film.cells()) > count, f"the tap on {name}")  # type: ignore[misc]
            window_walk.wait_for(lambda count=count: goals.guesses.steps > count, f"a guess after {name}")  # type: ignore[misc]
    walk.settle()
    shoot("live-help.png")
    walk.bench.live.overlay.toggle("template", False)
    walk.bench.commands.run("record.toggle")
    window_walk.wait_for(lambda: not recording.is_running and parts.left.label.save.isVisible(), "the survey")
    parts.left.task.set_goal("Look at the clock")
    parts.left.label.show_survey(survey)
    parts.left.label.save.click()
    window_walk.wait_for(lambda: recording.session is None, "the recording on the disk")


def shoot_walks(walk: WindowWalk, shoot: Shoot) -> None:
    """A goal that two models walked to, one of them the reference with errors."""
    bench, results = walk.bench, walk.bench.window.results
    walk.open_sample()
    bench.context.selection.set_runs(())
    for model in ("two-tower", "noisy-copy"):
        walk.evaluate(model, task=Task.ROLLOUT)
    bench.window.docks["evaluate"].hide()
    bench.window.docks["selection"].show()
    results.show_page("walks")
    page = results.walks
    window_walk.wait_for(lambda: bool(page.goals.goals.rows), "the goals")
    wanted = [row.episode for row in page.goals.goals.rows].index("settings-screen-timeout")
    page.goals.setCurrentIndex(page.goals.goals.index(wanted, 0))
    window_walk.wait_for(
        lambda: page.state is not None and page.state.goal.episode == "settings-screen-timeout", "the walk"
    )
    walk.settle()
    shoot("walks.png")


def shoot_orders(walk: WindowWalk, shoot: Shoot) -> None:
    """What a run of step ordering gets wrong beside the same model on words alone, and several people's orders."""
    bench, results = walk.bench, walk.bench.window.results
    walk.open_sample()
    bench.context.selection.set_runs(())
    walk.evaluate("pairwise-pointer", task=Task.ORDERING)
    both = bench.results.current
    walk.evaluate("pairwise-pointer?steps=words", task=Task.ORDERING)
    assert both is not None
    bench.window.docks["evaluate"].hide()
    results.show_page("orders")
    results.orders.other_chosen.emit(both.id)
    walk.settle()
    shoot("orders.png")
    bench.commands.run("workspace.ordering")
    walk.settle()
    order_by_readers(walk)
    bench.commands.run("ordering.people")
    window_walk.wait_for(lambda: bool(bench.window.ordering.people.people.cells.rows), "the people")
    walk.settle()
    shoot("people.png")
    bench.commands.run("ordering.people")


def shoot_review(walk: WindowWalk, shoot: Shoot) -> None:
    """Ambiguous tasks of the sample that rules made, some of them reviewed."""
    bench, window = walk.bench, walk.bench.window
    walk.open_sample()
    bench.context.prefer(annotator="you")
    bench.commands.run("ambiguous.make")
    walk.settle()
    dialog = bench.making.dialog
    assert dialog is not None
    dialog.numbers[1].setChecked(True)
    dialog.run.click()
    window_walk.wait_for(lambda: bool(bench.review.session.tasks), "the tasks")
    walk.settle()
    for command in ("ambiguous.accept", "ambiguous.accept"):
        bench.commands.run(command)
        walk.settle()
    bench.commands.run("ambiguous.reject")
    window.ambiguous.task.rejected.emit("Nobody would ask this")
    walk.settle()
    tasks = bench.review.session
    two = next(at for at, place in enumerate(tasks.shown) if len(tasks.tasks[place].pieces) == 2)
    window.ambiguous_list.task_chosen.emit(two)
    walk.settle()
    shoot("review.png")


def order_by_readers(walk: WindowWalk) -> None:
    """Blind orders of three people: two as recorded, under both conditions, and one who turns the first two steps."""
    from datetime import UTC, datetime

    from stepscope.core.domain.human_order import HelpfulInput, HumanOrder, StepInput
    from stepscope.core.store.repositories import human_orders

    procedures, database = walk.bench.ordering.procedures, walk.bench.context.database
    assert database is not None
    read, at = procedures.procedure_of(), datetime(2026, 1, 5, 9, tzinfo=UTC)
    made = []
    for place, name in enumerate(walk.bench.library.ids[:12]):
        procedure = read(name)
        if procedure is None:
            continue
        right = procedure.references[0]
        turned = (right[1], right[0], *right[2:])
        for who, order, seconds in (("reader 1", right, 21.0), ("reader 2", right, 34.0), ("reader 3", turned, 12.0)):
            shown = StepInput.TEXT if (place + (who == "reader 2")) % 2 else StepInput.BOTH
            given = (order, turned) if who == "reader 1" and place < 4 else (order,)
            helped = HelpfulInput.BOTH if shown is StepInput.BOTH else HelpfulInput.TEXT
            took, sure = seconds + place, 3 + place % 3
            source = procedures.source
            made.append(HumanOrder(source, name, who, True, given, at, took, sure, helped, shown, submitted=at))
    with database.unit_of_work() as db:
        human_orders.replace(db, (), made)
    procedures.people_changed()
    walk.settle()


def shoot_web_tasks(walk: WindowWalk, shoot: Shoot) -> None:
    """A page of the sample with what a run left in it, and the run's results."""
    bench = walk.bench
    web = bench.webtask
    bench.context.selection.set_runs(())
    bench.commands.run("theme.dark")
    bench.commands.run("open.sample_web")
    window_walk.wait_for(lambda: web.page.is_ready, "the first page")
    for model in ("oracle", "do-nothing", "random-fields"):
        run = walk.evaluate(model, task=Task.WEBTASK)
        if model != "random-fields":
            bench.context.selection.toggle_run(run)
    bench.window.results.show_page("fields")
    walk.settle()
    shoot("results-webtask.png")
    bench.results.open_item("Formal sentences/0", 0)
    window_walk.wait_for(
        lambda: web.task.who == run and web.page.is_ready and web.fields.judged is not None, "the run's page"
    )
    window_walk.wait_for(
        lambda: web.task.read is not None and web.task.read.instance.id == "Formal sentences/0", "the page"
    )
    window_walk.wait_for(lambda: bool(bench.window.webtask.side.fields.chosen()), "the worst field")
    walk.settle()
    shoot("webtask.png")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
