"""The commands of the Device menu; the keys of most hold in the Live workspace only."""

from __future__ import annotations

from stepscope.app.gui.shell.commands.command import Command

NO_DEVICE = "no device is connected"
NO_RECORDING = "nothing is being recorded"
NO_PROPOSAL = "the agent proposes nothing"
NO_AGENT = "no agent is at work"
LIVE, MIRROR = "live", "mirror"
"""The workspace, and its view of the device, whose are the bare letters that act on the device or begin a recording."""

DEVICE_COMMANDS: tuple[Command, ...] = (
    Command("device.connect", "&Connect…", "&Device", tip="A phone by address, or by cable after allowing it there"),
    Command(
        "device.simulated", "Simulated &Phone", "&Device", tip="A phone made of this project's own pages: no hardware"
    ),
    Command(
        "device.replay", "Open &Data as Phone", "&Device", needs="source", why_not="nothing is open",
        tip="Walk through the recorded screens of the open data; what nobody recorded there changes nothing",
    ),
    Command("device.refresh", "Look for Devices", "&Device", ("F5",), workspace=LIVE),
    Command(
        "record.toggle", "Reco&rd", "&Device", ("R",), "device", NO_DEVICE, checkable=True, section=True,
        workspace=LIVE, view=MIRROR,
        tip="Keep every action with the screen and UI tree before it; again: end the recording",
    ),
    Command(
        "record.pause", "Pause Recording", "&Device", (), "recording", NO_RECORDING, checkable=True,
        tip="What is done meanwhile is not recorded",
    ),
    Command(
        "record.login", "Logging In", "&Device", (), "recording", NO_RECORDING, checkable=True,
        tip="Steps of a login are left out, and nothing of them is stored",
    ),
    Command("record.undo", "Take Back &Last Step", "&Device", ("Ctrl+Z",), "device", NO_DEVICE, workspace=LIVE),
    Command(
        "record.redo", "Put Back Step", "&Device", ("Ctrl+Shift+Z", "Ctrl+Y"), "device", NO_DEVICE, workspace=LIVE
    ),
    Command("record.open", "Open Last Recordin&g", "&Device", needs="recorded", why_not="nothing was recorded"),
    Command(
        "record.note", "&Note on Recording", "&Device", ("W",), "recording", NO_RECORDING, workspace=LIVE, view=MIRROR
    ),
    Command(
        "device.screenshot", "&Screenshot", "&Device", ("C",), "device", NO_DEVICE, section=True, workspace=LIVE,
        view=MIRROR,
    ),
    Command("device.save_screen", "Sa&ve Screen and Tree…", "&Device", needs="device", why_not=NO_DEVICE),
    Command("device.install", "&Install App…", "&Device", (), "installs", "this device installs no apps"),
    Command("device.back", "&Back", "&Device", ("B",), "device", NO_DEVICE, section=True, workspace=LIVE, view=MIRROR),
    Command("device.home", "&Home", "&Device", ("H",), "device", NO_DEVICE, workspace=LIVE, view=MIRROR),
    Command("device.recents", "R&ecents", "&Device", needs="device", why_not=NO_DEVICE),
    Command("device.rotate", "R&otate", "&Device", (), "rotates", "this device cannot be turned from here"),
    Command("device.power", "Po&wer", "&Device", needs="device", why_not=NO_DEVICE),
    Command("device.keys", "&Keys to Device", "&Device", ("Ctrl+Shift+K",), "device", NO_DEVICE, checkable=True),
    Command(
        "device.freeze", "Stop the Pict&ure", "&Device", (), "device", NO_DEVICE, checkable=True,
        tip="The picture stands still; the device goes on",
    ),
    Command("agent.approve", "&Approve", "&Device/Agen&t", ("Return", "Enter"), "proposal", NO_PROPOSAL,
            section=True, workspace=LIVE),
    Command("agent.reject", "&Reject", "&Device/Agen&t", ("Backspace",), "proposal", NO_PROPOSAL, workspace=LIVE),
    Command("agent.pause", "&Pause or Continue", "&Device/Agen&t", ("Ctrl+Space",), "agent", NO_AGENT, workspace=LIVE),
    Command("agent.stop", "&Stop", "&Device/Agen&t", needs="agent", why_not=NO_AGENT),
    Command("agent.words", "&Words That Always Ask…", "&Device/Agen&t", section=True,
            tip="An agent touches nothing that has one of these words, and nothing in these apps, without being told"),
    Command("device.models", "Models on the Picture…", "&Device", needs="device", why_not=NO_DEVICE,
            tip="Models show on the live picture what they would do next, and what they make of what was done"),
    Command(
        "campaign.open", "Ca&mpaigns…", "&Device", section=True,
        tip="Several people demonstrate goals in apps, and say whether each can be reached",
    ),
    Command("device.reconnect", "Reconnect", "&Device", needs="device", why_not=NO_DEVICE, section=True),
    Command("device.disconnect", "Disconnect", "&Device", needs="device", why_not=NO_DEVICE),
)  # fmt: skip
