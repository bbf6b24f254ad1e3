"""The manifest of a file as far as the file tells it, and what is left to ask: each question once, with what can be
answered.

A draft is the tables of the manifest as TOML has them. What a file cannot tell and what changes every answer (how
colours become numbers, what an output means) is asked; what has a usual value (how a picture is fitted) is set to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stepscope.core.domain.prediction import Task
from stepscope.core.frozen import dataclass
from stepscope.core.own_files import parsed_json
from stepscope.models.own.facts import FileFacts
from stepscope.models.own.manifest import FORMAT, MEANINGS, TASKS
from stepscope.models.own.transformers_folder import TOKENIZER, FolderFacts, int_in
from stepscope.models.runtimes.runtime import TensorFact

VALUES: Mapping[str, Mapping[str, Any]] = {
    "0 to 255": {"scale": 1.0, "mean": [0.0] * 3, "std": [1.0] * 3},
    "0 to 1": {"scale": 1 / 255, "mean": [0.0] * 3, "std": [1.0] * 3},
    "-1 to 1": {"scale": 1 / 255, "mean": [0.5] * 3, "std": [0.5] * 3},
    "ImageNet": {"scale": 1 / 255, "mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]},
    "CLIP": {
        "scale": 1 / 255,
        "mean": [0.48145466, 0.4578275, 0.40821073],
        "std": [0.26862954, 0.26130258, 0.27577711],
    },
}
"""Ways in which colours of 0..255 become numbers, by the names under which people know them."""

NOTHING = "nothing"
"""What an output means that is left alone."""

_USUAL_LENGTH, _USUAL_COUNT = 128, 64
_LONGEST = 8192
_PARTS = {"input_ids": "ids", "attention_mask": "mask", "token_type_ids": "types"}
_INFEASIBLE = ("infeasible", "impossible", "unfeasible")
_DUE = ("ask", "due", "question")
_FILTERS = {2: "bilinear", 3: "bicubic"}
"""Pillow's numbers of filters, as configs of transformers have them."""


@dataclass(frozen=True, slots=True)
class ManifestQuestion:
    """Something that the file does not tell. `field` is its place in the manifest, with dots; `choices` empty: any
    text or number. `usual` is offered."""

    field: str
    words: str
    choices: tuple[str, ...] = ()
    usual: str = ""


def drafted(facts: FileFacts, task: str = "") -> dict[str, Any]:
    """The manifest as far as the file tells it. `task` "" where nobody has said it and the file does not."""
    chosen = task or _told_task(facts)
    form: dict[str, Any] = {"format": FORMAT, "name": _name(facts)}
    form |= {"title": facts.words.get("title", "")[:200], "task": chosen, "file": str(facts.file)}
    form |= {"sha256": facts.sha256, "licence": _licence(facts), "runtime": facts.runtime}
    form["inputs"] = [_input(one, facts, chosen) for one in facts.inputs]
    form["outputs"] = _outputs(facts, chosen)
    form["answer"] = {"threshold": 0.5}
    form["compute"] = {"device": "auto", "precision": "auto", "batch": 16}
    return form


def questions(form: Mapping[str, Any]) -> tuple[ManifestQuestion, ...]:
    """What is left to ask before the draft is a manifest."""
    found: list[ManifestQuestion] = []
    task = form.get("task", "")
    if task not in TASKS:
        return (ManifestQuestion("task", "what the model answers", TASKS),)
    following = [one["name"] for one in followers(form)]
    for one in form.get("inputs", ()):
        if one.get("name") not in following:
            found += _of_input(one, task)
    outputs = form.get("outputs", ())
    for one in outputs:
        found += _of_output(one, task, alone=len(outputs) == 1)
    if task == Task.ASK and not form.get("answer", {}).get("question"):
        words = "what is asked when a question is due"
        found.append(ManifestQuestion("answer.question", words, usual="What exactly do you want me to do?"))
    return tuple(found)


def with_meaning(form: Mapping[str, Any]) -> dict[str, Any]:
    """The tables without outputs that are left alone."""
    kept = [one for one in form.get("outputs", ()) if one.get("means") != NOTHING]
    return {**form, "outputs": kept}


