"""What `stepscope models add` does with a folder that holds an image-text-to-text model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.app.cli.output import print_json, say, table, tell
from stepscope.app.cli.statuses import DONE
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.models.agents import adapter as adapters
    from stepscope.models.checkpoints import checkpoint as checkpoints
    from stepscope.models.checkpoints import facts, needs
    from stepscope.models.checkpoints.checkpoint import Checkpoint
    from stepscope.models.checkpoints.facts import CheckpointFacts
    from stepscope.models.checkpoints.needs import Needs
else:
    adapters = lazy_module("stepscope.models.agents.adapter")
    checkpoints = lazy_module("stepscope.models.checkpoints.checkpoint")
    facts = lazy_module("stepscope.models.checkpoints.facts")
    needs = lazy_module("stepscope.models.checkpoints.needs")

_BIG = 1 << 30


@dataclass(frozen=True, slots=True)
class CheckpointOptions:
    """The options as given."""

    lora: Path | None = None
    dtype: str = "auto"
    attention: str = "auto"
    batch: int = 1
    adapter: str = ""
    code: bool = False
    replaces: bool = False

    @property
    def is_any(self) -> bool:
        return self != CheckpointOptions()


def add_checkpoint(folder: Path, name: str, options: CheckpointOptions, json: bool) -> int:
    """Looks at the folder and keeps it. Raises UserError naming what is wrong with it, UsageError for options that
    cannot be."""
    found = facts.look(folder, options.lora)
    if found.code and not options.code:
        tell(
            "stepscope: warning: the folder names Python code of its own. It is not run, and the model cannot be "
            "loaded, before you allow it: --replace --run-its-code."
        )
    for option, value, allowed in (
        ("--dtype", options.dtype, ("auto", "float32", "float16", "bfloat16")),
        ("--attention", options.attention, ("auto", "eager", "sdpa", "flash_attention_2")),
    ):
        if value not in allowed:
            raise UsageError(f"{option} cannot be {value!r}.", hint=f"Give {', '.join(allowed)}.")
    known, _ = adapters.adapters()
    named = name or checkpoints.name_of(folder)
    adapter = options.adapter or adapters.adapter_for(f"{named} {folder.name} {found.family}", known)
    adapters.adapter_named(adapter)
    computes: dict[str, Any] = {"dtype": options.dtype, "attention": options.attention}
    kept = checkpoints.Checkpoint(
        named, str(folder), str(options.lora or ""), batch=options.batch, code=options.code, adapter=adapter, **computes
    )
    checkpoints.add(kept, replaces=options.replaces)
    needed = needs.needs_of(found, kept.dtype)
    if not needed.fits:
        tell(f"stepscope: warning: {needed.words}.")
    form = checkpoint_form(kept, found, needed)
    if json:
        print_json(form)
        return DONE
    rows = [[key, "–" if value in ("", None) else value] for key, value in form.items()]
    table(["what", "value"], rows)
    say(f"Try it on one screen: stepscope agents try local:{named}")
    tell(f"stepscope: added local:{named}")
    return DONE


def checkpoint_form(kept: Checkpoint, found: CheckpointFacts, needed: Needs) -> dict[str, Any]:
    """What is known of one that was added."""
    return {
        "model": f"local:{kept.name}",
        "folder": str(found.folder.resolve()),
        "family": found.family,
        "architecture": found.architecture,
        "licence": found.licence or None,
        "bytes": found.bytes,
        "parameters": needed.parameters or None,
        "memory": needed.bytes,
        "dtype": kept.dtype if kept.dtype != "auto" else found.dtype or "auto",
        "attention": kept.attention,
        "batch": kept.batch,
        "adapter": kept.adapter,
        "lora": kept.lora or None,
        "code": found.code,
    }
