"""The manifest of a person's own model, `stepscope-model.toml`: what goes in, what comes out, what it means.

Every word that has a meaning here stands in one of the closed lists below; docs/models/own.md explains them.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.limits import limit, written_figure
from stepscope.core.regular_files import open_regular
from stepscope.models.learned.card import NAME
from stepscope.models.own.action_words import action_of_word, needs_place
from stepscope.models.own.fields import ManifestFields

MANIFEST = "stepscope-model.toml"
FORMAT = 1

RUNTIMES = ("onnx", "torchscript", "transformers")
HOLDS = ("screen", "text", "elements")
"""What an input can be: a picture, tokens of a text, the boxes of the elements that can be acted on."""
FITS = ("squash", "letterbox", "crop")
COLOURS = ("rgb", "bgr", "grey")
LAYOUTS = ("nchw", "nhwc")
FILTERS = ("bilinear", "bicubic")
WHICH = ("last", "first")
"""Of an episode's screens."""
TEXTS = ("goal", "instruction", "screen", "app", "step", "other step")
"""Sources of texts; the last two are the steps to be ordered."""
PARTS = ("ids", "mask", "types")
PADDINGS = ("longest", "fixed")
DTYPES = ("float32", "float16", "uint8", "int64", "int32")
BOXES = ("corners", "centre and size")
"""How four numbers are a box: left, top, right, bottom; or the middle's x, y, then width, height."""
POINTS = ("unit", "pixels", "thousandths")
"""In what a place on the picture is counted: 0..1 of it, its own pixels, 0..1000 of it."""
CHANCES = ("probability", "logit", "probabilities", "logits")
"""One number, or one a label; probabilities as they are, or logits that become some."""
ORDERS = ("smallest first", "largest first")

MEANINGS: Mapping[Task, Mapping[str, tuple[str, ...]]] = {
    Task.FEASIBILITY: {"infeasible": CHANCES},
    Task.ASK: {"due": CHANCES},
    Task.AUTOMATION: {"point": POINTS, "box": POINTS, "element": ("scores",), "kind": ("logits", "probabilities")},
    Task.ORDERING: {"place": ORDERS, "before": ("probability", "logit")},
}
"""What an output can mean in each task, and in which ways it can be read."""

TASKS = tuple(task.value for task in MEANINGS)

_LARGEST_SIDE, _LONGEST_TEXT, _MOST_ELEMENTS, _MOST_LABELS, _MOST_BATCH = 4096, 8192, 1000, 1000, 4096
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class ScreenInput:
    """A picture of `width` × `height`, its colours times `scale`, less `mean`, by `std`. `which` screen of an episode;
    a step's is its own."""

    name: str
    width: int
    height: int
    fit: str = "squash"
    colours: str = "rgb"
    layout: str = "nchw"
    dtype: str = "float32"
    scale: float = 1.0
    mean: tuple[float, ...] = (0.0, 0.0, 0.0)
    std: tuple[float, ...] = (1.0, 1.0, 1.0)
    filter: str = "bilinear"
    side: int | None = None
    which: str = "last"


@dataclass(frozen=True, slots=True)
class TokensInput:
    """Tokens of a text, of a pair of texts where `pair` names the second; `part` says which of the tokenizer's rows.
    `padding` longest pads to the longest of a batch, fixed to `length`."""

    name: str
    text: str
    tokenizer: str
    length: int
    pair: str = ""
    part: str = "ids"
    padding: str = "longest"
    pad: int = 0
    dtype: str = "int64"


@dataclass(frozen=True, slots=True)
class ElementsInput:
    """Boxes of the first `count` elements that can be acted on, `count` × 4 numbers in fractions of the screen; the
    rest is zeros."""

    name: str
    count: int
    boxes: str = "corners"
    dtype: str = "float32"


Input = ScreenInput | TokensInput | ElementsInput


@dataclass(frozen=True, slots=True)
class Output:
    """`reading` is one of `MEANINGS`. `labels` are the model's classes in order; `positive` the one that means
    infeasible, or that a question is due. `inverse`: a single number is the chance of the contrary. `boxes` as those of
    `ElementsInput`."""

    name: str
    means: str
    reading: str
    labels: tuple[str, ...] = ()
    positive: str = ""
    inverse: bool = False
    boxes: str = "corners"


