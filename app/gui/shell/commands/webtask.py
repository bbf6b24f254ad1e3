"""The commands of Tools > Web Task; their keys hold in that workspace only."""

from __future__ import annotations

from stepscope.app.gui.shell.commands.command import Command

WEBTASK = "webtask"
MENU = "&Tools/&Web Task"
NO_PAGE = "no web task's page is open"
NO_TASKS = "no web tasks are open"

WEBTASK_COMMANDS: tuple[Command, ...] = (
    Command(
        "webtask.submit", "&Submit and Next", MENU, ("Ctrl+Return",), "webpage_yours", NO_PAGE, section=True,
        workspace=WEBTASK, tip="Keep your answers and go to the next page that you have not answered",
    ),
    Command("webtask.undo", "&Undo on the Page", MENU, ("Ctrl+Z",), "webpage_yours", NO_PAGE, workspace=WEBTASK),
    Command(
        "webtask.redo", "&Redo on the Page", MENU, ("Ctrl+Shift+Z", "Ctrl+Y"), "webpage_yours", NO_PAGE,
        workspace=WEBTASK,
    ),
    Command(
        "webtask.reload", "Open Page Ane&w", MENU, ("F5",), "webpage", NO_PAGE, workspace=WEBTASK,
        tip="As it came; your answers to it are taken back",
    ),
    Command("webtask.take_back", "Take Back Last Su&bmission", MENU, (), "webpage_taken", "nothing was submitted"),
    Command(
        "webtask.solve", "So&lve This Page…", MENU, ("R",), "webpage", NO_PAGE, section=True, workspace=WEBTASK,
        tip="Let a model or one of the baselines fill in this page, and watch it",
    ),
    Command(
        "webtask.worst", "Open Worst Pa&ge", MENU, (), "webpage_run", "no run of web tasks is shown",
        tip="The page with the lowest score of the run that is shown, at its worst field",
    ),
    Command("webtask.stop", "S&top Solving", MENU, (), "webpage_solving", "nothing is at work on the page"),
    Command("webtask.keep", "Open as &Episode", MENU, (), "webpage", NO_PAGE,
            tip="The shown actions as steps with screens, which replay and compare like any episode"),
    Command("webtask.picture", "Save &Picture of Page…", MENU, ("C",), "webpage", NO_PAGE, workspace=WEBTASK),
    Command("webtask.export", "E&xport Answers…", MENU, (), "webtasks", NO_TASKS,
            tip="People's answers as a table of the crowd platform"),
    Command("webtask.import", "&Import Answers…", MENU, (), "webtasks", NO_TASKS),
    Command("webtask.people", "Pe&ople…", MENU, (), "webtasks", NO_TASKS,
            tip="Who fills pages in, how far everybody is, and how far they agree"),
    Command("webtask.check", "&Check Templates…", MENU, (), "webtasks", NO_TASKS, section=True,
            tip="Open a page of every task, and tell which answer fields it lacks and what it asks of the network"),
)  # fmt: skip
