"""A checkpoint on its way in, or kept and being changed: what its folder tells, what the person says of it, and the
page of both."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from stepscope.app.gui.features.models.adapter_words import adapter_rows
from stepscope.app.gui.features.models.removal import FILES_STAY
from stepscope.core.domain.model_name import LOCAL
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.limits import BYTES, written_figure
from stepscope.widgets.models.adding import AddModelState, FoundModel, ManifestGroup, ManifestRow

if TYPE_CHECKING:
    from stepscope.models.agents import adapter as adapters
    from stepscope.models.agents.adapter import Adapter
    from stepscope.models.checkpoints import checkpoint as checkpoints
    from stepscope.models.checkpoints import facts as folders
    from stepscope.models.checkpoints import needs
    from stepscope.models.checkpoints.checkpoint import Checkpoint
    from stepscope.models.checkpoints.facts import CheckpointFacts
else:
    adapters = lazy_module("stepscope.models.agents.adapter")
    checkpoints = lazy_module("stepscope.models.checkpoints.checkpoint")
    folders = lazy_module("stepscope.models.checkpoints.facts")
    needs = lazy_module("stepscope.models.checkpoints.needs")

_OPTIONS = {"adapter": "--adapter", "lora": "--lora", "dtype": "--dtype", "attention": "--attention"}


@dataclass(frozen=True, slots=True)
class CheckpointDraft:
    """`facts` of its folder, and how many `parameters` it has (0: not told); `given` is what the person says, by field.
    `kept` is the one that is changed, None for a new one."""

    facts: CheckpointFacts
    parameters: int
    given: Mapping[str, str]
    kept: Checkpoint | None = None

    @classmethod
    def of(cls, folder: Path) -> CheckpointDraft:
        """Reads its files. Raises UserError naming what is wrong with the folder."""
        facts = folders.look(folder)
        return cls(facts, needs.parameters_of(facts), {})

    @classmethod
    def of_kept(cls, kept: Checkpoint) -> CheckpointDraft:
        """Reads its files. Raises UserError naming what is wrong with its folder, or its LoRA's, by now."""
        facts = folders.facts_of(kept)
        return cls(facts, needs.parameters_of(facts), {}, kept)

    def answered(self, field: str, value: str) -> CheckpointDraft:
        """The draft with this said. Raises UserError for an adapter of peft that is none."""
        if field == "lora" and value and Path(value).expanduser().is_file():  # one of its files was chosen
            value = str(Path(value).expanduser().parent)
        given = {**self.given, field: value}
        if field == "lora":
            found = folders.look(self.facts.folder, Path(value).expanduser() if value else None)
            return replace(self, facts=found, given=given)
        return replace(self, given=given)

    @property
    def checkpoint(self) -> Checkpoint:
        """Raises UsageError for a name or a number that cannot be, and for an adapter that there is not."""
        name, batch = self._value("name"), self._value("batch")
        if not batch.isdecimal():
            raise UsageError(f"{batch!r} questions at once cannot be.", hint="Give a whole number from 1.")
        adapter = adapters.adapter_named(self._value("adapter")).name
        form: dict[str, Any] = {one: self._value(one) for one in ("dtype", "attention", "lora")}
        code = self._value("code") == "yes"
        return checkpoints.Checkpoint(
            name, str(self.facts.folder), adapter=adapter, batch=int(batch), code=code, **form
        )

    @property
    def subject(self) -> Checkpoint:
        """What is tried. Raises as `checkpoint`."""
        return self.checkpoint

    def keep(self) -> str:
        """Add it, or change the one that is kept; gives the name of the model. Raises as `checkpoint`, and for a name
        that is in use."""
        made = self.checkpoint
        checkpoints.add(made, replaces=self.kept is not None)
        return f"{LOCAL}{made.name}"

    @property
    def adapter(self) -> Adapter:
        """Raises UsageError for one that there is not."""
        return adapters.adapter_named(self._value("adapter"))

    @property
    def is_changed(self) -> bool:
        """Whether anything is other than it is kept."""
        return any(value != self._usual(field) for field, value in self.given.items())

    def state(self) -> AddModelState:
        """Its page."""
        known, _ = adapters.adapters()
        adapter = known.get(self._value("adapter"))
        facts = adapter_rows(adapter) if adapter is not None else ()
        trouble = "" if self._can_load else "It brings Python code of its own: say whether that may run."
        name = () if self.kept else (self._row("name", "Name", tip="Called local:NAME from then on"),)
        return AddModelState(
            str(self.facts.folder),
            self._found(),
            where=(
                *name,
                self._row(
                    "lora",
                    "LoRA",
                    file=True,
                    tip="Folder of an adapter of peft upon it, or a file in it; empty for none",
                ),
            ),
            speaks=(ManifestGroup("", "", (self._choice("adapter", "Adapter", tuple(known)), *facts)),),
            runs=(
                self._choice("dtype", "Precision", _choices("dtype")),
                self._choice("attention", "Attention", _choices("attention")),
                self._row("batch", "Batch", tip="Questions that are computed together"),
                *((self._choice("code", "Its code", ("no", "yes")),) if self.facts.code else ()),
            ),
            missing=trouble,
            command=self.command,
            can_try=self._can_load,
            can_add=self._can_load and (self.kept is None or self.is_changed),
            has_prompt=adapter is not None and adapter.has_prompt,
            title=f"{LOCAL}{self.kept.name}" if self.kept else "",
            removal=FILES_STAY if self.kept else "",
        )

    @property
    def command(self) -> str:
        """The equal command line."""
        words = ["stepscope", "models", "add", str(self.facts.folder)]
        for name, option in {"name": "--name", **_OPTIONS, "batch": "--batch"}.items():
            if self._value(name) != self._guessed(name):
                words += [option, self._value(name)]
        words += ["--run-its-code"] if self._value("code") == "yes" else []
        return shlex.join([*words, *(["--replace"] if self.kept else [])])

    @property
    def _can_load(self) -> bool:
        return not self.facts.code or self._value("code") == "yes"

    def _found(self) -> FoundModel:
        facts = self.facts
        checks = [facts.architecture, "safetensors, nothing is unpickled", "processor and chat template are there"]
        checks.append(f"licence {facts.licence}" if facts.licence else "its card names no licence")
        if facts.code:
            checks.append("brings Python code of its own")
        found = needs.needs_of(facts, self._value("dtype"), self.parameters)
        size, doubts = written_figure(BYTES, facts.bytes), []
        numbers = f"{needs.parameter_words(found.parameters)} parameters" if found.parameters else ""
        if found.fits:
            checks.append(found.words)
        else:
            doubts.append(f"{found.words}: choose a smaller one, or a machine that has more")
        if lacking := needs.lacking_libraries(facts):
            doubts.append(lacking)
        words = ", ".join(filter(None, ("checkpoint", numbers, size, facts.dtype)))
        return FoundModel(facts.family, words, tuple(checks), tuple(doubts))

    def _value(self, field: str) -> str:
        return self.given.get(field, self._usual(field))

    def _usual(self, field: str) -> str:
        """As it is kept; else what the folder lets guess."""
        if self.kept is None or (field == "adapter" and not self.kept.adapter):
            return self._guessed(field)
        value = getattr(self.kept, field)
        return {True: "yes", False: "no"}[value] if field == "code" else str(value)

    def _guessed(self, field: str) -> str:
        folder = self.facts.folder
        match field:
            case "name":
                return checkpoints.name_of(folder)
            case "adapter":
                known, _ = adapters.adapters()
                return adapters.adapter_for(f"{self._value('name')} {folder.name} {self.facts.family}", known)
            case "batch":
                return "1"
            case "code":
                return "no"
            case "lora":
                return ""
            case _:
                return "auto"

    def _row(self, field: str, words: str, *, file: bool = False, tip: str = "") -> ManifestRow:
        return ManifestRow(field, words, self._value(field), file=file, tip=tip)

    def _choice(self, field: str, words: str, choices: tuple[str, ...]) -> ManifestRow:
        return ManifestRow(field, words, self._value(field), tuple((one, one) for one in choices))


def _choices(field: str) -> tuple[str, ...]:
    found: tuple[str, ...] = get_args(get_type_hints(checkpoints.Checkpoint)[field])
    return found
