"""Folders of models as Hugging Face's libraries write them: what is read of them, and what is refused unread."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stepscope.core.errors import UserError
from stepscope.core.own_files import read_json

CONFIG, TOKENIZER, PROCESSOR = "config.json", "tokenizer.json", "preprocessor_config.json"
INDEX = "model.safetensors.index.json"
"""Which part of the weights lies in which file, where they are several."""
ADAPTER = "adapter_config.json"
_ANOTHER = "Choose another folder."
_TOLD = (CONFIG, "tokenizer_config.json", PROCESSOR, "processor_config.json", "video_preprocessor_config.json")
"""Files in which code of the folder's own can be named (`auto_map`)."""
_OF_TOKENIZER = (TOKENIZER, "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "vocab.json",
                 "vocab.txt", "merges.txt", "spiece.model", "sentencepiece.bpe.model", "tokenizer.model")  # fmt: skip
_MOST_LAYERS = 1000
"""Of one network; the deepest public ones have a tenth of that. A larger number would be built without end."""
_PICKLED = ("pytorch_model*.bin", "*.pt", "*.pth", "*.ckpt")
_CONVERT = (
    "Convert it where it is trusted, in Python: AutoModel.from_pretrained(FOLDER).save_pretrained(NEW), "
    "and copy its tokenizer's files there."
)


def config_of(folder: Path, name: str = CONFIG) -> dict[str, Any]:
    """The object in one of the folder's JSON files; {} where there is no such file. Raises UserError naming it."""
    file = folder / name
    try:
        found = read_json(file)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UserError(f"cannot be read: {error}", place=file, hint=_ANOTHER) from error
    if not isinstance(found, dict):
        raise UserError("is no object of JSON.", place=file, hint=_ANOTHER)
    return found


def present(folder: Path, *names: str) -> tuple[Path, ...]:
    """Those of the files that are there."""
    return tuple(folder / name for name in names if (folder / name).is_file())


def tokenizer_files(folder: Path) -> tuple[Path, ...]:
    """All files by which the folder's tokenizer takes texts apart."""
    return present(folder, *_OF_TOKENIZER)


def refuse_code(folder: Path) -> None:
    """Raises UserError for a folder that names code of its own: none of it is ever run. And as `refuse_layers`."""
    for name in _TOLD:
        config = config_of(folder, name)
        refuse_layers(folder / name, config)
        if names_code(config):
            hint = "Choose a model that is part of the library transformers."
            raise UserError("names Python code that the model brings (auto_map); it is not run.", place=folder / name,
                            hint=hint)  # fmt: skip


def refuse_layers(file: Path, config: dict[str, Any]) -> None:
    """Raises UserError for a network of more layers than there are in any: it would be built without end."""
    if (layers := _layers(config)) > _MOST_LAYERS:
        raise UserError(f"describes a network of {layers:,} layers.", place=file, hint=_ANOTHER)


def tensors_in(folder: Path) -> tuple[Path, ...]:
    """The folder's files of weights, all safetensors, in the order of their names. Raises UserError where there are
    none: what is pickled may run code, and an adapter is no model by itself."""
    if (folder / ADAPTER).exists():
        hint = "Merge it into its model (merge_and_unload), and save that."
        raise UserError("is an adapter, no whole model.", place=folder, hint=hint)
    found = tuple(sorted(one for one in folder.glob("*.safetensors") if one.is_file()))
    if found:
        _check_shards(folder, {one.name for one in found})
        return found
    if any(any(folder.glob(pattern)) for pattern in _PICKLED):
        raise UserError("has pickled weights only, which may run code; they are not read.", place=folder, hint=_CONVERT)
    raise UserError("has no weights (*.safetensors).", place=folder, hint=_ANOTHER)


def _check_shards(folder: Path, found: set[str]) -> None:
    """Raises UserError where the index names a part that is not in the folder: half a download, or a way out of it."""
    shards = config_of(folder, INDEX).get("weight_map", {})
    names = set(map(str, shards.values())) if isinstance(shards, dict) else {"?"}
    if missing := sorted(names - found):
        why = f"names {missing[0][:80]!r}, which is not beside it ({len(missing)} of {len(names)} parts)."
        raise UserError(why, place=folder / INDEX, hint="Finish the download.")


def names_code(found: Any, depth: int = 0) -> bool:
    """Whether `auto_map` stands anywhere in it: parts of a model have configs of their own within its config."""
    if depth > 20:
        return True  # as deep as no config is
    if isinstance(found, dict):
        return bool(found.get("auto_map")) or any(names_code(one, depth + 1) for one in found.values())
    return isinstance(found, list) and any(names_code(one, depth + 1) for one in found)


def _layers(found: Any, depth: int = 0) -> int:
    """The largest number of layers that any part of a config asks for."""
    if not isinstance(found, dict) or depth > 20:
        return 0
    most = 0
    for name, value in found.items():
        if type(value) is int and ("layers" in name or "depth" in name):
            most = max(most, value)
        most = max(most, _layers(value, depth + 1))
    return most