@dataclass(frozen=True, slots=True)
class Manifest:
    """`file` is a path relative to the manifest's folder, or absolute; `sha256` that of the model's files
    (`models.runtimes.weight_digest`). `threshold` is the chance from which the answer is yes, `question` what is asked
    then. `name` may be "" before the model is added."""

    name: str
    task: Task
    file: str
    runtime: str
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    sha256: str = ""
    title: str = ""
    licence: str = ""
    trained_on: str = ""
    threshold: float = 0.5
    question: str = ""
    device: str = "auto"
    precision: str = "auto"
    batch: int = 16

    def output(self, means: str) -> Output | None:
        """The output with this meaning."""
        return next((one for one in self.outputs if one.means == means), None)

    def place_of(self, means: str) -> int:
        """Its place among the outputs."""
        return next(place for place, one in enumerate(self.outputs) if one.means == means)

    @property
    def screen(self) -> ScreenInput | None:
        """The input that is a picture, where there is one."""
        return next((one for one in self.inputs if isinstance(one, ScreenInput)), None)

    @property
    def elements(self) -> ElementsInput | None:
        """The input of elements' boxes, where there is one."""
        return next((one for one in self.inputs if isinstance(one, ElementsInput)), None)

    @property
    def texts(self) -> tuple[TokensInput, ...]:
        return tuple(one for one in self.inputs if isinstance(one, TokensInput))


def read_form(file: Path) -> dict[str, Any]:
    """The tables of a manifest's file, not looked at. Raises UserError naming the file."""
    hint = "Name a manifest that `stepscope models add` wrote, or make one with --template."
    try:
        with open_regular(file) as stream:
            data = stream.read((most := limit("own-file-bytes")) + 1)
        if len(data) > most:
            raise ValueError(f"it has more than {written_figure('bytes', most)}")
        return tomllib.loads(data.decode("utf-8"))
    except FileNotFoundError as error:
        raise UserError("there is no manifest here.", place=file, hint=hint) from error
    except (OSError, ValueError, RecursionError) as error:  # TOML's own error is a ValueError
        words = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise UserError(f"cannot be read: {words[:200].rstrip('.')}.", place=file, hint=hint) from error


def read_manifest(file: Path) -> Manifest:
    """The manifest in a file. Raises UserError naming the file and the field."""
    return parse(read_form(file), file)


def parse(form: Mapping[str, Any], place: Path | str) -> Manifest:
    """The manifest that these tables are. Raises UserError naming `place` and the field."""
    top = ManifestFields(form, place)
    if top.whole("format", FORMAT, 1, 999) != FORMAT:
        raise top.wrong("format", f"is {form['format']}, and this version reads {FORMAT}")
    name = top.text("name", "")
    if name and NAME.fullmatch(name) is None:
        raise top.wrong("name", f"{name[:60]!r} is none that a model can have")
    digest = top.text("sha256", "")
    if digest and _SHA256.fullmatch(digest) is None:
        raise top.wrong("sha256", "is no SHA-256 in hex")
    task = Task(top.choice("task", TASKS))
    answer, compute = top.table("answer"), top.table("compute")
    manifest = Manifest(
        name=name,
        task=task,
        file=top.text("file"),
        runtime=top.choice("runtime", RUNTIMES),
        inputs=tuple(_input(one) for one in top.tables("inputs")),
        outputs=tuple(_output(one, task) for one in top.tables("outputs")),
        sha256=digest,
        title=top.text("title", ""),
        licence=top.text("licence", ""),
        trained_on=top.text("trained_on", ""),
        threshold=answer.number("threshold", 0.5, 0.0, 1.0),
        question=answer.text("question", ""),
        device=compute.text("device", "auto"),
        precision=compute.choice("precision", ("auto", "float32", "float16", "bfloat16"), "auto"),
        batch=compute.whole("batch", 16, 1, _MOST_BATCH),
    )
    for one in (answer, compute, top):
        one.all_known()
    _check(manifest, top)
    return manifest


def _input(fields: ManifestFields) -> Input:
    kind = fields.choice("holds", HOLDS)
    found: Input = _screen(fields) if kind == "screen" else _text(fields) if kind == "text" else _elements(fields)
    fields.all_known()
    return found


def _screen(fields: ManifestFields) -> ScreenInput:
    mean, std = fields.triple("mean", (0.0,) * 3), fields.triple("std", (1.0,) * 3)
    if any(abs(one) < 1e-9 for one in std):
        raise fields.wrong("std", "has a zero, by which nothing can be divided")
    dtype = fields.choice("dtype", DTYPES, "float32")
    # Of fractions nobody can tell whether they are 0..1 or 0..255, and on that every answer hangs.
    scale = fields.number("scale", None if dtype[0] == "f" else 1.0, -1e6, 1e6)
    if dtype[0] != "f" and (scale, set(mean), set(std)) != (1.0, {0.0}, {1.0}):
        raise fields.wrong("scale", f"must be 1, mean 0 and std 1 for numbers of {dtype}")
    side = fields.whole("side", 0, 0, _LARGEST_SIDE)
    fit = fields.choice("fit", FITS, "squash")
    found = ScreenInput(
        fields.text("name"),
        fields.whole("width", None, 1, _LARGEST_SIDE),
        fields.whole("height", None, 1, _LARGEST_SIDE),
        fit,
        fields.choice("colours", COLOURS, "rgb"),
        fields.choice("layout", LAYOUTS, "nchw"),
        dtype,
        scale,
        mean,
        std,
        fields.choice("filter", FILTERS, "bilinear"),
        side or None,
        fields.choice("which", WHICH, "last"),
    )
    if fit == "crop" and (found.side or min(found.width, found.height)) < max(found.width, found.height):
        raise fields.wrong("side", "must be at least width and height where the middle is cut out")
    return found


