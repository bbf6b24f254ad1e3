"""Keys in words: the rows of the page, what a clash says, what stands on the keyboard, and the page for printing."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import QKeySequence

from stepscope.app.gui.shell.commands.command import Command
from stepscope.app.gui.shell.commands.key_table import KeyTable, key_name
from stepscope.widgets.preferences import KeyCap, KeyRow, KeyState

PLACES = {
    "results": "Results", "compare": "Compare", "ordering": "Ordering", "judge": "Judge", "live": "Live",
    "webtask": "Web task", "ambiguous": "Review",
}  # fmt: skip
"""Workspaces with keys of their own."""
_UNSHIFTED = dict(zip('~!@#$%^&*()_+{}:"<>?', "`1234567890-=[];',./", strict=True))


def key_rows(table: KeyTable) -> list[KeyRow]:
    """All commands in the order of their menus, those without one last."""
    clashes = table.all_clashes()
    rows = [_row(table, row, row.id in clashes) for row in table.rows]
    rows += [_row(table, row, clash=False, is_fixed=True) for row in table.fixed]
    order = list(dict.fromkeys(row.group for row in rows))
    return sorted(rows, key=lambda row: order.index(row.group))


def _row(table: KeyTable, row: Command, clash: bool, is_fixed: bool = False) -> KeyRow:
    keys = row.keys if is_fixed else table.keys(row)
    remarks = []
    if is_fixed:
        remarks.append("is always this key")
    elif table.is_changed(row):
        remarks.append(f"was {' or '.join(row.keys)}" if row.keys else "had none")
    if not is_fixed:
        remarks += [f"{key} is {other.plain_text} in {_where(other)}" for key, other in table.elsewhere(row.id)[:2]]
    return KeyRow(
        id=row.id,
        group=_group(row),
        title=row.plain_text,
        menu=row.menu.replace("&", "").replace("/", " ▸ "),
        place=row.workspace,
        where=_where(row),
        keys=keys,
        remark=", ".join(remarks),
        is_changed=not is_fixed and table.is_changed(row),
        is_fixed=is_fixed,
        clash=clash,
    )


def clash_words(table: KeyTable, command: str, key: str) -> str:
    """Who has the key where this command holds; "" where nobody has."""
    others = table.clashes(command, key)
    if not others:
        return ""
    names = " and ".join(f"“{row.plain_text}”" for row in others)
    fixed = any(row in table.fixed for row in others)
    more = ", and stays with it." if fixed else "."
    return f"{_native(key)} already goes to {names} ({_where(others[0])}){more}"


def key_caps(table: KeyTable, held: str, workspace: str) -> dict[str, KeyCap]:
    """What stands on the keyboard with that key held (or "") in that workspace ("": one without keys of its own)."""
    keys, clashes = table.by_command(workspace), table.all_clashes()
    found: dict[str, list[Command]] = {}
    for row in table.rows:
        for key in keys[row.id]:
            if (place := _place_on_keyboard(key, held)) is not None:
                found.setdefault(place, []).append(row)
    for row in table.fixed:
        if row.workspace in ("", workspace):
            for key in row.keys:
                if (place := _place_on_keyboard(key, held)) is not None:
                    found.setdefault(place, []).append(row)
    caps = {}
    for place, rows in found.items():
        state = KeyState.CHANGED if any(table.is_changed(row) for row in rows) else KeyState.TAKEN
        if any(row.id in clashes for row in rows):
            state = KeyState.CLASH
        caps[place] = KeyCap(tuple(row.plain_text for row in rows), state)
    return caps


def keys_page(table: KeyTable) -> str:
    """All keys as one HTML page that needs nothing else, by menu."""
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Stepscope keys</title><style>",
        "body{font:14px system-ui,sans-serif;margin:2em auto;max-width:60em;color:#1b2027}",
        "table{border-collapse:collapse;width:100%;margin-bottom:1.5em}td{border-top:1px solid #ddd;padding:4px 8px}",
        "td:nth-child(2){color:#586170;width:9em}td:nth-child(3){width:16em}",
        "kbd{border:1px solid #bbb;border-radius:4px;padding:1px 5px;font:12px monospace}",
        "h2{font-size:15px;margin:1em 0 .3em}@media print{h2{break-after:avoid}}</style><h1>Stepscope keys</h1>",
    ]
    group = ""
    for row in key_rows(table):
        if not row.keys:
            continue
        if row.group != group:
            parts.append(f"{'</table>' if group else ''}<h2>{escape(row.group)}</h2><table>")
            group = row.group
        keys = " ".join(f"<kbd>{escape(_native(key))}</kbd>" for key in row.keys)
        parts.append(f"<tr><td>{escape(row.title)}<td>{escape(row.where)}<td>{keys}")
    return "".join([*parts, "</table></html>\n"])


def _place_on_keyboard(key: str, held: str) -> str | None:
    """The key of the keyboard that this chord is, with `held` ("", "Shift", "Ctrl", "Alt") and nothing else held."""
    name = key_name(key)
    *mods, last = name.split("+") if not name.endswith("++") else [*name[:-2].split("+"), "+"]
    if name == "+":
        mods, last = [], "+"
    if last in _UNSHIFTED and mods in ([], ["Shift"]):
        mods, last = ["Shift"], _UNSHIFTED[last]
    wanted = [held] if held else []
    return last if mods == wanted and len(last) == 1 else None


def _group(row: Command) -> str:
    return row.menu.split("/")[0].replace("&", "") or ("While held" if row.id.startswith("hold.") else "No menu")


def _where(row: Command) -> str:
    return PLACES.get(row.workspace, row.workspace.title()) or "everywhere"


def _native(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
