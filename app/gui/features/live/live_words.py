"""What happens on a device, in the words of log, strip and conversation."""

from __future__ import annotations

from stepscope.core.device.device import DeviceInfo, DeviceState
from stepscope.core.device.mirror import MirrorPhase, MirrorState
from stepscope.core.device.session import PerformedAction
from stepscope.core.domain.action import Type
from stepscope.widgets.common.action_words import action_words
from stepscope.widgets.format import counted
from stepscope.widgets.live import DeviceRow, RowState
from stepscope.widgets.live.mirror import reconnecting, starting

_STATES = {
    DeviceState.READY: RowState.READY,
    DeviceState.UNAUTHORISED: RowState.UNAUTHORISED,
    DeviceState.OFFLINE: RowState.OFFLINE,
    DeviceState.NO_PERMISSION: RowState.NO_PERMISSION,
    DeviceState.UNKNOWN: RowState.UNKNOWN,
}


def acted_line(acted: PerformedAction) -> str:
    """One line of the log. Typed text is not told: where the screen was not looked at it may be a password."""
    if isinstance(acted.action, Type):
        return f"Type {counted(len(acted.action.text), 'character')}"
    said = action_words(acted.action)
    return f"{said.word} {said.detail}".strip()


def device_row(
    info: DeviceInfo, *, state: RowState | None = None, detail: str = "", forgettable: bool = False
) -> DeviceRow:
    """A device of the list; `state` and `detail` replace its own while it is open."""
    kind = info.kind.value
    own = info.detail if kind == "simulated" else f"{kind[:1].upper()}{kind[1:]} · {info.detail}".rstrip(" ·")
    return DeviceRow(info.serial, info.name, kind, state or _STATES[info.state], detail or own, info.hint, forgettable)


def starting_words(name: str) -> str:
    """ "Starting the simulated phone", "Starting Pixel 7"."""
    return starting(f"the {name[:1].lower()}{name[1:]}" if name.startswith("Simulated") else name)


def notice(state: MirrorState, name: str) -> str:
    """Words over the picture, "" when it is live."""
    match state.phase:
        case MirrorPhase.CONNECTING:
            return starting_words(name)
        case MirrorPhase.LOST:
            return reconnecting(state.attempt)
        case MirrorPhase.FAILED:
            return f"No picture: {state.why}"
        case _:
            return ""
