"""What a tokenizer's file (tokenizer.json) says of itself, looked at before the library, which is Rust, reads it.

The library ends its process where memory runs out, and a short file can ask for any amount: texts that grow at every
step, sizes that nothing holds up.
"""

from __future__ import annotations

import base64
import struct
from pathlib import Path
from typing import Any

from stepscope.core.json_bounds import TooManyValues, bounded_loads
from stepscope.core.limits import exceeded, limit, written_figure
from stepscope.models.runtimes.weights import damaged_by, open_weights

_MOST_GROWTH = 1000
"""Times that a text may grow; the sign of SentencePiece for a space has three bytes."""
_MOST_ADDED = 1000
"""Signs that are put around a text; two in most models."""
_DEEPEST = 20


def tokenizer_text(file: Path) -> str:
    """The file's JSON text. Raises UserError naming the file where it is none, would let texts grow beyond all bounds,
    or is longer than `model-tokenizer-bytes`."""
    most = limit("model-tokenizer-bytes")
    with open_weights(file) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        words = f"this tokenizer has more than {written_figure('bytes', most)}."
        raise exceeded("model-tokenizer-bytes", words, place=file)
    try:
        text = data.decode("utf-8")
        form = bounded_loads(text)
    except TooManyValues as error:
        raise exceeded("json-nodes", f"{error}.", place=file) from error
    except (ValueError, RecursionError) as error:
        raise damaged_by(file, f"it is no JSON: {str(error)[:200]}") from error
    if not isinstance(form, dict):
        raise damaged_by(file, "it is no tokenizer")
    try:
        growth = _growth(form.get("normalizer"), 0) * _growth(form.get("pre_tokenizer"), 0)
        added = _added(form.get("post_processor"), 0)
    except (TypeError, ValueError, struct.error) as error:
        raise damaged_by(file, f"its steps cannot be read: {str(error)[:200]}") from error
    if growth > _MOST_GROWTH or added > _MOST_ADDED:
        raise damaged_by(file, f"a text would grow more than {_MOST_GROWTH:,} times")
    return text


def _growth(step: Any, depth: int) -> int:
    """How many times as long a text may become, at the most, by a step and those within it; capped."""
    if not isinstance(step, dict):
        return 1
    if depth > _DEEPEST:
        raise ValueError("they are nested too deeply")
    if step.get("type") == "Precompiled":
        _check_charsmap(step.get("precompiled_charsmap"))
    growth = 1
    pattern, content = step.get("pattern"), step.get("content", step.get("prepend"))
    if isinstance(content, str):
        plain = pattern.get("String") if isinstance(pattern, dict) else "all"
        growth = max(1, len(content) + (not plain))  # an expression may fit between any two letters too
    for name in ("normalizers", "pretokenizers"):
        for one in step.get(name) or ():
            growth = min(growth * _growth(one, depth + 1), _MOST_GROWTH + 1)
    return growth


def _check_charsmap(packed: Any) -> None:
    """A table of characters (SentencePiece): the size of its tree in bytes, the tree, texts."""
    data = base64.b64decode(packed or "", validate=True)
    size = struct.unpack_from("<I", data)[0]
    if size % 4 or size > len(data) - 4:
        raise ValueError("a table of characters is cut off")


def _added(step: Any, depth: int) -> int:
    if not isinstance(step, dict):
        return 0
    if depth > _DEEPEST:
        raise ValueError("they are nested too deeply")
    own = max(len(step.get(name) or ()) for name in ("single", "pair"))
    signs = step.get("special_tokens")
    if isinstance(signs, dict):
        own = max(
            own, own * max((len(one.get("ids", ())) for one in signs.values() if isinstance(one, dict)), default=0)
        )
    return own + sum(_added(one, depth + 1) for one in step.get("processors") or ())
