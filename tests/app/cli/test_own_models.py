"""`stepscope models add` and `remove`: model files of one's own."""

from __future__ import annotations

import io
import runpy
import shutil
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from stepscope.app.services.provenance import SAMPLE
from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.predictor import is_batching
from stepscope.core.evaluation.tasks import Setting, task_kind
from stepscope.core.sources.registry import open_source
from stepscope.models.registry import load, registry
from stepscope.models.runtimes.weights import sha256

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

SCRIPT = Path(__file__).parents[3] / "docs/examples/own_models/make_models.py"
MANIFEST = "stepscope-model.toml"


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the script of the documentation makes: the two that need onnx alone."""
    module = runpy.run_path(str(SCRIPT))
    module["screen_feasibility"](tmp_path / "screen-feasibility")
    module["point_grounder"](tmp_path / "point-grounder")
    return tmp_path


@pytest.fixture
def bare(examples: Path) -> Path:
    """The feasibility classifier without its manifest."""
    (examples / "screen-feasibility" / MANIFEST).unlink()
    return examples / "screen-feasibility/model.onnx"


@pytest.fixture
def added(examples: Path, cli) -> str:
    assert cli("models", "add", examples / "screen-feasibility").status == 0
    return "screen-feasibility"


# The examples of the documentation ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "task", "metric"), [("screen-feasibility", "feasibility", "f1"), ("point-grounder", "automation", None)]
)
def test_an_example_is_added_listed_and_evaluated(cli, store, examples: Path, name: str, task: str, metric: str | None):
    ended = cli("models", "add", examples / name, "--json")
    assert ended.status == 0, ended.err
    form = ended.json
    assert (form["model"], form["task"], form["runtime"], form["licence"]) == (name, task, "onnx", "Apache-2.0")
    assert form["sha256"] == sha256(examples / name / "model.onnx")
    assert form["tried"]["status"] == "ok" and form["tried"]["problem"] is None
    listed = {one["name"]: one for one in cli("models", "list", "--json").json}
    assert (listed[name]["task"], listed[name]["runtime"], listed[name]["weights"]) == (task, "onnx", "present")
    done = cli("evaluate", task, SAMPLE, "--model", name, "--limit", 4, "--json").json
    assert (done["model"], done["state"], done["errors"], done["malformed"]) == (name, "done", 0, 0)
    assert done["n"] >= 4
    assert metric is None or metric in done["metrics"]


@pytest.mark.needs("torch", "transformers")
def test_the_script_makes_all_three_and_the_third_is_evaluated(cli, store, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), str(tmp_path)])
    runpy.run_path(str(SCRIPT), run_name="__main__")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["goal-classifier", "point-grounder", "screen-feasibility"]
    form = cli("models", "add", tmp_path / "goal-classifier", "--json").json
    assert (form["model"], form["runtime"]) == ("goal-classifier", "transformers")
    done = cli("evaluate", "feasibility", SAMPLE, "--model", "goal-classifier", "--limit", 3, "--json").json
    assert (done["n"], done["errors"], done["malformed"]) == (3, 0, 0)


def test_a_run_keeps_the_sha256_of_the_file(cli, store, examples: Path, added: str):
    run = cli("evaluate", "feasibility", SAMPLE, "--model", added, "--limit", 2, "--json").json["run"]
    assert sha256(examples / added / "model.onnx") in cli("runs", "show", run, "--json").out


def test_the_same_answers_as_one_by_one(added: str):
    source = open_source(SAMPLE)
    units = [row.id for row in source.scan() if isinstance(row, EpisodeSummary)][:5]
    kind = task_kind(Task.FEASIBILITY)
    requests = [item.request for unit in units for item in kind.items(source, unit, Setting())]
    predictor = load(added, device="cpu")
    assert is_batching(predictor)
    together = predictor.predict_batch([predictor.prepare(one) for one in requests])
    alone = [predictor.predict(one) for one in requests]
    predictor.close()
    assert len({one.answer.score for one in together}) == 5
    assert [one.answer.score for one in together] == pytest.approx([one.answer.score for one in alone])


# Asking for what is missing -----------------------------------------------------------------------------------------


def test_what_the_file_does_not_tell_is_listed_in_one_line(cli, bare: Path):
    ended = cli("models", "add", bare)
    assert (ended.status, ended.out) == (2, "")
    assert "the file does not tell task (what the model answers" in ended.line and "--template" in ended.line
    ended = cli("models", "add", bare, "--task", "feasibility", "--json")
    assert (ended.status, ended.out) == (2, "")
    for field in ("inputs.image.values", "outputs.chances.reading", "outputs.chances.labels"):
        assert (field in ended.line) is (field != "outputs.chances.reading")  # its last operator is a softmax


class Terminal(io.StringIO):
    """What a person writes."""

    def isatty(self) -> bool:
        return True


def test_in_a_terminal_it_asks(cli, bare: Path, monkeypatch: pytest.MonkeyPatch):
    said = "\n".join(["feasibility", "red", "ImageNet", "no, yes", "yes", "y", ""])
    monkeypatch.setattr(sys, "stdin", Terminal(said))
    ended = cli("models", "add", bare)
    assert ended.status == 0, ended.err
    form = tomllib.loads((bare.parent / MANIFEST).read_text("utf-8"))
    assert (form["inputs"][0]["mean"], form["outputs"][0]["positive"]) == ([0.485, 0.456, 0.406], "yes")
    assert ended.err.count("inputs.image.values") == 2  # red is none of the choices


def test_options_answer_it(cli, bare: Path):
    ended = cli("models", "add", bare, "--task", "feasibility", "--name", "by-hand", "--input", "image:values=0 to 1",
                "--output", "chances:labels=no,yes", "--output", "chances:positive=yes",
                "--set", "answer.threshold=0.4")  # fmt: skip
    assert ended.status == 0, ended.err
    assert "image" in ended.out and "1 × 3 × 64 × 64" in ended.out and "Read as: " in ended.out
    form = tomllib.loads((bare.parent / MANIFEST).read_text("utf-8"))
    assert (form["name"], form["file"], form["answer"]["threshold"]) == ("by-hand", "model.onnx", 0.4)
    assert form["outputs"][0]["labels"] == ["no", "yes"]
    assert cli("models", "info", "by-hand", "--json").json["manifest"] == str(bare.parent / MANIFEST)


def test_a_template_to_fill_in(cli, bare: Path, tmp_path: Path):
    ended = cli("models", "add", bare, "--task", "feasibility", "--template")
    assert (ended.status, ended.err) == (0, "")
    assert "# values =   # which numbers the colours become: 0 to 255, 0 to 1" in ended.out
    filled = ended.out.replace("# values =   #", "scale = 0.5  #")
    filled = filled.replace("# labels =   #", 'labels = ["a", "b"]  #').replace("# positive =   #", 'positive = "b"  #')
    (bare.parent / "mine.toml").write_text(filled, encoding="utf-8")
    ended = cli("models", "add", bare, "--manifest", bare.parent / "mine.toml", "--name", "filled", "--json")
    assert ended.status == 0, ended.err
    assert not (bare.parent / MANIFEST).exists() or ended.json["manifest"] == str(bare.parent / MANIFEST)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--set", "threshold"), "is no assignment"),
        (("--input", "values=0 to 1"), "is no assignment"),
        (("--input", "screen:width=3"), "there is no 'screen' among image"),
        (("--input", "image:values=bright"), "is none of 0 to 255"),
        (("--set", "colour=red"), "colour is no field here"),
        (("--task", "webtask"), "task (what the model answers"),
        (("--name", "../up"), "none that a model can have"),
        (("--device", "tpu"), "There is no device 'tpu'"),
        (("--data", "/nowhere"), "/nowhere"),
        (("--episode", "none"), "has no episode 'none'"),
    ],
)
def test_bad_usage(cli, bare: Path, words: tuple[str, str], said: str):
    good = {"--task": "feasibility", "--input": "image:values=0 to 1"}
    labels = ("--output", "chances:labels=no,yes", "--output", "chances:positive=yes")
    given = [one for option, value in good.items() if option != words[0] for one in (option, value)]
    if words[0] == "--input" and "values" not in words[1]:
        given += ["--input", "image:values=0 to 1"]
    ended = cli("models", "add", bare, *given, *labels, *words)
    assert (ended.status, said in ended.line) == (2, True), ended
    assert not (bare.parent / MANIFEST).exists()


# Tried first --------------------------------------------------------------------------------------------------------


def test_a_model_that_does_not_answer_is_not_added_unless_it_must_be(cli, bare: Path):
    import onnx

    model = onnx.load(bare)
    weights = model.graph.initializer[0]
    weights.CopyFrom(onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(weights) * float("nan"), "weights"))
    onnx.save(model, bare)
    words = ("models", "add", bare, "--task", "feasibility", "--input", "image:values=0 to 1", "--output",
             "chances:labels=no,yes", "--output", "chances:positive=yes")  # fmt: skip
    ended = cli(*words)
    assert (ended.status, ended.out) == (2, "")
    assert "model.onnx" in ended.line and "NaN" in ended.line and "--force" in ended.line
    assert not (bare.parent / MANIFEST).exists()
    ended = cli(*words, "--force", "--json")
    assert ended.status == 0 and ended.json["tried"]["status"] == "malformed" and "warning" in ended.line


def test_it_is_tried_on_data_that_are_named(cli, examples: Path, recordings: Path):
    ended = cli("models", "add", examples / "point-grounder", "--data", recordings, "--episode", "lamp", "--json")
    assert (ended.json["tried"]["episode"], ended.json["tried"]["step"]) == ("lamp", 0)
    assert ended.json["tried"]["inputs"][0]["shape"] == [1, 128, 64, 3]


def test_data_without_what_it_looks_at(cli, examples: Path, recordings: Path):
    ended = cli("models", "add", examples / "point-grounder", "--data", recordings, "--episode", "chair")
    assert ended.status == 2 and "there is no screenshot" in ended.line


# Names and places ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["two-tower", "text-match", "screen-feasibility"])
def test_a_name_that_is_in_use_is_refused(cli, examples: Path, added: str, name: str):
    ended = cli("models", "add", examples / "point-grounder", "--name", name)
    assert ended.status == 2 and f"There is a model {name} already. Give this one another with --name." in ended.line


def test_two_files_of_one_folder(cli, examples: Path, added: str, own_home: Path):
    file = examples / added / "second.onnx"
    shutil.copy(examples / added / "model.onnx", file)
    ended = cli("models", "add", file, "--manifest", examples / added / MANIFEST, "--name", "second", "--json")
    assert ended.json["manifest"] == str(own_home / "data/models/second" / MANIFEST)
    assert ended.json["file"] == str(file)
    assert {"second", added} <= set(registry().models)


def test_a_place_that_cannot_be_written(cli, bare: Path, own_home: Path):
    (bare.parent / MANIFEST).mkdir()
    words = ("--input", "image:values=0 to 1", "--output", "chances:labels=a,b", "--output", "chances:positive=b")
    ended = cli("models", "add", bare, "--task", "feasibility", "--name", "locked", *words, "--json")
    assert ended.json["manifest"] == str(own_home / "data/models/locked" / MANIFEST)


def test_a_manifest_that_a_person_wrote_keeps_its_comments(cli, examples: Path):
    manifest = examples / "point-grounder" / MANIFEST
    written = "# from the lab\n" + manifest.read_text("utf-8")
    manifest.write_text(written, encoding="utf-8")
    form = cli("models", "add", examples / "point-grounder", "--json").json
    assert manifest.read_text("utf-8") == f'sha256 = "{form["sha256"]}"\n{written}'
    assert cli("models", "remove", "point-grounder").status == 0
    assert cli("models", "add", examples / "point-grounder").status == 0
    assert manifest.read_text("utf-8").count("# from the lab") == 1


def test_removing_leaves_the_file(cli, examples: Path, added: str):
    ended = cli("models", "remove", added)
    assert (ended.status, ended.out) == (0, "")
    assert str(examples / added / "model.onnx") in ended.line
    assert (examples / added / "model.onnx").is_file()
    assert cli("models", "info", added).status == 2
    assert cli("models", "add", examples / added).status == 0


@pytest.mark.parametrize("name", ["two-tower", "random", "none", "../x", ""])
def test_only_own_models_can_be_removed(cli, name: str):
    ended = cli("models", "remove", name)
    assert ended.status == 2 and "There is no model" in ended.line


def test_a_folder_that_training_wrote_is_taken_in(cli, tmp_path: Path):
    shipped = SAMPLE.parents[1] / "models" / "feasibility-mlp"
    shutil.copytree(shipped, tmp_path / "trained")
    card = tmp_path / "trained/card.json"
    card.write_text(card.read_text("utf-8").replace('"name": "feasibility-mlp"', '"name": "mine"'), encoding="utf-8")
    form = cli("models", "add", tmp_path / "trained", "--json").json
    assert (form["model"], form["task"]) == ("mine", "feasibility")
    assert cli("models", "remove", "mine").status == 0


# What becomes of files ----------------------------------------------------------------------------------------------


def spoil_file(folder: Path) -> None:
    (folder / "model.onnx").write_bytes((folder / "model.onnx").read_bytes() + b"\x9a\x06\x00")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (spoil_file, "is not the file that was added"),
        (lambda folder: (folder / "model.onnx").unlink(), "not"),
        (lambda folder: (folder / MANIFEST).unlink(), "there is no manifest here"),
        (lambda folder: (folder / MANIFEST).write_text("format = "), "cannot be read"),
    ],
)
def test_files_that_change_afterwards(cli, store, examples: Path, added: str, spoil: Callable[[Path], None], said: str):
    spoil(examples / added)
    ended = cli("evaluate", "feasibility", SAMPLE, "--model", added, "--limit", 1)
    assert ended.status == 2 and said in ended.err and str(examples / added) in ended.err
    assert cli("models", "list", "--json").status == 0
    assert cli("models", "remove", added).status == 0


def test_half_a_download_and_a_pickle(cli, bare: Path):
    bare.write_bytes(bare.read_bytes()[:300])
    ended = cli("models", "add", bare, "--task", "feasibility")
    assert ended.status == 2 and str(bare) in ended.line and "no model that can be loaded" in ended.line
    (bare.parent / "net.pkl").write_bytes(b"\x80\x04N.")
    ended = cli("models", "add", bare.parent / "net.pkl")
    assert ended.status == 2 and "holds pickled weights" in ended.line and "save_file" in ended.line
