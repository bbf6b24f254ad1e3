"""The commands of Tools > Ordering; their keys hold in that workspace only."""

from __future__ import annotations

from stepscope.app.gui.shell.commands.command import Command

ORDERING = "ordering"
MENU = "&Tools/Or&dering"
SURE = f"{MENU}/&How Sure"
HELPED = f"{MENU}/&Which Input Helped"
NO_EPISODE = "no procedure is open"

ORDERING_COMMANDS: tuple[Command, ...] = (
    Command(
        "ordering.left", "Move Card &Left", MENU, ("Ctrl+Shift+Left",), "episode", NO_EPISODE, autorepeat=True,
        section=True, workspace=ORDERING,
    ),
    Command(
        "ordering.right", "Move Card &Right", MENU, ("Ctrl+Shift+Right",), "episode", NO_EPISODE, autorepeat=True,
        workspace=ORDERING,
    ),
    Command(
        "ordering.up", "Move Card to the Line &Above", MENU, ("Ctrl+Shift+Up",), "episode", NO_EPISODE,
        workspace=ORDERING, tip="To the first place where the cards stand on one line",
    ),
    Command(
        "ordering.down", "Move Card to the Line &Below", MENU, ("Ctrl+Shift+Down",), "episode", NO_EPISODE,
        workspace=ORDERING, tip="To the last place where the cards stand on one line",
    ),
    Command("ordering.shuffle", "&Shuffle", MENU, ("R",), "episode", NO_EPISODE, workspace=ORDERING),
    Command(
        "ordering.alternative", "Right &Too", MENU, ("A",), "episode", NO_EPISODE, workspace=ORDERING,
        tip="Keep the order as it stands as another one that is right",
    ),
    Command(
        "ordering.accept", "A&ccept My Order", MENU, (), "episode", NO_EPISODE,
        tip="Enter on the cards; blind, the next procedure comes",
    ),
    Command(
        "ordering.blind", "Annotate Bl&ind or Explore", MENU, (), "episode", NO_EPISODE, section=True,
        tip="Blind, models, reference and metrics are hidden until the order is accepted",
    ),
    Command(
        "ordering.open", "Open Step in Repla&y", MENU, ("Shift+Return", "Shift+Enter"), "episode", NO_EPISODE,
        workspace=ORDERING, tip="A double click on its card does the same; not while the order is hidden",
    ),
    Command("ordering.pause", "&Pause or Continue the Clock", MENU, ("Space",), "episode", NO_EPISODE,
            workspace=ORDERING),
    Command("ordering.input", "Text, Pict&ure or Both", MENU, ("T",), "episode", NO_EPISODE, workspace=ORDERING),
    Command(
        "ordering.next", "&Next Procedure Given to Me", MENU, (), "episode", NO_EPISODE,
        tip="The next that you have not ordered, of those that you were given where you were given some",
    ),
    Command(
        "ordering.people", "Board or P&eople", MENU, (), "episode", NO_EPISODE,
        tip="Who is given what, how far people agree, who is flagged, what helped, and references that people voted",
    ),
    Command("ordering.all", "Board or All Pr&ocedures", MENU, ("V",), "episode", NO_EPISODE, workspace=ORDERING),
    *(
        Command(
            f"ordering.sure{level}", f"&{level}{words}", SURE, (str(level),), "episode", NO_EPISODE,
            section=level == 1, workspace=ORDERING,
        )
        for level, words in enumerate((" (a Guess)", "", "", "", " (Certain)"), start=1)
    ),
    *(
        Command(
            f"ordering.{word}", title, HELPED, (f"Shift+{key}",), "episode", NO_EPISODE, workspace=ORDERING,
        )
        for word, title, key in (
            ("text", "&Text", "T"), ("picture", "&Picture", "I"), ("both", "&Both", "B"), ("neither", "&Neither", "N"),
        )
    ),
)  # fmt: skip