def with_answer(form: Mapping[str, Any], field: str, value: str) -> dict[str, Any]:
    """The draft with a field set, its value as a person writes it: numbers and lists in brackets are read as such.
    `values` of a picture stands for scale, mean and std (`VALUES`). A field that there is not is set all the same:
    whoever reads the manifest says so. Raises ValueError for a place that there is not."""
    copied: dict[str, Any] = {name: _copy(one) for name, one in form.items()}
    *within, name = field.split(".")
    table = copied
    if within and within[0] in ("inputs", "outputs"):
        wanted = ".".join(within[1:])
        found = [one for one in copied.get(within[0], ()) if one.get("name") == wanted]
        if not found:
            known = ", ".join(str(one.get("name")) for one in copied.get(within[0], ()))
            raise ValueError(f"there is no {wanted!r} among {known}")
        table = found[0]
    elif within:
        table = copied.setdefault(within[0], {})
    if name == "values":
        if value not in VALUES:
            raise ValueError(f"{value!r} is none of {', '.join(VALUES)}")
        table |= {key: _copy(one) for key, one in VALUES[value].items()}
        return copied
    table[name] = _parsed(name, value)
    if within and within[0] == "inputs" and name in _SHARED and table.get("part") == "ids":
        for one in followers(copied):
            one[name] = table[name]
    return copied


_SHARED = ("text", "pair", "tokenizer", "length", "padding")
"""What mask and types of a text have in common with its ids."""


