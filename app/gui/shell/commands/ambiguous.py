"""The commands of Tools > Ambiguous Tasks; their keys hold in that workspace only."""

from __future__ import annotations

from stepscope.app.gui.shell.commands.command import Command

REVIEW = "ambiguous"
MENU = "&Tools/A&mbiguous Tasks"
NO_TASK = "no task is shown in Review"
NO_SOURCE = "nothing is open"

AMBIGUOUS_COMMANDS: tuple[Command, ...] = (
    Command("ambiguous.make", "&Make Ambiguous Tasks…", MENU, (), "source", NO_SOURCE,
            tip="Leave out of goals what a step needs, with a question and its answer: by rules or by a model"),
    Command("ambiguous.review", "Re&view Ambiguous Tasks", MENU, tip="Read them, correct them, reject them"),
    Command("ambiguous.export", "Expor&t Ambiguous Tasks…", MENU, (), "source", NO_SOURCE,
            tip="As recordings, as ask records, or in the layout of Navi-plus"),
    Command("ambiguous.accept", "&Accept Task", MENU, ("A",), "ambiguous_task", NO_TASK, section=True,
            workspace=REVIEW, tip="It stands as it was made"),
    Command("ambiguous.edit", "&Edit Task", MENU, ("E",), "ambiguous_task", NO_TASK, workspace=REVIEW,
            tip="Goal, questions and answers; the rules look at what is written"),
    Command("ambiguous.reject", "&Reject Task…", MENU, ("R",), "ambiguous_task", NO_TASK, workspace=REVIEW,
            tip="With a reason or without"),
    Command("ambiguous.undo", "&Undo in Review", MENU, ("U",), "undo", "nothing to undo", workspace=REVIEW),
    Command("ambiguous.next", "Ne&xt Task", MENU, ("J", "Down"), "ambiguous_task", NO_TASK,
            section=True, autorepeat=True, workspace=REVIEW),
    Command("ambiguous.previous", "&Previous Task", MENU, ("K", "Up"), "ambiguous_task", NO_TASK, autorepeat=True,
            workspace=REVIEW),
    Command("ambiguous.next_open", "Next &Open Task", MENU, ("N",), "ambiguous_task", NO_TASK, workspace=REVIEW,
            tip="The next one of which you have said nothing"),
    Command("ambiguous.agreement", "A&greement of Reviewers", MENU, (), "source", NO_SOURCE, section=True,
            tip="How far people agree, and on what they differ"),
    Command("ambiguous.statistics", "&Statistics of Ambiguous Tasks", MENU, (), "source", NO_SOURCE,
            tip="How long tasks are, and how many have enough to leave out"),
    Command("ambiguous.shown", "Task or &Figures", MENU, ("G",), "ambiguous_task", NO_TASK, workspace=REVIEW,
            tip="The task, agreement, statistics, one after the other"),
)  # fmt: skip
