"""An agent behind a server from the command line: evaluated in both settings, its wrong space found and mended without
asking again, judged by every rule."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.app.services import coordinate_check, library
from stepscope.core.domain.action import Finish, Tap, Target, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.imaging.draw import encode_png
from stepscope.core.settings import default_store_url
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs, sources
from stepscope.models.chat import servers
from tests.models.chat.conftest import ring, stage  # noqa: F401 - fixtures
from tests.models.chat.faults import Act, Stage, completion

from .conftest import Cli

pytestmark = pytest.mark.needs("openai")

SIZE = Size(280, 588)
"""Multiples of 28: Qwen2.5-VL sees the picture as it is."""
EPISODES, TAPS = 3, 8


def button(number: int) -> Box:
    """Rows of 280 × 50, one below the other; the middle of row n is (140, 55 + 60n)."""
    top = 30 + 60 * number
    return Box(0, top, 280, top + 50, SIZE)


def middle(number: int) -> tuple[int, int]:
    return 140, 55 + 60 * number


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """Episodes of eight taps, a text and an end."""
    folder = tmp_path / "rows"
    folder.mkdir()
    file = folder / "screen.png"
    file.write_bytes(encode_png(np.full((SIZE.height, SIZE.width, 3), 230, np.uint8)))
    tree = UITree(
        tuple(UIElement(n, button(n), text=f"Row {n}", clickable=True) for n in range(TAPS)),
        TreeOrigin.VIEW_HIERARCHY,
        SIZE,
    )
    seen = Observation(SIZE, Picture(file, SIZE), tree)
    for number in range(EPISODES):
        actions = [Tap(button(n).centre, Target(button(n), f"Row {n}")) for n in range(TAPS)]
        steps = [Step(n, seen, one, f"Tap row {n}") for n, one in enumerate(actions)]
        steps += [Step(TAPS, seen, Type("milk"), "Type milk"), Step(TAPS + 1, seen, Finish(), "Stop")]
        name = f"e{number}"
        write_recording(Episode(name, "recording", Platform.ANDROID, "Tap all rows", tuple(steps)), folder / name)
    return folder


def call(arguments: str) -> Act:
    return Act(completion(f'<tool_call>\n{{"name": "mobile_use", "arguments": {arguments}}}\n</tool_call>'))


def answers_in_thousandths() -> list[Act]:
    """Right answers of a model that speaks in thousandths, for one episode: the others are the same questions."""
    one = [
        call(f'{{"action": "click", "coordinate": [{1000 * x / 280:.0f}, {1000 * y / 588:.0f}]}}')
        for x, y in map(middle, range(TAPS))
    ]
    one += [call('{"action": "type", "text": "milk"}'), call('{"action": "terminate", "status": "success"}')]
    return one


@pytest.fixture
def run(cli: Cli, stage: Stage, rows: Path) -> str:  # noqa: F811
    """A run of a model that is taken for one that speaks in pixels of the picture."""
    stage.plays(*answers_in_thousandths())
    servers.add(stage.server(model="Qwen2.5-VL-7B", parallel=1))
    ended = cli("evaluate", "automation", rows, "--model", "served:lab", "--protocol", "aitw", "--json")
    assert ended.status == 0, ended.err
    form = ended.json
    assert "may be misread: 24 of 24 places would be right as 0 – 1000, " in ended.err, "without being asked"
    assert f"See: stepscope agents diagnose {form['run']}" in ended.err
    assert form["n"] == EPISODES * (TAPS + 2) and len(stage.seen) == TAPS + 2
    assert form["metrics"]["step_accuracy"] < 0.5
    return str(form["run"])


def test_a_run_in_the_wrong_space_is_found_and_read_again(cli: Cli, stage: Stage, run: str) -> None:  # noqa: F811
    found = cli("agents", "diagnose", run, "--json").json
    assert (found["winner"], found["chosen"], found["adapter"]) == ("thousand", "adapter", "qwen2.5-vl")
    assert (found["steps"], found["points"], found["few"], found["raw"]) == (30, 24, False, True)
    spaces = {one["space"]: one for one in found["spaces"]}
    assert found["spaces"][0]["space"] == "thousand" and spaces["thousand"]["right"] == 24
    assert spaces["thousand"]["step_accuracy"] == 1.0 and spaces["thousand"]["interval"][1] == 1.0
    assert spaces["nine99"]["same_as_best"], "a difference of a pixel cannot be told"
    assert spaces["adapter"]["right"] < 12 and not spaces["adapter"]["same_as_best"]
    assert spaces["unit"]["on_screen"] == 0 and spaces["swapped"]["right"] < 12
    turn = found["turns"][0]
    assert turn["right"] and turn["then"] == pytest.approx([140, 55], abs=0.5) and turn["said"] == [500, 94]
    told = cli("agents", "diagnose", run).out
    assert "fit 0 – 1000, not Pixels of the picture sent: 24 of 24 right" in told and "--read thousand" in told

    asked = len(stage.seen)
    read = cli("agents", "diagnose", run, "--read", "thousand", "--json")
    again = read.json
    assert "may be misread" not in read.err
    assert again["metrics"]["step_accuracy"] == 1.0 and again["model"].endswith("#automation?space=thousand")
    assert len(stage.seen) == asked, "nothing is asked again"
    assert f"The answers of run {run}, read again as 0 – 1000, chosen by hand." in again["note"]
    known = {one["run"]: one for one in cli("runs", "list", "--json").json}
    assert known[run]["metrics"]["step_accuracy"] < 0.5, "the run itself stays as it is"
    assert "Archived" in cli("runs", "label", run).out and "Archived" not in cli("runs", "label", again["run"]).out
    cli("servers", "remove", "lab")
    better = cli("agents", "diagnose", again["run"], "--json").json  # the server is not needed for it
    assert better["winner"] is None and better["chosen"] == "thousand"
    assert "fits as well as any" in cli("agents", "diagnose", again["run"]).out


def test_a_reading_that_was_broken_off_goes_on_without_asking(
    cli: Cli, stage: Stage, run: str, rows: Path  # noqa: F811 - fixtures
) -> None:  # fmt: skip
    def reading_begun(of: str, space: str) -> str:
        with Database.open(default_store_url()) as database:
            with database.reading() as db:
                known = runs.get(db, of)
                source = sources.find(db, Path(known.spec.source))
            assert source is not None
            data = library.indexed_source(database, Path(known.spec.source), known.spec.format)
            begun = coordinate_check.read_again(database, known, data, source.id, space).run
            updates = begun.updates()
            next(updates)
            updates.close()
            return begun.run_id

    cli("runs", "label", run, "--name", "Juniper 2B")
    asked = len(stage.seen)
    made = reading_begun(run, "thousand")
    labels = {one: cli("runs", "label", one).out for one in (run, made)}
    assert "Juniper" in labels[run] and "Archived" not in labels[run], "a part of a reading takes nobody's place"
    ended = cli("evaluate", "automation", rows, "--resume", made, "--json")
    assert ended.status == 0 and ended.json["metrics"]["step_accuracy"] == 1.0 and len(stage.seen) == asked
    labels = {one: cli("runs", "label", one).out for one in (run, made)}
    assert "Juniper" in labels[made] and "Archived" in labels[run]

    third = reading_begun(made, "adapter")
    cli("runs", "delete", made)
    told = cli("evaluate", "automation", rows, "--resume", third)
    assert told.status == 2 and f"The run {made}, whose answers were read again, is deleted." in told.err


def test_somebody_says_that_it_is_right_as_it_is(cli: Cli, run: str, rows: Path) -> None:
    assert cli("agents", "diagnose", run, "--keep").status == 0
    again = cli("evaluate", "automation", rows, "--model", "served:lab", "--protocol", "aitw", "--json")
    assert "may be misread" in again.err, "another run of it is doubted as ever"
    cli("runs", "delete", run)
    told = cli("agents", "diagnose", run)
    assert told.status == 2 and "no run" in told.err.lower()


def test_it_is_judged_by_every_rule(cli: Cli, run: str, tmp_path: Path) -> None:
    rules = cli("runs", "rescore", run, "--all", "--json").json
    by_name = {one["rule"]: one for one in rules["rules"]}
    assert {"os_atlas", "gui_r1", "gui_odyssey", "radius14"} <= by_name.keys()
    assert by_name["os_atlas"]["n"] - by_name["gui_r1"]["n"] == sum(one["n"] for one in by_name["gui_r1"]["left_out"])
    for suffix, mark in ((".csv", "GUI-R1's scorer"), (".md", "| AndroidControl, GUI-R1's scorer | step\\_accuracy |"),
                         (".tex", r"\begin{tabular}{llrrrrrrrp{6cm}}")):  # fmt: skip
        file = tmp_path / f"rules{suffix}"
        assert cli("runs", "rescore", run, "--all", "-o", file).status == 0
        assert mark in file.read_text() and "does not count finish steps." in file.read_text()
    assert cli("runs", "rescore", run, "--all", "-o", tmp_path / "rules.doc").status == 2
    assert cli("runs", "rescore", run, "--rule", "aitw", "-o", tmp_path / "rules.csv").status == 2
    whole, table = by_name["os_atlas"], cli("runs", "rescore", run, "--all").out
    assert whole["left_out"] == [] and "does not count finish steps." in table


def test_both_settings_are_two_runs(cli: Cli, stage: Stage, rows: Path) -> None:  # noqa: F811
    stage.plays(call('{"action": "wait"}'))
    servers.add(stage.server(model="Qwen2.5-VL-7B", parallel=4))
    forms = cli(
        "evaluate", "automation", rows, "--model", "served:lab", "--instructions", "both", "--limit", "1", "--json"
    ).json
    assert [one["model"] for one in forms] == [
        "served:lab/Qwen2.5-VL-7B#automation", "served:lab/Qwen2.5-VL-7B#automation?instructions=hidden",
    ]  # fmt: skip
    texts = [str(body["messages"]) for body in stage.bodies]
    assert sum("What to do now: Tap row 0" in one for one in texts) == 1
    assert sum("What to do now" in one for one in texts) == TAPS + 2 == len(texts) / 2


def test_a_model_of_which_nothing_can_be_read_is_told_while_it_runs(cli: Cli, stage: Stage, rows: Path) -> None:  # noqa: F811
    stage.plays(Act(completion("I would press the button that says Next.")))
    servers.add(stage.server(model="Qwen2.5-VL-7B"))
    ended = cli("evaluate", "automation", rows, "--model", "served:lab", "--protocol", "aitw", "--json")
    assert ended.json["malformed"] == EPISODES * (TAPS + 2)
    assert ended.err.count("answers could be read. Its adapter may be another model's") == 1
    stage.plays(call('{"action": "wait"}'))
    fine = cli("evaluate", "automation", rows, "--model", "served:lab/other", "--protocol", "aitw")
    assert "could be read" not in fine.err


def test_pixels_of_others_are_tried_as_other_numbers(cli: Cli, rows: Path, tmp_path: Path) -> None:
    """A prediction file whose points were thousandths all along."""
    file = tmp_path / "pixels.jsonl"
    lines = [
        {"episode": f"e{number}", "step": step, "action": {"kind": "tap", "point": [1000 * x / 280, 1000 * y / 588]}}
        for number in range(EPISODES)
        for step, (x, y) in enumerate(map(middle, range(TAPS)))
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    form = cli("evaluate", "automation", rows, "--predictions", file, "--protocol", "aitw", "--json").json
    found = cli("agents", "diagnose", form["run"], "--json").json
    assert found["winner"] == "thousand" and not found["raw"]
    assert "There are no raw outputs" in cli("agents", "diagnose", form["run"]).out
    refused = cli("agents", "diagnose", form["run"], "--read", "thousand")
    assert refused.status == 2 and "has no raw outputs of an agent" in refused.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(("--read", "inches"), "There is no space 'inches'"), (("--adapter", "qwen25-vl"), "no adapter 'qwen25-vl'")],
)
def test_what_cannot_be_is_told(cli: Cli, run: str, arguments: tuple[str, ...], told: str) -> None:
    refused = cli("agents", "diagnose", run, *arguments)
    assert refused.status == 2 and told in refused.err


def test_a_run_without_places_is_told(cli: Cli, rows: Path) -> None:
    form: Any = cli("evaluate", "goal", rows, "--model", "template", "--json").json
    refused = cli("agents", "diagnose", form["run"])
    assert refused.status == 2 and "is about goal: its answers have no places" in refused.err


def test_it_can_be_told_what_it_said_itself(cli: Cli, stage: Stage, rows: Path) -> None:  # noqa: F811
    """Two episodes side by side; each step is asked when the answer before it is there."""
    stage.plays(call('{"action": "click", "coordinate": [7, 9]}'))
    servers.add(stage.server(model="Qwen2.5-VL-7B", parallel=2))
    name = "served:lab/Qwen2.5-VL-7B#automation?history=predicted"
    form = cli("evaluate", "automation", rows, "--model", name, "--limit", "2", "--json").json
    assert form["model"] == name and form["n"] + form["unscored"] == 2 * (TAPS + 2)
    texts = [str(body["messages"]) for body in stage.bodies]
    by_length = sorted(text.count('"coordinate": [7, 9]') for text in texts)
    assert by_length[0] == 0 and by_length[-1] == TAPS + 1, "as many answers as there were steps before"
    assert not any("milk" in text.split("Done so far")[1] for text in texts), "nothing of what was recorded"
