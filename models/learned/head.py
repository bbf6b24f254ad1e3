"""A trained network behind one call, in torch or in ONNX Runtime.

On a processor the faster of the two is taken where both are there: measured at a model's first use on this machine and
remembered.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from stepscope.core.drafts import write_whole
from stepscope.core.errors import UnavailableError, UserError
from stepscope.core.own_files import read_json
from stepscope.core.settings import user_cache_dir
from stepscope.models.learned.card import CARD, sound_config
from stepscope.models.learned.model_folders import TrainedModel
from stepscope.models.learned.recipe import Recipe, can_export
from stepscope.models.runtimes.module_state import take_state
from stepscope.models.runtimes.runtime import Array, Runtime
from stepscope.models.runtimes.weights import first_line, read_state, sha256

log = logging.getLogger("stepscope")

RuntimeName = Literal["auto", "torch", "onnx"]
RUNTIMES: tuple[RuntimeName, ...] = ("auto", "torch", "onnx")
MEMORY = "runtimes.json"
_TIMES = 20


def load_head(
    trained: TrainedModel,
    recipe: Recipe,
    example: Sequence[Array],
    *,
    device: str = "auto",
    runtime: RuntimeName = "auto",
) -> tuple[Runtime, str]:
    """The network and the name of its runtime. `example` is a batch of inputs to measure with.

    Raises UnavailableError where the runtime is not installed or its file is not there, UserError for weights that are
    not those of the card or do not fit the recipe, and what the runtimes raise.
    """
    if trained.card.recipe_version != recipe.version:
        raise UserError(
            f"was trained by version {trained.card.recipe_version} of {trained.card.recipe}, this is {recipe.version}.",
            place=trained.folder,
            hint="Train it again.",
        )
    if runtime == "torch" or (runtime == "auto" and not can_export(recipe)):
        return in_torch(trained, recipe, device), "torch"
    if not can_export(recipe):
        raise UnavailableError(f"{trained.card.name} searches, and runs in torch alone.", hint="Leave the runtime out.")
    if runtime == "onnx":
        return in_onnx(trained, recipe, device), "onnx"
    return _best(trained, recipe, example, device)


def in_torch(trained: TrainedModel, recipe: Recipe, device: str) -> Runtime:
    """The network in torch. Raises UserError for weights that are not those of the card or do not fit the recipe, and
    what the runtime raises."""
    from stepscope.models.runtimes import torch_runtime

    torch_runtime.choose_device(device)  # told before the weights are read
    found = sha256(trained.weights)
    if found != trained.card.weights:
        raise UserError(
            f"is not the file of its card: its SHA-256 is {found[:16]}…, not {trained.card.weights[:16]}….",
            place=trained.weights,
            hint="Put the file back, or train the model again.",
        )
    state = dict(read_state(trained.weights))
    with sound_config(trained.folder / CARD):
        module = recipe.network(trained.card.config)
    try:
        take_state(module, state)
    except RuntimeError as error:  # of another shape
        why = f"does not fit {trained.card.recipe}: {first_line(error)}"
        raise UserError(why, place=trained.weights, hint="Train the model again.") from error
    return torch_runtime.TorchRuntime(module, weights=found, preparation=recipe.version, device=device)


def in_onnx(trained: TrainedModel, recipe: Recipe, device: str) -> Runtime:
    """The exported network. Raises UnavailableError where there is none, UserError for one of other weights than the
    card's, and what the runtime raises."""
    from stepscope.models.runtimes.onnx_runtime import OnnxRuntime

    if not trained.onnx.is_file():
        hint = f"Make it: stepscope models export {trained.card.name} --format onnx."
        raise UnavailableError(f"{trained.card.name} has no ONNX file.", hint=hint)
    found = OnnxRuntime(trained.onnx, preparation=recipe.version, device=device)
    if found.metadata.get("stepscope.weights") != trained.card.weights:
        hint = f"Make it anew: stepscope models export {trained.card.name} --format onnx."
        raise UserError("was exported from other weights than those of its card.", place=trained.onnx, hint=hint)
    return found


def _best(trained: TrainedModel, recipe: Recipe, example: Sequence[Array], device: str) -> tuple[Runtime, str]:
    """What is remembered, else the faster, else what there is."""
    memory = user_cache_dir() / MEMORY
    key = f"{trained.card.weights} {device}"
    known = _remembered(memory).get(key)
    makers = {"onnx": in_onnx, "torch": in_torch}
    for name in dict.fromkeys((known, *makers)) if known in makers else ():
        try:
            return makers[name](trained, recipe, device), name
        except UnavailableError:
            continue
    made: dict[str, Runtime] = {}
    troubles: list[UserError] = []
    for name, make in makers.items():
        try:
            made[name] = make(trained, recipe, device)
        except UserError as error:
            troubles.append(error)
    if not made:
        raise troubles[0]
    if len(made) == 1:
        ((name, only),) = made.items()
        return only, name
    spent = {name: _seconds(runtime, example) for name, runtime in made.items()}
    best = min(spent, key=lambda name: spent[name])
    _remember(memory, key, best)
    for name, other in made.items():
        if name != best:
            other.close()
    return made[best], best


def _seconds(runtime: Runtime, example: Sequence[Array]) -> float:
    """The shortest of several runs, after one for nothing."""
    runtime.warm_up(*example)
    spent = []
    for _ in range(_TIMES):
        begun = time.perf_counter()
        runtime.run(*example)
        spent.append(time.perf_counter() - begun)
    return min(spent)


def _remembered(memory: Path) -> dict[str, str]:
    try:
        found = read_json(memory)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _remember(memory: Path, key: str, best: str) -> None:
    try:
        write_whole(memory, json.dumps({**_remembered(memory), key: best}).encode())
    except OSError as error:
        log.warning("which runtime is faster is not remembered: %s", error)