def followers(form: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The inputs that are mask or types of the one text that there is: what is said of its ids holds for them."""
    texts = [one for one in form.get("inputs", ()) if one.get("holds") == "text"]
    ids = [one for one in texts if one.get("part", "ids") == "ids"]
    return [one for one in texts if one not in ids] if len(ids) == 1 else []


def _copy(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _copy(one) for name, one in value.items()}
    return [_copy(one) for one in value] if isinstance(value, list) else value


_TEXT_FIELDS = ("name", "title", "licence", "trained_on", "question", "positive", "text", "pair", "file", "tokenizer")


def _parsed(name: str, value: str) -> Any:
    if name in _TEXT_FIELDS:
        return value
    if name == "labels" and not value.lstrip().startswith("["):
        return [one.strip() for one in value.split(",")]
    try:
        return parsed_json(value)
    except ValueError:
        return value


# Inputs -------------------------------------------------------------------------------------------------------------


def _input(fact: TensorFact, facts: FileFacts, task: str) -> dict[str, Any]:
    """The table of one input: what it holds is told by its shape, its numbers and its name."""
    form: dict[str, Any] = {"name": fact.name}
    if facts.folder is not None:
        return form | (_folder_text(fact, facts.folder, task) if facts.folder.is_text else _folder_screen(facts.folder))
    rank = len(fact.shape) if fact.shape is not None else 0
    name = fact.name.lower()
    if rank == 4 or (not rank and any(word in name for word in ("image", "pixel", "picture", "screen"))):
        return form | _screen(fact)
    if "box" in name or (rank == 3 and fact.shape is not None and fact.shape[-1] == 4):
        count = fact.shape[1] if rank == 3 and fact.shape is not None else None
        return form | {"holds": "elements", "count": count or _USUAL_COUNT} | _kind(fact)
    if fact.dtype.startswith("int") or name in _PARTS:
        return form | _text(fact, facts, task)
    return form


def _screen(fact: TensorFact) -> dict[str, Any]:
    form: dict[str, Any] = {"holds": "screen"}
    shape = fact.shape if fact.shape is not None and len(fact.shape) == 4 else (None,) * 4
    layout = "nhwc" if shape[3] in (1, 3) and shape[1] not in (1, 3) else "nchw"
    height, width, channels = (shape[1], shape[2], shape[3]) if layout == "nhwc" else (shape[2], shape[3], shape[1])
    form |= {name: length for name, length in (("width", width), ("height", height)) if length}
    form |= {"fit": "squash", "colours": "grey" if channels == 1 else "rgb", "layout": layout} | _kind(fact)
    return form | (dict(VALUES["0 to 255"]) if fact.dtype and not fact.dtype.startswith("float") else {})


def _kind(fact: TensorFact) -> dict[str, Any]:
    return {"dtype": fact.dtype} if fact.dtype else {}


def _text(fact: TensorFact, facts: FileFacts, task: str) -> dict[str, Any]:
    length = fact.shape[1] if fact.shape is not None and len(fact.shape) == 2 else None
    form: dict[str, Any] = {"holds": "text", "part": _PARTS.get(fact.name.lower(), "ids")}
    beside = facts.file.parent / TOKENIZER
    form |= {"text": _usual_text(task)} if _usual_text(task) else {}
    form |= {"tokenizer": str(beside)} if beside.is_file() else {}
    padding = "fixed" if length else "longest"
    return form | {"length": length or _USUAL_LENGTH, "padding": padding, "dtype": fact.dtype or "int64"}


def _usual_text(task: str) -> str:
    """The text that a task always has, where there is no other."""
    return {"feasibility": "goal", "ordering": "step"}.get(task, "")


def _folder_text(fact: TensorFact, folder: FolderFacts, task: str) -> dict[str, Any]:
    tokens = folder.config
    most = int_in(tokens, "max_position_embeddings", 8, _LONGEST, _USUAL_LENGTH)
    if "Roberta" in folder.architecture:
        most -= 2  # RoBERTa counts places from the padding's id on
    form = {"holds": "text", "part": _PARTS[fact.name], "tokenizer": str(folder.folder / TOKENIZER)}
    form |= {"text": _usual_text(task)} if _usual_text(task) else {}
    pad = int_in(tokens, "pad_token_id", 0, 10_000_000, 0)
    return form | {"length": most, "padding": "longest", "pad": pad, "dtype": "int64"}


def _folder_screen(folder: FolderFacts) -> dict[str, Any]:
    """By preprocessor_config.json, as image processors of transformers read it."""
    told = folder.preprocessor
    form: dict[str, Any] = {"holds": "screen", "layout": "nchw", "dtype": "float32", "colours": "rgb"}
    size, cut = told.get("size"), told.get("crop_size")
    usual = int_in(folder.config, "image_size", 1, 4096, 0)
    sizes = size if isinstance(size, Mapping) else {"height": size, "width": size}
    if told.get("do_center_crop") is True and isinstance(cut, Mapping):
        side = int_in(sizes, "shortest_edge", 1, 4096, 0)
        form |= {"fit": "crop", "width": cut.get("width"), "height": cut.get("height"), "side": side}
    else:
        form |= {"fit": "squash", "width": int_in(sizes, "width", 1, 4096, usual)}
        form["height"] = int_in(sizes, "height", 1, 4096, usual)
    form["filter"] = _FILTERS.get(int_in(told, "resample", 0, 5, 2), "bilinear")
    if "do_rescale" in told or "do_normalize" in told or "image_mean" in told:
        scale = told.get("rescale_factor", 1 / 255) if told.get("do_rescale", True) else 1.0
        form["scale"] = scale if isinstance(scale, int | float) else 1 / 255
        shifted = told.get("do_normalize", True) is True
        form["mean"] = told.get("image_mean") if shifted and "image_mean" in told else [0.0] * 3
        form["std"] = told.get("image_std") if shifted and "image_std" in told else [1.0] * 3
    return {name: value for name, value in form.items() if value not in (0, None)}


def _of_input(form: Mapping[str, Any], task: str) -> list[ManifestQuestion]:
    at = f"inputs.{form.get('name', '')}"
    match form.get("holds"):
        case "screen":
            found = [
                ManifestQuestion(f"{at}.{name}", f"the {name} of the picture that it takes, in pixels")
                for name in ("width", "height")
                if name not in form
            ]
            if "scale" not in form and str(form.get("dtype", "float32")).startswith("float"):
                words = "which numbers the colours become"
                found.append(ManifestQuestion(f"{at}.values", words, tuple(VALUES), "0 to 1"))
            return found
        case "text":
            found = []
            if "text" not in form:
                found.append(ManifestQuestion(f"{at}.text", "which text it takes", _texts(task), _texts(task)[0]))
            if "tokenizer" not in form:
                found.append(ManifestQuestion(f"{at}.tokenizer", "the tokenizer's file (tokenizer.json)"))
            return found
        case "elements":
            return []
        case _:
            return [ManifestQuestion(f"{at}.holds", "what it takes", ("screen", "text", "elements"), "screen")]


def _texts(task: str) -> tuple[str, ...]:
    """The texts that a task has, the likeliest first."""
    if task == Task.ORDERING:
        return ("step", "other step", "goal")
    if task == Task.FEASIBILITY:
        return ("goal", "screen", "app")
    return ("goal", "instruction", "screen", "app") if task == Task.ASK else ("instruction", "goal", "screen", "app")


# Outputs ------------------------------------------------------------------------------------------------------------


def _outputs(facts: FileFacts, task: str) -> list[dict[str, Any]]:
    return [_output(one, facts, task, len(facts.outputs) == 1) for one in facts.outputs]


def _output(fact: TensorFact, facts: FileFacts, task: str, alone: bool) -> dict[str, Any]:
    form: dict[str, Any] = {"name": fact.name}
    size = fact.shape[-1] if fact.shape is not None and len(fact.shape) == 2 else None
    if fact.shape is not None and len(fact.shape) == 1:
        size = 1
    labels = list(facts.folder.labels) if facts.folder is not None else _told_labels(facts.words)
    end = "Softmax" if facts.folder is None and facts.ends.get(fact.name) == "Softmax" else ""
    if task in (Task.FEASIBILITY, Task.ASK) and alone:
        form["means"] = "infeasible" if task == Task.FEASIBILITY else "due"
        if size == 1 and facts.folder is None:
            form |= {"reading": "probability"} if facts.ends.get(fact.name) == "Sigmoid" else {}
        elif size or facts.folder is not None:
            form |= {"reading": "probabilities" if end else "logits"} if end or facts.folder is not None else {}
            form |= {"labels": labels} if labels else {}
            form |= _positive(labels, task)
    elif task == Task.AUTOMATION and alone and facts.folder is None:
        form |= {"means": "point"} if size == 2 else {"means": "box"} if size == 4 else {}
    elif task == Task.AUTOMATION and facts.folder is not None:
        form |= {"means": "kind", "reading": "logits", "labels": labels}
    elif task == Task.ORDERING and alone and facts.ends.get(fact.name) == "Sigmoid" and size == 1:
        form |= {"means": "before", "reading": "probability"}
    return form


def _positive(labels: Sequence[str], task: str) -> dict[str, str]:
    """The label that means yes, where its own word says so."""
    words = _INFEASIBLE if task == Task.FEASIBILITY else _DUE
    found = [one for one in labels if one.lower().replace("_", " ").strip() in words]
    return {"positive": found[0]} if len(found) == 1 else {}


def _of_output(form: Mapping[str, Any], task: str, *, alone: bool) -> list[ManifestQuestion]:
    at = f"outputs.{form.get('name', '')}"
    meanings = MEANINGS[Task(task)]
    means = str(form.get("means", ""))
    if means == NOTHING and not alone:
        return []
    if means not in meanings:
        choices = tuple(meanings) if alone else (*meanings, NOTHING)
        return [ManifestQuestion(f"{at}.means", "what it means", choices, choices[0])]
    found = []
    reading = form.get("reading")
    if reading not in meanings[means]:
        words = "in what a place is counted" if means in ("point", "box") else "how its numbers are read"
        found.append(ManifestQuestion(f"{at}.reading", words, meanings[means], meanings[means][0]))
    many = reading in ("probabilities", "logits")
    if (many or means == "kind") and not form.get("labels"):
        found.append(ManifestQuestion(f"{at}.labels", "its classes in their order, with commas between"))
    if many and means in ("infeasible", "due") and form.get("positive") not in (form.get("labels") or ()):
        words = "which of them means infeasible" if means == "infeasible" else "which of them means that it asks"
        found.append(ManifestQuestion(f"{at}.positive", words, tuple(form.get("labels") or ())))
    return found


# Words --------------------------------------------------------------------------------------------------------------


def _told_task(facts: FileFacts) -> str:
    found = facts.words.get("stepscope.task", "")
    return found if found in TASKS else ""


def _told_labels(words: Mapping[str, str]) -> list[str]:
    """Labels in the table inside an ONNX file: a list in JSON, or words with commas between."""
    told = words.get("labels", "")
    try:
        found = parsed_json(told) if told.lstrip().startswith("[") else told.split(",")
    except ValueError:
        return []
    ok = isinstance(found, list) and all(isinstance(one, str) and one.strip() for one in found)
    return [one.strip() for one in found] if ok else []


def _licence(facts: FileFacts) -> str:
    """As the table inside an ONNX file says it, or the head of a folder's card (README.md, `license: …`)."""
    told = facts.words.get("license", facts.words.get("licence", ""))
    if told or facts.folder is None:
        return told[:200]
    try:
        with (facts.folder.folder / "README.md").open(encoding="utf-8") as stream:
            lines = [stream.readline(300) for _ in range(60)]
    except (OSError, UnicodeDecodeError):
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("license:")), "")


def _name(facts: FileFacts) -> str:
    """The file's name without what a model's name cannot have."""
    stem = facts.file.name if facts.folder is not None else Path(facts.file.name).stem
    plain = "".join(one if one.isalnum() or one in "_.-" else "-" for one in stem).strip(".-")
    return plain[:100] or "own-model"
