"""Manifests as TOML text (https://toml.io, version 1.0): numbers, texts, lists of them, tables and lists of tables.

The standard library reads TOML and does not write it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any


def toml_text(form: Mapping[str, Any], notes: Mapping[str, str] | None = None) -> str:
    """The tables as text that `tomllib` reads back to the same. `notes` are comments for fields by their name with
    dots, such as `inputs.image.width`; fields that are only noted stand there commented out.

    Raises TypeError for a value that a manifest does not have.
    """
    notes = notes or {}
    lines = _fields(form, "", notes)
    for name, value in form.items():
        if isinstance(value, Mapping):
            lines += ["", f"[{name}]", *_fields(value, f"{name}.", notes)]
    for name, value in form.items():
        if _is_tables(value):
            for one in value:
                lines += ["", f"[[{name}]]", *_fields(one, f"{name}.{one.get('name', '')}.", notes)]
    return "\n".join(lines) + "\n"


def _fields(form: Mapping[str, Any], within: str, notes: Mapping[str, str]) -> list[str]:
    lines = []
    for name, value in form.items():
        if not isinstance(value, Mapping) and not _is_tables(value):
            note = notes.get(f"{within}{name}", "")
            lines.append(f"{name} = {_value(value)}" + (f"  # {_plain(note)}" if note else ""))
    for name, note in notes.items():
        field = name.removeprefix(within)
        if name.startswith(within) and "." not in field and field not in form:
            lines.append(f"# {field} =   # {_plain(note)}")
    return lines


def _is_tables(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and any(isinstance(one, Mapping) for one in value)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        # JSON's escapes are TOML's, but for halves of surrogate pairs and the delete character.
        return json.dumps(value.encode("utf-8", "replace").decode(), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Sequence):
        return f"[{', '.join(map(_value, value))}]"
    raise TypeError(f"{type(value).__name__} cannot be written")


def _plain(note: str) -> str:
    return " ".join(note.split())
