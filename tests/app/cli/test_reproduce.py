"""`stepscope reproduce`, from the command line to a real browser and back."""

from __future__ import annotations

import csv
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from lxml import html

from stepscope.models.chat import servers
from stepscope.models.chat.servers import ChatServer
from tests.app.app_grid import grid, written
from tests.models.chat.conftest import stage  # noqa: F401 - a fixture
from tests.models.chat.faults import Stage, completion

if importlib.util.find_spec("PySide6") is None:
    pytest.skip("there is no browser engine (PySide6)", allow_module_level=True)

pytestmark = pytest.mark.usefixtures("store")

CHOICE = """<p>${goal}</p>
<label><input type=radio name=good value=1> yes</label><label><input type=radio name=good value=0> no</label>"""
SLIDER = """<p>${words}</p><textarea name=say>hello</textarea>
<input type=range name=sure min=0 max=10 value=5>"""


def write_task(bench: Path, name: str, template: str, *rows: list[str]) -> None:
    folder = bench / "tasks" / name
    folder.mkdir(parents=True)
    (folder / "template.html").write_text(template)
    with (folder / "batch.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows(rows)


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """Two tasks of the split `test` with two pages and one, and a third task that is for training."""
    folder = tmp_path / "bench"
    write_task(folder, "Choose", CHOICE, ["Title", "goal", "Answer.good"], ["C", "tea", "1"], ["C", "soup", "0"])
    write_task(folder, "Slide", SLIDER, ["Title", "words", "Answer.say", "Answer.sure"], ["S", "hi", "hello", "4"])
    write_task(folder, "Other", CHOICE, ["Title", "goal", "Answer.good"], ["O", "tea", "1"])
    (folder / "splits").mkdir()
    (folder / "splits" / "test.txt").write_text("Choose\nSlide\n")
    return folder


def cells(form: dict) -> dict[tuple[str, str], dict]:
    return {(row["row"], cell["column"]): cell for row in form["rows"] for cell in row["cells"]}


def test_the_two_ends_of_the_scale(cli, bench: Path, tmp_path: Path) -> None:
    """Worked out by hand. Doing nothing: no button is chosen, so 0 on Choose; on Slide the text is an answer (1), and
    the slider stands at 5 for 4: 1 - 1/5 by the released code, 1 - 1/4 by the text. The oracle is right everywhere."""
    out = tmp_path / "out"
    ended = cli("reproduce", "turkingbench-bounds", "--data", bench, "--out", out, "--json")
    assert ended.status == 0, ended.err
    found = cells(ended.json)
    assert {key: cell["ours"] for key, cell in found.items()} == {
        ("do-nothing", "official"): pytest.approx((0 + (1 + 0.8) / 2) / 2),
        ("do-nothing", "paper"): pytest.approx((0 + (1 + 0.75) / 2) / 2),
        ("oracle", "official"): 1,
        ("oracle", "paper"): 1,
    }
    one = found["do-nothing", "official"]
    assert (one["published"], one["n"], one["apps"], one["errors"], one["seeds"]) == (0.078, 3, 2, 0, 1)
    assert one["difference"] == pytest.approx(0.45 - 0.078) and one["missing"] is None
    assert one["remarks"] == ["2 of the paper's 20 apps or tasks."]
    assert (ended.json["complete"], ended.json["sample"]) == (True, False)
    assert one["runs"] == found["do-nothing", "paper"]["runs"], "the second rule needs no second run"
    assert [Path(file).name for file in ended.json["files"]] == [
        f"turkingbench-bounds.{end}" for end in ("html", "md", "tex")
    ]
    page = html.document_fromstring((out / "turkingbench-bounds.html").read_text())
    first = page.xpath("//table[@id='numbers']//tr")[2]
    assert [cell.text_content() for cell in first][:3] == ["Do-nothing", "7.8", "45.0"]
    assert "Do-nothing & 7.8 & 45.0 &" in (out / "turkingbench-bounds.tex").read_text()


def listed(cli, name: str):
    """A table as `reproduce list` has it."""
    return next(table for table in cli("reproduce", "list", "--json").json if table["name"] == name)


def test_nothing_is_done_twice_also_by_another_table(cli, bench: Path) -> None:
    first = cells(cli("reproduce", "turkingbench-bounds", "--data", bench, "--json").json)
    again = cli("reproduce", "turkingbench", "--data", bench, "--json")
    assert again.err.count("is done already") == 2
    assert cells(again.json)["oracle", "score"]["runs"] == first["oracle", "official"]["runs"]
    assert len(cli("runs", "list", "--json").json) == 2
    known = listed(cli, "turkingbench")["columns"]
    assert known[0]["data"] == [str(bench)] and known[0]["missing"] is None


def test_stopped_it_tells_what_there_is_and_goes_on(cli, bench: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from stepscope.app.cli import reproduce
    from stepscope.core.progress import CancelToken

    with pytest.MonkeyPatch.context() as patch:
        token = CancelToken()

        @contextmanager
        def signals() -> Iterator[CancelToken]:
            yield token

        @contextmanager
        def bar(_doing: str) -> Iterator[Callable[..., None]]:
            yield lambda progress, _words: token.cancel() if progress.done == 3 else None

        patch.setattr(reproduce, "cancelled_by_signals", signals)
        patch.setattr(reproduce, "bar", bar)
        ended = cli("reproduce", "turkingbench-bounds", "--data", bench, "--json")
    assert ended.status == 130 and "The same command goes on." in ended.err
    found = cells(ended.json)
    assert found["oracle", "official"]["ours"] is None and not ended.json["complete"]
    ended = cli("reproduce", "turkingbench-bounds", "--data", bench, "--json")
    assert ended.status == 0 and ended.json["complete"]
    assert len(cli("runs", "list", "--json").json) == 2


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_after_ctrl_c_and_after_a_kill_the_same_command_goes_on(cli, bench: Path, end: signal.Signals) -> None:
    command = ["reproduce", "turkingbench-bounds", "--data", str(bench)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[3])}
    with subprocess.Popen(
        [sys.executable, "-m", "stepscope.app.main", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as child:
        assert child.stderr is not None
        assert any("run 1 of 2" in line for line in child.stderr)
        child.send_signal(end)
        told = child.stderr.read()
    if end is signal.SIGINT:
        assert child.returncode == 130 and "what was done is kept" in told
    ended = cli(*command, "--json")
    assert ended.status == 0 and ended.json["complete"], ended.err
    assert cells(ended.json)["oracle", "paper"]["ours"] == 1
    assert len(cli("runs", "list", "--json").json) == 2


def test_the_sample_is_no_finding(cli) -> None:
    from stepscope.app.services.provenance import SAMPLE_WEB

    ended = cli("reproduce", "turkingbench-bounds", "--data", SAMPLE_WEB, "--per-app", "1")
    assert ended.status == 0 and "no number of it is a finding" in ended.out
    assert "The first 1 of each app or task." in ended.out


@pytest.mark.needs("openai")
def test_a_row_is_run_by_a_served_model_that_a_person_names(cli, bench: Path, stage: Stage) -> None:  # noqa: F811
    """It chooses "yes" on every page, which is right on one of Choose's two, and leaves Slide as it is."""
    stage.plays(completion("self.actions.modify_radio('good', '1')"))
    servers.add(ChatServer("lab", stage.url, "gpt-x"))
    rows = {row["row"]: row for row in listed(cli, "turkingbench")["rows"]}
    assert "such as page:lab/gpt-x" in rows["gpt-4-full"]["missing"] and rows["oracle"]["model"] == "oracle"
    arguments = ("reproduce", "turkingbench", "--data", bench, "--model", "gpt-4-full=page:lab/gpt-x?demos=1")
    ended = cli(*arguments, "--seeds", "1,2", "--json")
    assert ended.status == 0, ended.err
    cell = cells(ended.json)["gpt-4-full", "score"]
    assert (cell["ours"], cell["deviation"], cell["seeds"]) == (pytest.approx((0.5 + 0.9) / 2), 0, 2)
    assert cell["remarks"][-1] == "Run with page:lab/gpt-x?demos=1&context=100000."
    asked = len(stage.bodies)
    assert asked == 6 and cells(ended.json)["claude-2.1-full", "score"]["missing"]
    assert cli(*arguments, "--seeds", "1,2").status == 0 and len(stage.bodies) == asked


def test_a_model_that_fails_makes_it_end_with_one(cli, bench: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from stepscope.core.errors import UserError

    def broken(*_: object, **__: object) -> None:
        raise UserError("There is no browser here.", hint="Install it.")

    monkeypatch.setattr("stepscope.models.registry.load", broken)
    ended = cli("reproduce", "turkingbench-bounds", "--data", bench, "--json")
    assert ended.status == 1 and "do-nothing failed: There is no browser here." in ended.err
    assert cells(ended.json)["oracle", "paper"]["missing"] == "There is no browser here. Install it."


def test_without_data_the_papers_table_and_what_is_missing(cli) -> None:
    ended = cli("reproduce", "turkingbench")
    assert ended.status == 0 and "39.3" in ended.out and "Name it with --data PATH" in ended.out
    assert "page:SERVER/MODEL?demos=7&html=relevant would run it" in cli("reproduce", "list").out


def test_a_table_of_ones_own(cli, bench: Path, tmp_path: Path) -> None:
    from stepscope.app.services.reproduction.tables import SHIPPED

    own = tmp_path / "own.toml"
    shutil.copy(SHIPPED / "turkingbench-bounds.toml", own)
    own.write_text(
        own.read_text().replace('name = "turkingbench-bounds"', 'name = "own"').replace('"oracle"', '"mine"')
    )
    ended = cli("reproduce", own, "--data", bench, "--json")
    found = cells(ended.json)
    assert ended.status == 0 and found["do-nothing", "official"]["ours"] == pytest.approx(0.45)
    assert found["mine", "official"]["missing"].startswith("There is no model 'mine'")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["turkingbank"], "There is no table 'turkingbank'. Did you mean turkingbench"),
        (["turkingbench", "--model", "oracle"], "--model 'oracle' is not ROW=NAME."),
        (["turkingbench", "--model", "gpt=oracle"], "turkingbench has no row 'gpt'."),
        (["turkingbench", "--model", "oracle=random"], "no model for webtask"),
        (["turkingbench", "--seeds", "1,x"], "--seeds '1,x' are no seeds."),
        (["turkingbench", "--seeds", "9999999999"], "are no seeds."),
        (["turkingbench", "--data", "nowhere"], "There is nothing at this place"),
        (["turkingbench", "--data", "RECORDINGS"], "turkingbench is not about recording."),
        (["turkingbench", "--out", "FILE"], "this is no folder."),
        (["turkingbench", "--device", "abacus"], "There is no device 'abacus'."),
        (["FILE.toml"], "is no table"),
    ],
)
def test_bad_usage_is_one_line(cli, recordings: Path, tmp_path: Path, arguments: list[str], words: str) -> None:
    for file in (tmp_path / "FILE", tmp_path / "FILE.toml"):
        file.write_text("no = toml = at all")
    places = {"RECORDINGS": recordings, "FILE": tmp_path / "FILE", "FILE.toml": tmp_path / "FILE.toml"}
    ended = cli("reproduce", *(places.get(word, word) for word in arguments))
    assert (ended.status, ended.out) == (2, "") and words in ended.line


def test_on_real_pages(cli, real_data: Path, tmp_path: Path) -> None:
    """Three tasks of the benchmark's test split, two pages of each. Goal feasibility and Formalize sentence load with
    nothing chosen or written, so that doing nothing is wrong there; on Winogrande the two buttons are wrong and the two
    boxes right that the worker left empty, as the table itself says. The paper: 7.8 and 100.0 on 20 tasks."""
    whole, part = real_data / "turkingbench", tmp_path / "part"
    if not whole.is_dir():
        pytest.skip("no TurkingBench sample")
    names = ("Formalize sentence", "Goal feasibility", "Winogrande plausiblity")
    for name in names:
        shutil.copytree(whole / "tasks" / name, part / "tasks" / name)
    shutil.copytree(whole / "splits", part / "splits")
    with (part / "tasks" / names[2] / "batch.csv").open(encoding="utf-8-sig", newline="") as stream:
        pages = list(csv.DictReader(stream))[:2]
    boxes = [page[f"Answer.equal{at}"] for page in pages for at in (1, 2)]
    assert boxes == ["", "", "", ""] and all(page[f"Answer.gender{at}"] == "" for page in pages for at in (1, 2))
    ended = cli("reproduce", "turkingbench", "--data", part, "--per-app", "2", "--json")
    assert ended.status == 0, ended.err
    found = cells(ended.json)
    assert found["do-nothing", "score"]["ours"] == pytest.approx((0 + 0 + 2 / 4) / 3)
    assert found["oracle", "score"]["ours"] == 1
    assert (found["oracle", "score"]["n"], found["oracle", "score"]["apps"]) == (6, 3)
    assert json.loads(ended.out) == ended.json


ROWS = ("seq2seq", "moca", "seq2act", "seq2act-joint", "seq2seq-alone", "moca-alone", "seq2act-alone")


def test_the_partitions_of_data_that_names_none(cli, tmp_path: Path) -> None:
    """The rows are run by a rule that reads the instruction, so that nothing is trained. Of sixteen episodes three are
    of the task that is held out, one of the task and the app (tests/core/domain/test_partitions.py)."""
    data = written(tmp_path / "grid", grid())
    models = [part for row in ROWS for part in ("--model", f"{row}=text-match")]
    ended = cli("reproduce", "motif-table4", "--data", data, *models, "--json")
    assert ended.status == 0, ended.err
    found = cells(ended.json)
    assert {column: cell["n"] for (row, column), cell in found.items() if row == "seq2act"} == {
        f"{part}-{what}-{kind}": n
        for part, n in (("seen", 3), ("unseen", 1))
        for what in ("action", "ground", "both")
        for kind in ("complete", "partial")
    }
    one = found["seq2act", "seen-both-complete"]
    assert (one["ours"], one["published"], one["difference"], one["seeds"]) == (1.0, 0.276, None, 1)
    assert one["remarks"] == ["On other data than the paper's, so there is no difference.", "Run with text-match."]
    runs = {cell["runs"][0] for (row, _), cell in found.items() if row in ("seq2act", "seq2act-joint", "seq2act-alone")}
    assert len(runs) == 2, "rows by one rule share the run of a part"


def test_further_data_for_a_table_that_learns_from_none(cli, tmp_path: Path) -> None:
    ended = cli("reproduce", "motif-table3", "--train-data", tmp_path)
    assert ended.status == 2 and "No row of motif-table3 learns from further data" in ended.err
