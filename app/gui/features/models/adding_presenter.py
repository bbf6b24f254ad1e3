"""A model on its way in as its page shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from stepscope.app.gui.features.models.removal import removal_words
from stepscope.app.gui.features.models.server_draft import name_of_server
from stepscope.app.gui.shell.task_titles import TASK_TITLES
from stepscope.core.domain.action import action_point
from stepscope.core.domain.model_name import LOCAL, PAGES, SERVED, split_name
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.limits import BYTES, written_figure
from stepscope.widgets.common.action_words import action_words
from stepscope.widgets.models.adding import (
    AddModelState,
    FoundModel,
    ListedModel,
    ManifestGroup,
    ManifestRow,
    ShownPicture,
    ShownTensor,
    ShownTrial,
)
from stepscope.widgets.models.item_model import BELOW_RULES

if TYPE_CHECKING:
    from stepscope.app.services import coordinate_check
    from stepscope.app.services.adding_models import ModelDraft
    from stepscope.app.services.agent_trials import AgentTrial
    from stepscope.app.services.model_trials import ModelTrial, TensorShown
    from stepscope.core.domain.geometry import Point
    from stepscope.models.chat import servers
    from stepscope.models.chat.servers import ChatServer
    from stepscope.models.checkpoints import checkpoint, facts
    from stepscope.models.checkpoints.checkpoint import Checkpoint
    from stepscope.models.own import draft, manifest
    from stepscope.models.registry import InstalledModel, Registry
    from stepscope.models.runtimes.runtime import TensorFact
else:
    coordinate_check = lazy_module("stepscope.app.services.coordinate_check")
    servers = lazy_module("stepscope.models.chat.servers")
    checkpoint = lazy_module("stepscope.models.checkpoints.checkpoint")
    facts = lazy_module("stepscope.models.checkpoints.facts")
    draft, manifest = lazy_module("stepscope.models.own.draft"), lazy_module("stepscope.models.own.manifest")

CHECKPOINTS = "Checkpoints"
OWN_FILES, TRAINED, SERVERS, PACKAGES = "Own files", "Trained here", "Servers", "Packages"
SHIPPED = "Shipped with Stepscope"
_GROUPS = (OWN_FILES, CHECKPOINTS, TRAINED, SERVERS, SHIPPED, PACKAGES)
_RUNTIMES = {"onnx": "ONNX", "torchscript": "TorchScript", "transformers": "transformers folder"}
_WORDS = {
    "holds": "Holds", "width": "Width", "height": "Height", "values": "Numbers", "fit": "Fitted by",
    "colours": "Colours", "layout": "Layout", "which": "Which screen", "text": "Text", "pair": "Second text",
    "tokenizer": "Tokenizer", "part": "Tokens", "length": "Length", "padding": "Padding", "count": "Elements",
    "boxes": "Boxes", "means": "Means", "reading": "Read as", "labels": "Classes", "positive": "Means yes",
    "task": "Task", "name": "Name", "licence": "Licence", "threshold": "Threshold", "question": "Question",
    "device": "Device", "precision": "Precision", "batch": "Batch",
}  # fmt: skip
AS_WRITTEN, NONE = "as the manifest says", "none"
"""Choices that stand for no value of the manifest."""
_MOST_NUMBERS = 8
_ASKED = (LOCAL, SERVED, PAGES)
"""How names of models begin that are asked in words: one for each task."""


def listed_models(found: Registry) -> tuple[ListedModel, ...]:
    """All models by where they come from; a checkpoint or a server is one, whatever it is asked about."""
    others = (_listed(one) for name, one in found.models.items() if not name.startswith(_ASKED))
    rows = (*others, *map(_listed_checkpoint, checkpoint.load()), *map(_listed_server, servers.load()))
    return tuple(sorted(rows, key=lambda row: _GROUPS.index(row.group)))


def _listed_checkpoint(one: Checkpoint) -> ListedModel:
    try:
        found = facts.facts_of(one)
    except UserError:
        return ListedModel(f"{LOCAL}{one.name}", "its folder cannot be read", CHECKPOINTS)
    return ListedModel(f"{LOCAL}{one.name}", f"{found.family} · {written_figure(BYTES, found.bytes)}", CHECKPOINTS)


def _listed_server(one: ChatServer) -> ListedModel:
    return ListedModel(name_of_server(one), urlsplit(one.url).netloc, SERVERS)


def _listed(model: InstalledModel) -> ListedModel:
    from stepscope.models.learned.real_sets import below_words

    below = below_words(model.trained.card.real) if model.trained is not None else ""
    parts = (TASK_TITLES[model.info.task], BELOW_RULES if below else "")
    return ListedModel(model.info.name, " · ".join(filter(None, parts)), _group(model), below)


def _group(model: InstalledModel) -> str:
    from stepscope.models.catalog import CATALOG

    if model.own is not None:
        return OWN_FILES
    if model.trained is not None:
        return SHIPPED if model.trained.shipped else TRAINED
    return SHIPPED if any(entry.info.name == split_name(model.info.name)[0] for entry in CATALOG) else PACKAGES


def state_of(model: ModelDraft, command: str, *, can_add: bool) -> AddModelState:
    """The page of a draft. `command` is its equal command line."""
    asked = {one.field: one.words for one in model.questions}
    missing = "" if not asked else "Still to say: " + "; ".join(dict.fromkeys(asked.values())) + "."
    form = model.form
    return AddModelState(
        str(model.facts.file),
        _found(model),
        where=(_plain(form, "name"), _plain(form, "licence", tip="Kept with the model and shown with it")),
        speaks=(ManifestGroup("", "", (_task(form, asked),)), *_inputs(model, asked), *_outputs(model, asked),
                *_answer(form, asked)),
        runs=_runs(form),
        missing=missing,
        command=command,
        can_try=not asked,
        can_add=can_add and not asked,
    )  # fmt: skip


def trained_state(path: str, name: str, task: str, command: str) -> AddModelState:
    """The page of a folder that training wrote: it says all itself."""
    found = FoundModel(name, f"trained by Stepscope for {task}", ("card, weights and recipe belong together",))
    return AddModelState(path, found, command=command, can_add=True)


def known_state(model: InstalledModel) -> AddModelState:
    """The page of a model that says all itself, and of which nothing is changed here."""
    info, own = model.info, model.own
    place = own.place if own is not None else model.trained.folder if model.trained is not None else None
    told = {
        "Task": TASK_TITLES[info.task],
        "Does": info.description,
        "From": info.source,
        "Licence": own.manifest.licence if own is not None else "",
        "Trained on": info.trained_on or "",
        "Devices": ", ".join(info.devices),
        "Weights": info.weights_from if info.weights != "none" else "",
    }
    rows = tuple(ManifestRow(name.lower(), name, words, fixed=True) for name, words in told.items() if words)
    trouble = "Its weights are not here." if info.weights == "absent" else ""
    path = "" if place is None else str(place)
    return AddModelState(path, None, trouble=trouble, where=rows, title=info.name, removal=removal_words(model))


def _found(model: ModelDraft) -> FoundModel:
    facts = model.facts
    size = sum(one.stat().st_size for one in facts.files if one.is_file())
    title = facts.folder.architecture if facts.folder is not None else facts.file.name
    checks = ["no code in it is run", f"SHA-256 {facts.sha256[:16]}…"]
    if facts.runtime == "torchscript":
        checks[0] = "its program only computes"
    if model.told:
        checks.append(f"manifest {model.told}")
    return FoundModel(title, f"{_RUNTIMES[facts.runtime]}, {written_figure(BYTES, size)}", tuple(checks))


# Fields -------------------------------------------------------------------------------------------------------------


def _task(form: Mapping[str, Any], asked: Mapping[str, str]) -> ManifestRow:
    return _choice("task", str(form.get("task", "")), manifest.TASKS, asked)


def _inputs(model: ModelDraft, asked: Mapping[str, str]) -> list[ManifestGroup]:
    facts = {one.name: one for one in model.facts.inputs}
    task = str(model.form.get("task", ""))
    following = [one["name"] for one in draft.followers(model.form)]
    return [
        ManifestGroup(f"in: {one.get('name', '')}", _fact(facts.get(one.get("name", ""))),
                   tuple(_input_rows(one, task, asked)))
        for one in model.form.get("inputs", ()) if task and one.get("name") not in following
    ]  # fmt: skip


def _input_rows(form: Mapping[str, Any], task: str, asked: Mapping[str, str]) -> list[ManifestRow]:
    at = f"inputs.{form.get('name', '')}."
    found = [_choice(f"{at}holds", str(form.get("holds", "")), manifest.HOLDS, asked)]
    match form.get("holds"):
        case "screen":
            found += [_written(f"{at}{name}", form.get(name, ""), asked) for name in ("width", "height")]
            if str(form.get("dtype", "float32")).startswith("float"):  # others take the colours as they are
                found.append(_values(at, form, asked))
            found += [_choice(f"{at}{name}", str(form.get(name, usual)), choices, asked) for name, usual, choices in (
                ("fit", "squash", manifest.FITS), ("colours", "rgb", manifest.COLOURS),
                ("layout", "nchw", manifest.LAYOUTS))]  # fmt: skip
            if task == "feasibility":
                found.append(_choice(f"{at}which", str(form.get("which", "last")), manifest.WHICH, asked))
        case "text":
            texts = tuple((one, one) for one in manifest.TEXTS)
            found.append(_row(f"{at}text", str(form.get("text", "")), texts, asked))
            found.append(_row(f"{at}pair", str(form.get("pair", "")) or NONE, ((NONE, NONE), *texts), asked))
            found.append(_row(f"{at}tokenizer", str(form.get("tokenizer", "")), (), asked, file=True))
            found.append(_choice(f"{at}part", str(form.get("part", "ids")), manifest.PARTS, asked))
            found.append(_written(f"{at}length", form.get("length", ""), asked))
            found.append(_choice(f"{at}padding", str(form.get("padding", "longest")), manifest.PADDINGS, asked))
        case "elements":
            found.append(_written(f"{at}count", form.get("count", ""), asked))
            found.append(_choice(f"{at}boxes", str(form.get("boxes", "corners")), manifest.BOXES, asked))
    return found


def _values(at: str, form: Mapping[str, Any], asked: Mapping[str, str]) -> ManifestRow:
    """The name of the way in which colours become numbers, where it has one."""
    names = tuple(draft.VALUES)
    if "scale" not in form:
        return _choice(f"{at}values", "", names, asked)
    told = {"mean": [0.0] * 3, "std": [1.0] * 3} | {
        name: form[name] for name in ("scale", "mean", "std") if name in form
    }
    value = next((name for name, one in draft.VALUES.items() if one == told), AS_WRITTEN)
    return _choice(f"{at}values", value, names if value in names else (*names, AS_WRITTEN), asked)


def _outputs(model: ModelDraft, asked: Mapping[str, str]) -> list[ManifestGroup]:
    facts = {one.name: one for one in model.facts.outputs}
    task = str(model.form.get("task", ""))
    outputs = model.form.get("outputs", ())
    return [
        ManifestGroup(f"out: {one.get('name', '')}", _fact(facts.get(one.get("name", ""))),
                   tuple(_output_rows(one, task, asked, alone=len(outputs) == 1)))
        for one in outputs if task
    ]  # fmt: skip


def _output_rows(form: Mapping[str, Any], task: str, asked: Mapping[str, str], *, alone: bool) -> list[ManifestRow]:
    at, meanings = f"outputs.{form.get('name', '')}.", manifest.MEANINGS[Task(task)]
    means = str(form.get("means", ""))
    choices = tuple(meanings) if alone else (*meanings, draft.NOTHING)
    found = [_choice(f"{at}means", means, choices, asked)]
    if means not in meanings:
        return found
    reading = str(form.get("reading", ""))
    found.append(_choice(f"{at}reading", reading, meanings[means], asked))
    labels = [str(one) for one in form.get("labels") or ()]
    if reading in ("probabilities", "logits") or means == "kind":
        found.append(_row(f"{at}labels", ", ".join(labels), (), asked, tip="In their order, with commas between"))
        if means != "kind" and labels:
            found.append(_choice(f"{at}positive", str(form.get("positive", "")), tuple(labels), asked))
    if means == "box":
        found.append(_choice(f"{at}boxes", str(form.get("boxes", "corners")), manifest.BOXES, asked))
    return found


def _answer(form: Mapping[str, Any], asked: Mapping[str, str]) -> list[ManifestGroup]:
    answer, task = form.get("answer", {}), form.get("task")
    if task not in ("feasibility", "ask"):
        return []
    rows = [_written("answer.threshold", answer.get("threshold", 0.5), asked)]
    if task == "ask":
        rows.append(_row("answer.question", str(answer.get("question", "")), (), asked))
    return [ManifestGroup("answer", "", tuple(rows))]


def _runs(form: Mapping[str, Any]) -> tuple[ManifestRow, ...]:
    compute = form.get("compute", {})
    precisions = ("auto", "float32", "float16", "bfloat16")
    rows = [_choice("compute.device", str(compute.get("device", "auto")), ("auto", "cpu", "cuda"), {})]
    if form.get("runtime") != "onnx":
        rows.append(_choice("compute.precision", str(compute.get("precision", "auto")), precisions, {}))
    return (*rows, _written("compute.batch", compute.get("batch", 16), {}))


def _plain(form: Mapping[str, Any], name: str, tip: str = "") -> ManifestRow:
    return ManifestRow(name, _WORDS[name], str(form.get(name, "")), tip=tip)


def _choice(field: str, value: str, choices: tuple[str, ...], asked: Mapping[str, str]) -> ManifestRow:
    return _row(field, value, tuple((one, one) for one in choices), asked)


def _written(field: str, value: Any, asked: Mapping[str, str]) -> ManifestRow:
    return _row(field, str(value), (), asked)


def _row(
    field: str, value: str, choices: tuple[tuple[str, str], ...], asked: Mapping[str, str], *, file: bool = False,
    tip: str = "",
) -> ManifestRow:  # fmt: skip
    words = _WORDS[field.rpartition(".")[2]]
    return ManifestRow(field, words, value, choices, field in asked, file, asked.get(field, tip))


def _fact(fact: TensorFact | None) -> str:
    if fact is None:
        return ""
    shape = "" if fact.shape is None else " × ".join("n" if one is None else str(one) for one in fact.shape)
    return f"{shape} {fact.dtype}".strip()


# The trial ----------------------------------------------------------------------------------------------------------


def shown_trial(trial: ModelTrial, answer: str) -> ShownTrial:
    """The trial in words; `answer` is what its prediction says."""
    pictures = []
    if trial.picture is not None:
        pictures.append(ShownPicture("Picture as sent", trial.picture))
    if trial.screenshot is not None:
        pictures.append(ShownPicture("On the screen", trial.screenshot, trial.point, trial.reference_point))
    item = trial.episode if trial.step is None else f"{trial.episode}, step {trial.step}"
    return ShownTrial(
        item,
        trial.goal,
        tuple(map(_shown, trial.inputs)),
        tuple(map(_shown, trial.outputs)),
        trial.texts,
        tuple(pictures),
        answer,
        trial.problem,
        f"{trial.load_seconds:.2f} s to load, {trial.answer_seconds:.3f} s to answer. {trial.device}",
    )


def shown_agent_trial(trial: AgentTrial) -> ShownTrial:
    """The trial of an agent in words: the prompt as it was sent, what it said, what that means, in every space."""
    prediction, call = trial.prediction, trial.call
    said = "" if call is None else "; ".join(f"{one.x:g}, {one.y:g}" for one in call.said)
    texts = [] if call is None else [
        (message.role, "\n".join(part if isinstance(part, str) else "<picture>" for part in message.parts))
        for message in call.messages
    ]  # fmt: skip
    texts.append(("raw output", prediction.raw or "nothing"))
    if said:
        texts.append(("as said", said))
    texts += [
        (f"as {coordinate_check.space_words(one.space, trial.adapter)}",
         one.problem or (_place(one.point) if one.point is not None else "no place") + _right(one.right))
        for one in trial.readings if one.point is not None or one.problem
    ]  # fmt: skip
    pictures = []
    point = None if prediction.action is None else action_point(prediction.action)
    wanted = None if trial.reference is None else action_point(trial.reference)
    if trial.picture is not None and trial.sent is not None:
        title = f"As sent, {trial.sent}"
        pictures.append(ShownPicture(title, trial.picture, None if point is None else point.fraction))
    if trial.screenshot is not None:
        title = f"On the screen, {trial.recorded}"
        marks = (None if point is None else point.fraction, None if wanted is None else wanted.fraction)
        pictures.append(ShownPicture(title, trial.screenshot, *marks))
    words = "" if prediction.action is None else action_words(prediction.action).word
    right = _right(None if trial.score.value is None else trial.score.right)
    answer = " ".join(filter(None, (words, "" if point is None else f"at {_place(point)}", right)))
    tokens = "" if call is None or call.tokens_out is None else f", {call.tokens_out:,} tokens"
    device = "" if call is None else " ".join(value for name, value in call.settings if name in ("device", "dtype"))
    return ShownTrial(
        f"{trial.episode}, step {trial.step}",
        trial.goal,
        (),
        (),
        tuple(texts),
        tuple(pictures),
        answer if prediction.action is not None else "",
        "" if prediction.action is not None else prediction.why,
        f"{trial.load_seconds:.1f} s to load, {trial.answer_seconds:.1f} s to answer{tokens}. {device}".strip(),
    )


def _place(point: Point) -> str:
    return f"{point.x:.0f}, {point.y:.0f}"


def _right(right: bool | None) -> str:
    return {True: " (right)", False: " (wrong)", None: ""}[right]


def _shown(tensor: TensorShown) -> ShownTensor:
    numbers = " ".join(f"{one:.4g}" for one in tensor.numbers[:_MOST_NUMBERS])
    spread = f"{tensor.dtype}, {tensor.low:.4g} to {tensor.high:.4g}"
    return ShownTensor(
        tensor.name, " × ".join(map(str, tensor.shape)), spread if tensor.usable else f"{spread}, and NaN", numbers
    )
