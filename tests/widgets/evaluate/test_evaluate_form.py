from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QDoubleSpinBox, QSpinBox
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.core.domain.prediction import Task
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.rule import ProtocolInfo
from stepscope.widgets.evaluate.form import EvaluateForm
from stepscope.widgets.forms.evaluate_choices import (
    PREDICTIONS,
    ComputeChoice,
    DataChoice,
    EvaluateRequest,
    ModelChoice,
)
from stepscope.widgets.theme import Theme

AITW = ProtocolInfo(
    "aitw",
    "AitW",
    Task.AUTOMATION,
    "1",
    "paper",
    (
        Option("radius", 0.14, "largest distance", "paper", high=1.0),
        Option("top_k", 3, "candidates", "ours", low=1, high=10),
        Option("swipes", "either", "axis", "code", ("exact", "either")),
    ),
    ("partial",),
)
AITZ = ProtocolInfo("aitz", "AitZ", Task.AUTOMATION, "1", "paper", (), ("type",))


def command(request: EvaluateRequest) -> str:
    options = " ".join(f"-o {name}={value}" for name, value in request.options)
    return f"stepscope evaluate {request.task} --model {request.model} --protocol {request.protocol} {options}".strip()


@pytest.fixture
def form(qtbot: QtBot, themed: object) -> EvaluateForm:
    shown = EvaluateForm(command, lambda _request: "about 7 min", lambda _parent: "picked.jsonl")
    qtbot.addWidget(shown)
    shown.resize(340, 620)
    shown.show()
    qtbot.waitExposed(shown)
    shown.set_task(Task.AUTOMATION, "task automation", [AITW, AITZ])
    shown.set_data([DataChoice("all", "AitZ test", 506), DataChoice("filter", "Current filter", 312)])
    shown.set_models([ModelChoice("pelican-3b", "Pelican 3B"), ModelChoice("big", "Big", why_not="Needs a GPU.")])
    return shown


def field(form: EvaluateForm, name: str) -> object:
    return next(option.widget for option in form.fields.options if option.option.name == name)


def test_options_are_made_from_the_protocol(form: EvaluateForm) -> None:
    radius, top_k, swipes = (field(form, name) for name in ("radius", "top_k", "swipes"))
    assert isinstance(radius, QDoubleSpinBox) and (radius.value(), radius.maximum()) == (0.14, 1.0)
    assert isinstance(top_k, QSpinBox) and (top_k.minimum(), top_k.maximum()) == (1, 10)
    assert isinstance(swipes, QComboBox) and swipes.currentText() == "either"
    assert "from the released code" in swipes.toolTip()


def test_run_tells_all_that_decides_the_run(form: EvaluateForm, qtbot: QtBot) -> None:
    radius = field(form, "radius")
    assert isinstance(radius, QDoubleSpinBox)
    radius.setValue(0.2)
    form.fields.seed.setValue(7)
    form.fields.limit.setValue(20)
    with qtbot.waitSignal(form.run_requested) as told:
        form._run.click()
    assert told.args[0] == EvaluateRequest(
        Task.AUTOMATION,
        "all",
        "pelican-3b",
        "aitw",
        (("radius", 0.2), ("top_k", 3), ("swipes", "either")),
        seed=7,
        limit=20,
    )


def test_the_equal_command_follows_and_can_be_copied(form: EvaluateForm, qtbot: QtBot) -> None:
    form.fields.protocol.setCurrentIndex(1)
    assert form.command() == "stepscope evaluate automation --model pelican-3b --protocol aitz"
    form._copy.click()
    assert QGuiApplication.clipboard().text() == form.command()
    assert form.fields.time.text() == "about 7 min"


