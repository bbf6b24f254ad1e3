"""`stepscope models add` and `stepscope models remove`: model files of one's own."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import FormatOption, JsonFlag, finite
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import print_json, say, table, tell
from stepscope.app.cli.statuses import DONE
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.errors import UsageError, UserError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services import adding_models, model_trials, own_models
    from stepscope.app.services.adding_models import ModelDraft
    from stepscope.app.services.model_trials import ModelTrial, TensorShown
    from stepscope.models.own.draft import ManifestQuestion
    from stepscope.models.own.own_models import OwnModel
else:
    adding_models = lazy_module("stepscope.app.services.adding_models")
    model_trials = lazy_module("stepscope.app.services.model_trials")
    own_models = lazy_module("stepscope.app.services.own_models")


def add(
    path: Annotated[
        str, typer.Argument(metavar="PATH|URL", help="An ONNX or TorchScript file, a folder, or a server's URL.")
    ],
    task: Annotated[str, typer.Option(metavar="TASK", help="automation, feasibility, ordering or ask.")] = "",
    name: Annotated[str, typer.Option(metavar="NAME", help="What it is called; the file's name else.")] = "",
    manifest: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Its manifest; else the one beside it, if there is one.")
    ] = None,
    set: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE", help="A field of the manifest, such as answer.threshold=0.4."),
    ] = None,
    input: Annotated[
        list[str] | None, typer.Option(metavar="NAME:FIELD=VALUE", help="A field of an input: image:values=ImageNet.")
    ] = None,
    output: Annotated[
        list[str] | None, typer.Option(metavar="NAME:FIELD=VALUE", help="A field of an output: p:reading=logit.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="PATH", help="What it is tried on; the sample else.")
    ] = None,
    episode: Annotated[str | None, typer.Option(metavar="ID", help="The episode to try it on.")] = None,
    step: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=LARGEST_NUMBER, help="The step to try it on.")
    ] = None,
    format: FormatOption = None,
    device: Annotated[str, typer.Option(metavar="auto|cpu|cuda[:i]", help="Where it is tried.")] = "auto",
    template: Annotated[bool, typer.Option("--template", help="Print a manifest to fill in; add nothing.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Add it though it did not answer.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing.")] = False,
    lora: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Of a checkpoint: an adapter of peft upon it.")
    ] = None,
    dtype: Annotated[
        str, typer.Option(metavar="auto|float32|float16|bfloat16", help="Of a checkpoint: what it computes in.")
    ] = "auto",
    attention: Annotated[
        str, typer.Option(metavar="auto|eager|sdpa|flash_attention_2", help="Of a checkpoint: its attention.")
    ] = "auto",
    batch: Annotated[
        int, typer.Option(metavar="N", min=1, max=64, help="Of a checkpoint: questions that are asked together.")
    ] = 1,
    adapter: Annotated[
        str, typer.Option(metavar="NAME", help="Of a checkpoint or server: how it speaks; by its name else.")
    ] = "",
    run_its_code: Annotated[
        bool, typer.Option("--run-its-code", help="Of a checkpoint: let the Python code in its folder run.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Of a checkpoint or server: take the place of one of that name.")
    ] = False,
    model: Annotated[
        str, typer.Option("--model", metavar="M", help="Of a server: the model; asked for where there is one.")
    ] = "",
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="S", callback=finite, help="Of a server: seconds for one answer.")
    ] = 120.0,
    parallel: Annotated[
        int, typer.Option("--parallel", metavar="N", min=1, max=LARGEST_NUMBER, help="Of a server: requests at once.")
    ] = 4,
    text_only: Annotated[bool, typer.Option("--text-only", help="Of a server: send no pictures.")] = False,
    key: Annotated[bool, typer.Option("--key", help="Of a server: ask for its key, kept in the keyring.")] = False,
    json: JsonFlag = False,
) -> int:
    from stepscope.app.cli.checkpoints_add import CheckpointOptions, add_checkpoint
    from stepscope.app.cli.server_models_add import ServerOptions, add_server_model
    from stepscope.app.services.evaluation import check_device
    from stepscope.models.chat.servers import is_url
    from stepscope.models.checkpoints.facts import is_checkpoint
    from stepscope.models.own.facts import is_trained
    from stepscope.models.runtimes.memory import bound_models

    of_server = ServerOptions(model, timeout, parallel, text_only, key)
    if is_url(path):
        return add_server_model(path, name, adapter, of_server, replaces=replace, json=json)
    if of_server.is_any:
        raise UsageError(f"{path} is no URL of a server.", hint="Leave out what is said of a server.")
    place = Path(path)
    check_device(device)
    bound_models()
    of_checkpoint = CheckpointOptions(lora, dtype, attention, batch, adapter, run_its_code, replace)
    if of_checkpoint.is_any or is_checkpoint(place):
        return add_checkpoint(place, name, of_checkpoint, json)
    if is_trained(place):
        return _take_in(place, json)
    draft = adding_models.look_at(place, task=task, manifest=manifest)
    given = {"task": task} if task else {}
    given |= _answers(set, input, output) | ({"name": name} if name else {})
    draft = adding_models.answered(draft, given)
    if template:
        say(*adding_models.template(draft).splitlines())
        return DONE
    asks = sys.stdin.isatty() and not yes and not json
    if asks:
        draft = _asked(draft)
    made = adding_models.manifest_of(draft)
    adding_models.check_name(made.name)
    folder = draft.facts.file.parent
    request = model_trials.TrialRequest(made, folder, data, format, episode=episode, step=step, device=device)
    trial = _tried(request, force)
    if trial is not None and not json:
        _show(trial)
    if asks and not typer.confirm(f"Add it as {made.name}?", err=True):
        raise KeyboardInterrupt
    added = adding_models.add(draft)
    if json:
        print_json(_form(added, trial))
    else:
        tell(f"stepscope: added {made.name}; its manifest is {added.place}")
    return DONE


def remove(name: Annotated[str, typer.Argument(metavar="NAME", help="A model of your own.")]) -> int:
    kept = own_models.remove(name)
    tell(f"stepscope: removed {name}" + (f"; {kept} stays" if kept else ""))
    return DONE


def _take_in(folder: Path, json: bool) -> int:
    """A folder that `stepscope models train` wrote."""
    trained = own_models.take_in(folder)
    if json:
        print_json({"model": trained.card.name, "task": trained.card.task.value, "folder": str(trained.folder)})
    else:
        tell(f"stepscope: added {trained.card.name}; its copy is {trained.folder}")
    return DONE


def _answers(set: list[str] | None, inputs: list[str] | None, outputs: list[str] | None) -> dict[str, str]:
    """Fields of the manifest by their place. Raises UsageError for what is no assignment."""
    found: dict[str, str] = {}
    for text in set or ():
        field, mark, value = text.partition("=")
        if not mark or not field:
            raise UsageError(f"--set {text!r} is no assignment.", hint="Write FIELD=VALUE.")
        found[field] = value
    for within, texts in (("inputs", inputs), ("outputs", outputs)):
        for text in texts or ():
            place, mark, value = text.partition("=")
            name, colon, field = place.rpartition(":")
            if not mark or not colon or not name:
                words = f"--{within[:-1]} {text!r} is no assignment."
                raise UsageError(words, hint="Write NAME:FIELD=VALUE.")
            found[f"{within}.{name}.{field}"] = value
    return found


def _asked(draft: ModelDraft) -> ModelDraft:
    """Ask in the terminal for what the file does not tell, until all is answered."""
    while missing := draft.questions:
        one = missing[0]
        draft = adding_models.answered(draft, {one.field: _answer(one)})
    return draft


def _answer(one: ManifestQuestion) -> str:
    choices = f" ({', '.join(one.choices)})" if one.choices else ""
    while True:
        found = str(typer.prompt(f"{one.field}: {one.words}{choices}", default=one.usual or None, err=True)).strip()
        if found and (not one.choices or found in one.choices):
            return found


def _tried(request: model_trials.TrialRequest, force: bool) -> ModelTrial | None:
    """What the trial gave; None where it broke and the model is added all the same. Raises UserError where it does not
    answer."""
    try:
        with cancelled_by_signals() as token:
            trial = model_trials.try_model(request, token)
    except UserError as error:
        if not force:
            raise
        tell(f"stepscope: warning: {error}")
        return None
    if trial.problem and not force:
        raise UserError(
            f"the model does not answer: {trial.problem}.",
            place=request.folder / request.manifest.file,
            record=trial.episode,
            hint="Correct its manifest, or add it all the same with --force.",
        )
    if trial.problem:
        tell(f"stepscope: warning: the model does not answer: {trial.problem}")
    return trial


def _show(trial: ModelTrial) -> None:
    where = trial.episode if trial.step is None else f"{trial.episode}, step {trial.step}"
    say(f"Tried on {where}: {trial.goal}", "")
    columns = ["in", "shape", "numbers", "least", "largest"]
    table(columns, [_row(one) for one in trial.inputs])
    for source, text in trial.texts:
        say(f"{source}: {text[:200]}")
    say("")
    table(["out", *columns[1:]], [_row(one) for one in trial.outputs])
    say("", f"Read as: {trial.problem or model_trials.answer_words(trial.prediction)}")
    say(f"{trial.load_seconds:.2f} s to load, {trial.answer_seconds:.3f} s to answer, on {trial.device}.", "")


def _row(one: TensorShown) -> tuple[object, ...]:
    numbers = " ".join(f"{number:.4g}" for number in one.numbers[:4])
    return one.name, " × ".join(map(str, one.shape)), f"{one.dtype}: {numbers}", one.low, one.high


def _form(added: OwnModel, trial: ModelTrial | None) -> dict[str, Any]:
    manifest = added.manifest
    form: dict[str, Any] = {"model": manifest.name, "task": manifest.task.value, "runtime": manifest.runtime}
    form |= {"file": str(added.file), "manifest": str(added.place), "sha256": manifest.sha256}
    form["licence"] = manifest.licence or None
    form["tried"] = None if trial is None else _trial_form(trial)
    return form


def _trial_form(trial: ModelTrial) -> dict[str, Any]:
    def tensors(found: tuple[TensorShown, ...]) -> list[dict[str, Any]]:
        return [
            {"name": one.name, "shape": list(one.shape), "dtype": one.dtype, "low": one.low, "high": one.high}
            | {"numbers": [number if math.isfinite(number) else None for number in one.numbers]}
            for one in found
        ]

    return {
        "episode": trial.episode,
        "step": trial.step,
        "inputs": tensors(trial.inputs),
        "outputs": tensors(trial.outputs),
        "status": trial.prediction.status.value,
        "raw": trial.prediction.raw,
        "problem": trial.problem or None,
    }
