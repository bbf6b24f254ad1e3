"""What the folder of an image-text-to-text model tells, without loading any of it.

Weights are safetensors; what is pickled is refused unread. Code that a folder brings is named, and not run unless the
person says so for that folder.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.models.checkpoints.checkpoint import Checkpoint
from stepscope.models.encoders.folders import (
    ADAPTER,
    CONFIG,
    PROCESSOR,
    config_of,
    names_code,
    refuse_layers,
    tensors_in,
)
from stepscope.models.runtimes.weight_digest import digest_of_files

PROCESSORS = (PROCESSOR, "processor_config.json")
TEMPLATES = ("chat_template.jinja", "chat_template.json")
LORA_WEIGHTS = "adapter_model.safetensors"
_NEEDED = "Fetch the whole folder: weights, config, tokenizer, processor."
_LICENCE = re.compile(r"^license:\s*(\S+)", re.MULTILINE)
_CARD = 20_000
"""Letters of a model card that are looked at."""


@dataclass(frozen=True, slots=True)
class CheckpointFacts:
    """`family` is the model's type and `architecture` its class, as the config names them; `licence` as the card says
    it, "" where it says none. `bytes` of weights. `code`: it brings Python code of its own, named in `auto_map`.
    `adapts` is the LoRA's folder, if one was looked at."""

    folder: Path
    family: str
    architecture: str
    licence: str
    bytes: int
    dtype: str
    code: bool
    adapts: Path | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        """What its answers hang on, in the order of their names."""
        kinds = ("*.safetensors", "*.json", "*.jinja", "*.txt", "*.model")
        folders = (self.folder,) if self.adapts is None else (self.folder, self.adapts)
        return tuple(sorted({file for folder in folders for kind in kinds for file in folder.glob(kind)}))

    @property
    def digest(self) -> str:
        """SHA-256 over its files."""
        return digest_of_files(self.files)


def is_checkpoint(folder: Path) -> bool:
    """Whether the folder's config is that of a model that sees and writes. Raises UserError for a broken config."""
    return folder.is_dir() and _sees(config_of(folder)) and _writes(config_of(folder))


def look(folder: Path, lora: Path | None = None) -> CheckpointFacts:
    """Raises UserError naming what is wrong with the folder, or with the adapter's."""
    config = config_of(folder) if folder.is_dir() else {}
    if not config:
        raise UserError(f"has no {CONFIG}.", place=folder, hint="Choose the folder of a model of transformers.")
    refuse_layers(folder / CONFIG, config)
    if not (_sees(config) and _writes(config)):
        what = _architecture(config) or "not named"
        hint = "Image-text-to-text models can be asked: Qwen-VL, InternVL, LLaVA, SmolVLM and their kin."
        raise UserError(f"its architecture ({what[:80]}) sees no pictures, or writes no text.", place=folder / CONFIG,
                        hint=hint)  # fmt: skip
    weights = tensors_in(folder)
    if not any((folder / name).is_file() for name in PROCESSORS):
        raise UserError(f"has no processor ({' or '.join(PROCESSORS)}).", place=folder, hint=_NEEDED)
    if not _has_template(folder):
        hint = "Put the chat_template.jinja of the model that it was tuned from beside it."
        raise UserError("its processor lacks a chat template.", place=folder, hint=hint)
    if lora is not None:
        _look_at_lora(lora)
    return CheckpointFacts(
        folder,
        str(config.get("model_type", ""))[:80],
        _architecture(config)[:80],
        _licence(folder),
        sum(file.stat().st_size for file in weights),
        _dtype(config),
        any(names_code(config_of(folder, name)) for name in (CONFIG, "tokenizer_config.json", *PROCESSORS)),
        lora,
    )


def facts_of(kept: Checkpoint) -> CheckpointFacts:
    """Of one that was added, with its LoRA. Raises as `look`."""
    return look(Path(kept.folder), Path(kept.lora) if kept.lora else None)


def _look_at_lora(folder: Path) -> None:
    config = config_of(folder, ADAPTER) if folder.is_dir() else {}
    if not config:
        raise UserError(f"has no {ADAPTER}.", place=folder, hint="Choose the folder of an adapter of peft.")
    if not (folder / LORA_WEIGHTS).is_file():
        pickled = any(folder.glob("adapter_model*.bin"))
        why = "has pickled weights only, which may run code; they are not read" if pickled else f"has no {LORA_WEIGHTS}"
        raise UserError(f"{why}.", place=folder, hint="Save it with save_pretrained(safe_serialization=True).")


def _sees(config: dict[str, Any]) -> bool:
    return any(name in config for name in ("vision_config", "vision_tower", "visual", "image_token_id"))


def _writes(config: dict[str, Any]) -> bool:
    name = _architecture(config)
    return name.endswith(("ForConditionalGeneration", "ForCausalLM", "ForImageTextToText", "Chat", "ChatModel"))


def _architecture(config: dict[str, Any]) -> str:
    named = config.get("architectures")
    return str(named[0]) if isinstance(named, list) and named else ""


def _has_template(folder: Path) -> bool:
    if any((folder / name).is_file() for name in TEMPLATES):
        return True
    return any(config_of(folder, name).get("chat_template") for name in ("tokenizer_config.json", *PROCESSORS))


def _dtype(config: dict[str, Any]) -> str:
    text = config.get("text_config")
    named = config.get("dtype") or config.get("torch_dtype") or (text.get("dtype") if isinstance(text, dict) else "")
    return str(named or "")[:20]


def _licence(folder: Path) -> str:
    try:
        with (folder / "README.md").open(encoding="utf-8", errors="replace") as card:
            found = _LICENCE.search(card.read(_CARD))
    except OSError:
        return ""
    return found[1].strip("'\"")[:60] if found else ""
