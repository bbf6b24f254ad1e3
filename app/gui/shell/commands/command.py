"""A command is a row: id, words, menu, shortcut, condition. Menus, palette and shortcut page are derived from it."""

from __future__ import annotations

from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """`menu` is the path of menus ("View/Layers"), "" for none; `needs` names the state it depends on (`Conditions`).

    `why_not` tells, in the palette, why the command rests when its condition does not hold. Several `keys` do the same.
    `autorepeat` keys fire again while held. `section` starts a new block in its menu. The keys of a row with a
    `workspace` hold in that workspace only, and there take the place of what they mean elsewhere; those of a row with
    a `view` besides only while that view has the keyboard (`CommandBar.give_keys`): they act on the world.
    """

    id: str
    text: str
    menu: str = ""
    keys: tuple[str, ...] = ()
    needs: str = ""
    why_not: str = ""
    checkable: bool = False
    section: bool = False
    autorepeat: bool = False
    tip: str = ""
    workspace: str = ""
    view: str = ""

    @property
    def plain_text(self) -> str:
        """The words without the mnemonic mark and dots."""
        return self.text.replace("&", "").rstrip("….")