def test_ctrl_enter_runs(form: EvaluateForm, qtbot: QtBot) -> None:
    with qtbot.waitSignal(form.run_requested):
        qtbot.keyClick(form, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def test_predictions_need_a_file(form: EvaluateForm, qtbot: QtBot) -> None:
    form.fields.model.setCurrentIndex(form.fields.model.findData(PREDICTIONS))
    assert form.problem() == "Choose the file with the predictions." and not form._run.isEnabled()
    assert form._message.isVisible()
    form.fields.pick.click()
    assert form.problem() == "" and form.request().predictions == "picked.jsonl"
    assert not form.fields.compute.isEnabled()


def test_what_is_missing_is_said_in_place(form: EvaluateForm, qtbot: QtBot) -> None:
    form.set_data([])
    assert form.problem() == "Nothing is open to evaluate on. Open a folder first."
    form.set_data([DataChoice("filter", "Current filter", 0)])
    assert form.problem() == "The chosen data holds no episode."
    form.set_data([DataChoice("all", "AitZ test", 506)])
    form.set_blocked("This model is already at work.")
    assert form._message.text() == "This model is already at work."
    with qtbot.assertNotEmitted(form.run_requested):
        qtbot.keyClick(form, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def test_a_gpu_is_offered_only_where_it_is_reported(form: EvaluateForm) -> None:
    assert [form.fields.compute.itemData(place) for place in range(form.fields.compute.count())] == ["auto", "cpu"]
    form.set_compute([ComputeChoice("cuda:0", "CUDA 0, 24 GB")])
    form.fields.compute.setCurrentIndex(2)
    assert form.request().device == "cuda:0"


def test_a_stand_in_is_called_one(form: EvaluateForm) -> None:
    form.set_models([ModelChoice("nothing", "Do nothing", stand_in=True)], "nothing")
    assert form.fields.stand_in.isVisible()


def test_numbers_can_be_read_in_their_fields(form: EvaluateForm) -> None:
    assert form.fields.seed.lineEdit().width() > 30


def test_a_model_that_loses_to_a_rule_says_so_in_a_line(form: EvaluateForm) -> None:
    words = "Below text-match on UIBert refexp: 0.322 against 0.585"
    form.set_models([ModelChoice("tower", "Tower", against_rules=words), ModelChoice("rule", "Rule")], "tower")
    assert form.fields.against_rules.isVisible() and form.fields.against_rules.text() == words
    form.fields.model.setCurrentIndex(form.fields.model.findData("rule"))
    assert not form.fields.against_rules.isVisible()


def test_instructions_can_be_hidden_from_a_model_for_automation(form: EvaluateForm) -> None:
    box = form.fields.instructions
    assert box.isVisible() and form.request().instructions == "given"
    box.setCurrentIndex(box.findData("both"))
    assert form.request().instructions == "both"
    form.set_predictions("answers.jsonl")
    assert not box.isVisible() and form.request().instructions == "given", "what answered elsewhere saw what it saw"
    form.set_models([ModelChoice("pelican-3b", "Pelican 3B")], "pelican-3b?instructions=hidden")
    assert form.request().instructions == "hidden" and form.request().model == "pelican-3b"
    form.set_task(Task.FEASIBILITY, "feasibility", [replace(AITZ, task=Task.FEASIBILITY)])
    assert not box.isVisible() and form.request().instructions == "given"


def test_labels_and_fields_stand_in_two_columns(form: EvaluateForm) -> None:
    fields = form.fields
    lefts = {label.mapTo(fields, label.rect().topLeft()).x() for label in fields.labels() if label.isVisible()}
    assert lefts == {0}
    combos = [fields.data, fields.protocol, fields.compute, *(option.widget for option in fields.options)]
    assert len({widget.x() for widget in combos}) == 1, "those of the protocol's options as well"
    assert [label.text() for label in fields.labels()][7:10] == ["Radius", "Top k", "Swipes"]


def test_a_warning_stands_with_the_plan(form: EvaluateForm) -> None:
    form.set_plan("52 episodes, 260 items.", "None of these episodes has a UI tree.")
    assert form._warning.isVisible() and form._warning.text() == "None of these episodes has a UI tree."
    assert form._run.isEnabled(), "it can be run all the same"
    form.set_data([])
    assert not form._warning.isVisible(), "what keeps it from running is said instead"
    form.set_plan("")
    assert form._warning.text() == ""


@pytest.mark.parametrize("percent", [80, 150, 200])
def test_no_field_is_cut_at_any_text_size(form: EvaluateForm, qapp: QApplication, qtbot: QtBot, percent: int) -> None:
    apply_theme(qapp, Theme.dark(), percent)
    fields = form.fields
    qtbot.waitUntil(lambda: fields.width() >= fields.minimumSizeHint().width())
    right = max(option.widget.geometry().right() for option in fields.options)
    assert right <= fields.rect().right()
    for label in fields.labels():
        if label.isVisible():
            needed = label.fontMetrics().boundingRect(
                QRect(0, 0, label.width(), 1000), int(Qt.TextFlag.TextWordWrap), label.text()
            )
            assert needed.width() <= label.width() and needed.height() <= label.height(), label.text()


def test_a_runtime_is_offered_where_there_is_a_choice(form: EvaluateForm) -> None:
    form.set_models([ModelChoice("plain", "Plain"), ModelChoice("mine", "Mine", runtimes=("torch", "onnx"))], "mine")
    runtime = form.findChild(QComboBox, "runtime")
    assert runtime.isVisible()
    assert [runtime.itemData(place) for place in range(runtime.count())] == ["auto", "torch", "onnx"]
    runtime.setCurrentIndex(2)
    assert form.request().runtime == "onnx"
    form.fields.model.setCurrentIndex(form.fields.model.findData("plain"))
    assert not runtime.isVisible() and form.request().runtime == "auto"
    form.fill(EvaluateRequest(Task.AUTOMATION, "all", "mine", "aitw", runtime="torch"))
    assert runtime.isVisible() and form.request().runtime == "torch"


PAGES = (
    Option("demos", 0, "Solved pages", "paper", high=7),
    Option("html", "full", "How much of it", "paper", ("full", "relevant")),
    Option("vision", 0, "With pictures", "paper", high=1),
)


@pytest.fixture
def paged(form: EvaluateForm) -> EvaluateForm:
    form.set_models(
        [
            ModelChoice("plain", "Plain"),
            ModelChoice("page:lab/m", "m at lab", settings=PAGES),
            ModelChoice("page:lab/n", "n at lab", settings=PAGES),
        ],
        "plain",
    )
    return form


def setting(form: EvaluateForm, name: str) -> object:
    return next(one.widget for one in form.fields.settings if one.option.name == name)


def test_a_models_settings_are_chosen_beside_it_and_stand_in_its_name(paged: EvaluateForm, qtbot: QtBot) -> None:
    assert paged.fields.settings == [] and "Demos" not in [label.text() for label in paged.fields.labels()]
    paged.fields.model.setCurrentIndex(paged.fields.model.findData("page:lab/m"))
    demos, html, vision = (setting(paged, name) for name in ("demos", "html", "vision"))
    assert isinstance(demos, QSpinBox) and isinstance(html, QComboBox) and isinstance(vision, QCheckBox)
    assert (demos.maximum(), demos.toolTip()) == (7, "Solved pages (from the paper)")
    labels = [label.text() for label in paged.fields.labels()]
    assert labels[labels.index("Model") + 1 :][:3] == ["Demos", "Html", "Vision"]
    assert paged.request().model == "page:lab/m"
    demos.setValue(3)
    vision.setChecked(True)
    assert paged.request().model == "page:lab/m?demos=3&vision=1"
    assert "page:lab/m?demos=3&vision=1" in paged.command() and not paged.problem()
    paged.fields.model.setCurrentIndex(paged.fields.model.findData("page:lab/n"))
    assert paged.request().model == "page:lab/n?demos=3&vision=1"
    paged.fields.model.setCurrentIndex(paged.fields.model.findData("plain"))
    assert paged.fields.settings == [] and paged.request().model == "plain"


def test_a_model_comes_back_with_its_settings(paged: EvaluateForm) -> None:
    paged.set_models(list(paged._models.values()), "page:lab/n?html=relevant")
    assert paged.request().model == "page:lab/n?html=relevant"
    request = EvaluateRequest(Task.AUTOMATION, "all", "page:lab/m?demos=2", "aitw")
    paged.fill(request)
    assert paged.request().model == "page:lab/m?demos=2"
    paged.set_models(list(paged._models.values()), paged.request().model)
    assert paged.request().model == "page:lab/m?demos=2"
    paged.fill(replace(request, model="plain"))
    assert paged.request().model == "plain"
    paged.fill(replace(request, model="page:lab/m?demos=many&what=1"))
    assert paged.request().model == "page:lab/m"


def models(form: EvaluateForm) -> list[str]:
    return [form.fields.model.itemData(place) for place in range(form.fields.model.count())]


def test_models_for_tests_are_behind_a_switch(form: EvaluateForm) -> None:
    form.set_models([ModelChoice("plain", "Plain"), ModelChoice("copy", "Copy", for_tests=True)])
    assert models(form) == ["plain", PREDICTIONS] and form.fields.tests.isVisible()
    form.fields.tests.click()
    assert models(form) == ["plain", "copy", PREDICTIONS]
    form.fields.model.setCurrentIndex(1)
    form.fields.tests.click()
    assert models(form) == ["plain", PREDICTIONS] and form.request().model == "plain"
    form.fill(replace(form.request(), model="copy"))
    assert form.request().model == "copy", "what a preset names is shown"
    form.set_models([ModelChoice("plain", "Plain")])
    assert not form.fields.tests.isVisible()


def test_what_has_no_truth_cannot_be_begun(form: EvaluateForm) -> None:
    form.set_plan("3 episodes.", "", "None of the chosen episodes is labelled as feasible or infeasible.")
    assert "None of the chosen episodes" in form.problem() and not form._run.isEnabled()
    form.set_plan("3 episodes.")
    assert form.problem() == "" and form._run.isEnabled()


def test_run_stays_where_it_is_whatever_is_chosen(form: EvaluateForm, qtbot: QtBot) -> None:
    large = ModelChoice("large", "Large", weights="Weights present: large", stand_in=True)
    form.set_models([ModelChoice("plain", "Plain"), large])
    fields = form.fields

    def places() -> tuple[QPoint, int]:
        return form._run.mapTo(form, QPoint()), fields.protocol.mapTo(fields, QPoint()).y()

    QApplication.processEvents()
    before = places()
    fields.model.setCurrentIndex(fields.model.findData("large"))
    assert fields.weights.text() and fields.stand_in.isVisible()
    QApplication.processEvents()
    assert places() == before, "the room for the weights is kept"
    fields.model.setCurrentIndex(fields.model.findData(PREDICTIONS))
    qtbot.waitUntil(lambda: form._message.isVisible() and places()[0] == before[0])
    fields.model.setCurrentIndex(fields.model.findData("plain"))
    fields.protocol.setCurrentIndex(1)
    qtbot.waitUntil(lambda: not form._message.isVisible() and places()[0] == before[0])


def test_a_cluster_is_chosen_with_address_and_workers(form: EvaluateForm) -> None:
    assert (form.request().cluster, form.request().workers) == ("", None)
    where = form.fields.where
    where.setCurrentIndex(where.findData("cluster"))
    assert (form.request().cluster, form.request().workers) == ("auto", None)
    assert form.fields.address is not None and form.fields.workers is not None
    form.fields.address.setText(" ray://head:10001 ")
    form.fields.workers.setValue(6)
    assert (form.request().cluster, form.request().workers) == ("ray://head:10001", 6)
    form.set_predictions("picked.jsonl")
    assert form.request().cluster == "", "what answered elsewhere is only scored"
    assert form.fields.where.isHidden()


def test_a_form_takes_a_cluster_and_gives_it_up_again(form: EvaluateForm) -> None:
    wanted = replace(form.request(), cluster="10.0.0.1:6379", workers=3)
    form.fill(wanted)
    assert (form.request().cluster, form.request().workers) == ("10.0.0.1:6379", 3)
    form.fill(replace(wanted, cluster="", workers=None))
    assert (form.request().cluster, form.request().workers) == ("", None)


def test_without_ray_no_cluster_can_be_chosen_and_the_reason_is_told(form: EvaluateForm) -> None:
    form.set_where("Ray is not installed.")
    where = form.fields.where
    place = where.findData("cluster")
    assert not where.model().flags(where.model().index(place, 0)) & Qt.ItemFlag.ItemIsEnabled
    assert "Ray is not installed" in where.itemData(place, Qt.ItemDataRole.ToolTipRole)
