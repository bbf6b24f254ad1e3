"""Adding a model file of one's own: looking at it, answering what it does not tell, keeping its manifest.

Both faces go the same way: `look_at` gives a draft with questions, `answered` takes answers, `manifest_of` makes the
manifest of it, `app.services.model_trials` tries it, and `add` keeps it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.models.learned.card import NAME
from stepscope.models.learned.model_folders import own_folder
from stepscope.models.own.draft import ManifestQuestion, drafted, questions, with_answer, with_meaning
from stepscope.models.own.facts import FileFacts, look
from stepscope.models.own.manifest import FORMAT, MANIFEST, Manifest, parse, read_form
from stepscope.models.own.own_models import OwnModel, keep_place
from stepscope.models.own.toml_text import toml_text
from stepscope.models.runtimes.weight_digest import digest_of_files


@dataclass(frozen=True, slots=True)
class ModelDraft:
    """A manifest in the making. `form` are its tables, with whole paths; `told` is where they were read, "" where the
    file alone was asked."""

    facts: FileFacts
    form: Mapping[str, Any]
    told: str = ""

    @property
    def questions(self) -> tuple[ManifestQuestion, ...]:
        """What is left to answer."""
        return questions(self.form)


def look_at(path: Path, *, task: str = "", manifest: Path | None = None) -> ModelDraft:
    """What is at the path, and the manifest as far as it is known: the one named, else the one beside the file, else
    what the file tells. Raises UserError naming the file, with what to do; UnavailableError; OutOfMemory."""
    facts = look(path)
    beside = _beside(facts)
    if manifest is None and beside.is_file() and _is_about(beside, facts):
        manifest = beside
    if manifest is None:
        return ModelDraft(facts, drafted(facts, task))
    form = _placed(read_form(manifest), manifest.resolve().parent)
    digest = form.get("sha256") or facts.sha256
    if digest != facts.sha256 and form.get("sha256") != _digest_with_tokenizers(facts, form):
        raise UserError(
            f"has another SHA-256 than its manifest says ({str(digest)[:16]}…).",
            place=facts.file,
            hint=f"Fetch the file again, or take sha256 out of {manifest}.",
        )
    form |= {"file": str(facts.file)}
    if task:
        form["task"] = task
    return ModelDraft(facts, form, str(manifest))


def answered(draft: ModelDraft, answers: Mapping[str, str]) -> ModelDraft:
    """The draft with fields set, each by its place in the manifest with dots; the task first, on which hangs what else
    the file tells. Raises UsageError for a place that there is not."""
    form: Mapping[str, Any] = draft.form
    for field in sorted(answers, key=lambda one: one != "task"):
        try:
            if field == "task" and not draft.told:
                form = drafted(draft.facts, answers[field])
            else:
                form = with_answer(form, field, answers[field])
        except ValueError as error:
            raise UsageError(f"{field} cannot be set: {error}.", hint="See docs/models/own.md.") from error
    return ModelDraft(draft.facts, form, draft.told)


def manifest_of(draft: ModelDraft) -> Manifest:
    """The manifest, whole paths in it. Raises UserError naming the file and the field, and UsageError listing what is
    left to answer."""
    if missing := draft.questions:
        words = "; ".join(
            f"{one.field} ({one.words}{': ' + ', '.join(one.choices) if one.choices else ''})" for one in missing
        )
        raise UsageError(
            f"{draft.facts.file}: the file does not tell {words}.",
            hint="Give them with --set FIELD=VALUE, or write a manifest: --template prints one to fill in.",
        )
    form = {**with_meaning(draft.form), "sha256": ""}
    found = parse(form, draft.told or str(draft.facts.file))
    return parse({**form, "sha256": _digest(draft.facts, found)}, draft.told or str(draft.facts.file))


def template(draft: ModelDraft) -> str:
    """The manifest to fill in, with what is missing noted; its paths relative to the file's folder where they lie in
    it."""
    notes = {one.field: one.words + (f": {', '.join(one.choices)}" if one.choices else "") for one in draft.questions}
    return toml_text(_relative(draft.form, _beside(draft.facts).parent), notes)


def check_name(name: str) -> None:
    """Raises UsageError for a name that no model can have, or that one has."""
    from stepscope.models.registry import registry

    if NAME.fullmatch(name) is None:
        hint = "Take letters, digits, dots, hyphens; give it with --name."
        raise UsageError(f"{name[:60]!r} is no name that a model can have.", hint=hint)
    if name in registry().models or (own_folder() / name).exists():
        raise UsageError(f"There is a model {name} already.", hint="Give this one another with --name.")


def add(draft: ModelDraft) -> OwnModel:
    """Keep the model: write its manifest beside the file, or among the person's own models where that place cannot be
    written or has the manifest of another. Raises what `manifest_of` and `check_name` raise, and UserError where
    neither place can be written."""
    manifest = manifest_of(draft)
    check_name(manifest.name)
    form = {**with_meaning(draft.form), "format": FORMAT, "sha256": manifest.sha256}
    beside = _beside(draft.facts)
    if not beside.is_file() or (_is_about(beside, draft.facts) and _name_in(beside) in ("", manifest.name)):
        try:
            if (text := _beside_text(draft, form, beside)) is not None:
                write_whole(beside, text.encode())
        except OSError:  # a place of somebody else's, or of a medium that is only read
            pass
        else:
            keep_place(manifest.name, beside)
            return OwnModel(manifest, beside)
    place = own_folder() / manifest.name / MANIFEST
    try:
        write_whole(place, toml_text(form).encode())
    except OSError as error:
        raise UserError(f"cannot be written: {reason(error)}", place=place, hint=advice(error)) from error
    return OwnModel(manifest, place)


def _beside_text(draft: ModelDraft, form: Mapping[str, Any], beside: Path) -> str | None:
    """What is to be written beside the file; None where that stands there. A manifest that a person wrote keeps its
    comments: only the SHA-256 is put on top of it."""
    relative = _relative(form, beside.parent)
    if draft.told != str(beside):
        return toml_text(relative)
    there = read_form(beside)
    if _placed(there, beside.parent) == _placed(relative, beside.parent):
        return None
    if _placed({**there, "sha256": form["sha256"]}, beside.parent) != _placed(relative, beside.parent):
        return toml_text(relative)
    kept = beside.read_text("utf-8")
    return f'sha256 = "{form["sha256"]}"\n{kept}' if "sha256" not in there else toml_text(relative)


def command_line(draft: ModelDraft, answers: Mapping[str, str]) -> str:
    """The command that adds the same model with the same answers."""
    import shlex

    words = ["stepscope", "models", "add", str(draft.facts.file)]
    named = {"task": "--task", "name": "--name"}
    for field, value in answers.items():
        words += [named[field], value] if field in named else ["--set", f"{field}={value}"]
    return shlex.join(words)


def _beside(facts: FileFacts) -> Path:
    folder = facts.file if facts.folder is not None else facts.file.parent
    return folder / MANIFEST


def _is_about(manifest: Path, facts: FileFacts) -> bool:
    """Whether the manifest names this file. One that cannot be read is about another."""
    try:
        form = read_form(manifest)
    except UserError:
        return False
    named = form.get("file")
    return isinstance(named, str) and (manifest.parent / named).resolve() == facts.file


def _name_in(manifest: Path) -> str:
    name = read_form(manifest).get("name", "")
    return name if isinstance(name, str) else ""


def _digest(facts: FileFacts, manifest: Manifest) -> str:
    from stepscope.models.own.network import model_files

    return digest_of_files(model_files(manifest, facts.file.parent))


def _digest_with_tokenizers(facts: FileFacts, form: Mapping[str, Any]) -> str:
    """The digest of the model's files by a manifest that may not be whole; "" where one is not there."""
    named = [one.get("tokenizer") for one in form.get("inputs", ()) if isinstance(one, Mapping)]
    files = dict.fromkeys((*facts.files, *(Path(one) for one in named if isinstance(one, str))))
    known = {one.resolve(): one for one in files}
    try:
        return digest_of_files(tuple(known.values()))
    except (OSError, UserError):
        return ""


_PATHS = ("file", "tokenizer")


def _placed(form: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The tables with whole paths in place of those that start from `folder`."""
    return _with_paths(form, lambda path: str((folder / path).resolve()))


def _relative(form: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The tables with the paths of what lies in `folder` as they start from there."""

    def shortened(path: str) -> str:
        place = Path(path)
        return place.relative_to(folder).as_posix() if place.is_relative_to(folder) else path

    return _with_paths(form, shortened)


def _with_paths(form: Mapping[str, Any], change: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in form.items():
        if name in _PATHS and isinstance(value, str) and value:
            found[name] = change(value)
        elif name == "inputs" and isinstance(value, list):
            found[name] = [_with_paths(one, change) if isinstance(one, Mapping) else one for one in value]
        else:
            found[name] = value
    return found