def _text(fields: ManifestFields) -> TokensInput:
    return TokensInput(
        fields.text("name"),
        fields.choice("text", TEXTS),
        fields.text("tokenizer"),
        fields.whole("length", None, 1, _LONGEST_TEXT),
        fields.choice("pair", ("", *TEXTS), ""),
        fields.choice("part", PARTS, "ids"),
        fields.choice("padding", PADDINGS, "longest"),
        fields.whole("pad", 0, 0, 10_000_000),
        fields.choice("dtype", DTYPES, "int64"),
    )


def _elements(fields: ManifestFields) -> ElementsInput:
    return ElementsInput(
        fields.text("name"),
        fields.whole("count", None, 1, _MOST_ELEMENTS),
        fields.choice("boxes", BOXES, "corners"),
        fields.choice("dtype", ("float32", "float16"), "float32"),
    )


def _output(fields: ManifestFields, task: Task) -> Output:
    means = fields.choice("means", tuple(MEANINGS[task]))
    found = Output(
        fields.text("name"),
        means,
        fields.choice("reading", MEANINGS[task][means]),
        fields.texts("labels", _MOST_LABELS),
        fields.text("positive", ""),
        fields.flag("inverse"),
        fields.choice("boxes", BOXES, "corners"),
    )
    fields.all_known()
    chance = means in ("infeasible", "due")
    if chance and found.reading in ("probabilities", "logits"):
        if len(found.labels) < 2:
            raise fields.wrong("labels", "must name the classes in their order")
        if found.positive not in found.labels:
            words = "infeasible" if means == "infeasible" else "that a question is due"
            raise fields.wrong("positive", f"must be the one of the labels that means {words}")
    if means == "kind":
        if not found.labels:
            raise fields.wrong("labels", "must name the kinds of action in their order")
        for label in found.labels:
            if action_of_word(label) is None and not needs_place(label):
                raise fields.wrong("labels", f"have {label[:60]!r}, which is no kind of action")
    return found


def _check(manifest: Manifest, top: ManifestFields) -> None:
    """What only the whole tells. Raises UserError."""
    for what, found in (("inputs", manifest.inputs), ("outputs", manifest.outputs)):
        if not found:
            raise top.wrong(what, "are missing")
        if len({one.name for one in found}) < len(found):
            raise top.wrong(what, "have one name twice")
    meanings = [one.means for one in manifest.outputs]
    if len(set(meanings)) < len(meanings):
        raise top.wrong("outputs", "have one meaning twice")
    if len([one for one in manifest.inputs if isinstance(one, ScreenInput)]) > 1:
        raise top.wrong("inputs", "have two pictures, and one is shown")
    if "element" in meanings and manifest.elements is None:
        raise top.wrong("inputs", "lack the boxes of the elements among which the model chooses")
    if "point" in meanings and manifest.screen is None:
        raise top.wrong("inputs", "lack the picture on which the model names a place")
    _check_texts(manifest, top)
    if manifest.task is Task.ASK and not manifest.question.strip():
        raise top.wrong("answer.question", "is missing: what is asked when a question is due")
    if not math.isfinite(manifest.threshold):
        raise top.wrong("answer.threshold", "must be a finite number")


def _check_texts(manifest: Manifest, top: ManifestFields) -> None:
    """Each task has texts of its own."""
    used = {source for one in manifest.texts for source in (one.text, one.pair) if source}
    if manifest.task is Task.ORDERING:
        allowed = {"goal", "step", "other step"} if manifest.output("before") else {"goal", "step"}
        wanted = {"step", "other step"} if manifest.output("before") else {"step"}
        if len(manifest.outputs) != 1:
            raise top.wrong("outputs", "must be one: where a step stands, or which of two comes before")
    else:
        allowed, wanted = {"goal", "screen", "app"}, set[str]()
        if manifest.task is not Task.FEASIBILITY:
            allowed.add("instruction")
    if strange := sorted(used - allowed):
        raise top.wrong("inputs", f"take the text {strange[0]!r}, which {manifest.task} has not")
    if wanted - used and not (manifest.screen and wanted == {"step"}):
        raise top.wrong("inputs", f"lack the text of {' and '.join(sorted(wanted - used))}")
    if manifest.task is Task.ORDERING and manifest.elements is not None:
        raise top.wrong("inputs", "take elements, which steps to be ordered have not")
