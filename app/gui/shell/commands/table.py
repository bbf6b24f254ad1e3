"""All commands of the window, in menu order. Nothing else decides what a key or a menu entry does."""

from __future__ import annotations

from stepscope.app.gui.shell.commands.ambiguous import AMBIGUOUS_COMMANDS
from stepscope.app.gui.shell.commands.command import Command
from stepscope.app.gui.shell.commands.device import DEVICE_COMMANDS
from stepscope.app.gui.shell.commands.judge import JUDGE_COMMANDS
from stepscope.app.gui.shell.commands.ordering import ORDERING_COMMANDS
from stepscope.app.gui.shell.commands.webtask import WEBTASK_COMMANDS

NO_SOURCE = "nothing is open"
NO_STEP = "no episode is open"
NO_RUN = "no run is chosen"
NO_ELEMENT = "no element is chosen"
ONE_RUN = "fewer than two runs are shown"
NO_FILTER = "no filter is set"
SOUND_STORE = "the store is not damaged"
NO_TRAINING = "nothing is being trained"

COMMANDS: tuple[Command, ...] = (
    # File
    Command("open.folder", "Open &Folder…", "&File", ("Ctrl+Shift+O",), tip="Open a folder of recorded episodes"),
    Command("open.file", "&Open File…", "&File", ("Ctrl+O",), tip="Open an episode file or import a prediction file"),
    Command("open.link", "Open Lin&k…", "&File", tip="Go to the step that a copied link names"),
    Command("open.sample", "Open &Sample", "&File", tip="Open the sample that this project made"),
    Command("open.sample_web", "Open Sample &Web Tasks", "&File", tip="Pages to be filled in, made by this project"),
    Command(
        "open.procedures", "Open as &Procedures", "&File", needs="source", why_not=NO_SOURCE,
        tip="Open the current episodes as procedures: steps in words whose order is to be found",
    ),
    Command(
        "import.predictions", "&Import Predictions…", "&File", ("Ctrl+I",), "source", NO_SOURCE, section=True,
        tip="Score predictions that were made elsewhere (JSON Lines)",
    ),
    Command("import.bundle", "Import Run &Bundle…", "&File", tip="A run of another store, as a bundle"),
    Command("session.save", "Save Sessio&n", "&File", ("Ctrl+S",), section=True, tip="Keep what is open and where"),
    Command("session.save_as", "Save Session As…", "&File", tip="Under a name, to be opened again"),
    Command("session.open", "Sessions…", "&File", tip="Those that were saved under a name: open one, or delete it"),
    Command(
        "results.export", "What Res&ults Show…", "&File/&Export", ("Ctrl+E",), "run", NO_RUN, workspace="results",
        tip="The leaderboard as LaTeX, Markdown or CSV; of one run, what can be written of it",
    ),
    Command(
        "export.csv", "&CSV of the Items…", "&File/&Export", needs="run", why_not=NO_RUN, section=True,
        tip="One row an item: those that the results show",
    ),
    Command(
        "export.html", "&HTML Report…", "&File/&Export", needs="run", why_not=NO_RUN,
        tip="One file to send: numbers, plots, settings, wrong items with pictures",
    ),
    Command(
        "export.pictures", "&Annotated Pictures…", "&File/&Export", needs="run", why_not=NO_RUN,
        tip="One PNG an item into a folder: those that the results show",
    ),
    Command("export.latex", "&LaTeX Table…", "&File/&Export", needs="run", why_not=NO_RUN),
    Command(
        "export.rules", "Table of All &Rules…", "&File/&Export", needs="run", why_not=NO_RUN,
        tip="The run under every rule that it was scored by, as CSV, Markdown or LaTeX",
    ),
    Command(
        "export.predictions", "&Predictions as JSON Lines…", "&File/&Export", needs="run", why_not=NO_RUN,
        tip="What the model answered, to be imported and scored again",
    ),
    Command(
        "export.bundle", "Run &Bundle…", "&File/&Export", needs="run", why_not=NO_RUN,
        tip="The whole run, for another store",
    ),
    Command(
        "export.picture", "Picture of This &Step…", "&File/&Export", ("Ctrl+E",), "step", NO_STEP, section=True,
        tip="The step as the screen shows it, with its marks",
    ),
    Command(
        "export.animation", "Animation of This &Episode…", "&File/&Export", needs="step", why_not=NO_STEP,
        tip="Its steps one after the other, as animated WebP or MP4",
    ),
    Command(
        "export.page", "Pa&ge of This Episode…", "&File/&Export", needs="step", why_not=NO_STEP,
        tip="One HTML file to send: every step with its marks, what runs answered, and notes",
    ),
    Command(
        "export.list", "Epis&odes of This List…", "&File/&Export", needs="source", why_not=NO_SOURCE,
        tip="One row an episode that the filter leaves, as CSV or JSON Lines",
    ),
    Command(
        "export.asks", "&Questions of the Data as JSON Lines…", "&File/&Export", needs="source", why_not=NO_SOURCE,
        tip="What was left out of tasks, asked and answered: one record an episode",
    ),
    Command(
        "source.stop", "Stop Rea&ding", "&File", ("Ctrl+Shift+.",), "reading", "nothing is being read", section=True,
        tip="Stop reading data sets; what was found stays open",
    ),
    Command("source.close", "C&lose Source", "&File", ("Ctrl+W",), "source", NO_SOURCE, section=True),
    Command("app.quit", "&Quit", "&File", ("Ctrl+Q",), section=True),
    # Edit
    Command("edit.undo", "&Undo", "&Edit", ("Ctrl+Z",), "undo", "nothing to undo"),
    Command("edit.redo", "&Redo", "&Edit", ("Ctrl+Shift+Z", "Ctrl+Y"), "redo", "nothing to redo"),
    Command("copy.step", "&Copy Step as JSON", "&Edit", ("Ctrl+C",), "step", NO_STEP, section=True),
    Command("copy.link", "Copy &Link to Step", "&Edit", ("Ctrl+Shift+C",), "step", NO_STEP),
    Command("find.element", "&Find Element", "&Edit", ("Ctrl+F",), "step", NO_STEP, section=True),
    Command(
        "element.parent", "&Parent", "&Edit/Ele&ment", ("Ctrl+Alt+Up",), "step", NO_STEP, autorepeat=True, section=True
    ),
    Command("element.child", "&Child", "&Edit/Ele&ment", ("Ctrl+Alt+Down",), "step", NO_STEP, autorepeat=True),
    Command(
        "element.previous", "P&revious Sibling", "&Edit/Ele&ment", ("Ctrl+Alt+Left",), "step", NO_STEP, autorepeat=True
    ),
    Command("element.next", "&Next Sibling", "&Edit/Ele&ment", ("Ctrl+Alt+Right",), "step", NO_STEP, autorepeat=True),
    Command("element.locator", "Copy &Locator", "&Edit/Ele&ment", (), "element", NO_ELEMENT, section=True),
    Command("element.bounds", "Copy &Bounds", "&Edit/Ele&ment", (), "element", NO_ELEMENT),
    Command("element.text", "Copy &Text", "&Edit/Ele&ment", (), "element", NO_ELEMENT),
    Command("filter.episodes", "Filter &Episodes", "&Edit", ("/", "Ctrl+L")),
    Command("list.order", "Order and Group t&he List…", "&Edit", needs="source", why_not=NO_SOURCE),
    Command("filter.add", "Add a Cond&ition…", "&Edit", needs="source", why_not=NO_SOURCE, tip="To the filter"),
    Command("filter.save", "Sa&ve Filter…", "&Edit", needs="filtered", why_not=NO_FILTER),
    Command("filter.clear", "Clear Fil&ter", "&Edit", needs="filtered", why_not=NO_FILTER),
    Command("go.step", "&Go to Step…", "&Edit", ("Ctrl+G",), "step", NO_STEP),
    Command("go.back", "Go &Back", "&Edit", ("Alt+Left", "Ctrl+["), "back", "nowhere to go back to", section=True),
    Command("go.forward", "Go F&orward", "&Edit", ("Alt+Right", "Ctrl+]"), "forward", "nowhere to go forward to"),
    Command("mark.star", "&Star", "&Edit", ("S",), "episode", NO_STEP, section=True),
    Command("mark.checked", "Chec&ked", "&Edit", ("C",), "episode", NO_STEP),
    Command(
        "mark.defect", "&Defect…", "&Edit", ("X",), "episode", NO_STEP,
        tip="Say why this step should not be judged by; again takes it back",
    ),
    Command("grid.tag", "&Quick Tag…", "&Edit", ("Q",), "episode", NO_STEP, tip="One tag for all steps chosen in Grid"),
    Command(
        "grid.cause", "Cause of &Wrong Step…", "&Edit", ("Shift+Q",), "episode", NO_STEP,
        tip="Give the steps chosen in Grid another cause than the one that was worked out",
    ),
    Command("mark.note", "&Note", "&Edit", ("W",), "episode", NO_STEP),
    Command("episode.star", "&Star Episode", "&Edit/Whole E&pisode", ("Shift+S",), "episode", NO_STEP),
    Command("episode.checked", "Chec&ked Episode", "&Edit/Whole E&pisode", ("Shift+C",), "episode", NO_STEP),
    Command("episode.defect", "&Defect of Episode…", "&Edit/Whole E&pisode", ("Shift+X",), "episode", NO_STEP),
    Command("episode.note", "&Note on Episode", "&Edit/Whole E&pisode", ("Shift+W",), "episode", NO_STEP),
    Command(
        "mark.label", "L&abel Feasibility…", "&Edit", needs="episode", why_not=NO_STEP,
        tip="Say whether the goal can be reached, why not, and what one would ask",
    ),
    Command(
        "app.preferences", "Preferences", "&Edit", ("Ctrl+,",), checkable=True, section=True,
        tip="Appearance, keys, marks, what is kept, what leaves this machine; Esc leads back",
    ),
    # View
    Command("workspace.replay", "&Replay", "&View/&Workspace", ("Ctrl+1",), checkable=True),
    Command("workspace.results", "Re&sults", "&View/&Workspace", ("Ctrl+2",), checkable=True),
    Command("workspace.compare", "&Compare", "&View/&Workspace", ("Ctrl+3",), checkable=True),
    Command("workspace.ordering", "&Ordering", "&View/&Workspace", ("Ctrl+4",), checkable=True),
    Command("workspace.judge", "&Judge", "&View/&Workspace", ("Ctrl+5",), checkable=True),
    Command("workspace.live", "&Live", "&View/&Workspace", ("Ctrl+6",), checkable=True),
    Command("workspace.webtask", "&Web Task", "&View/&Workspace", ("Ctrl+7",), checkable=True),
    Command("workspace.ambiguous", "Re&view", "&View/&Workspace", ("Ctrl+8",), checkable=True,
            tip="Ambiguous tasks: goals from which something was left out, with question and answer"),
    Command("layer.reference", "&Reference", "&View/&Layers", ("1",), checkable=True),
    Command("layer.a", "Run &A", "&View/&Layers", ("2",), checkable=True),
    Command("layer.b", "Run &B", "&View/&Layers", ("3",), checkable=True),
    Command("layer.c", "Run &C", "&View/&Layers", ("4",), checkable=True),
    Command("layer.d", "Run &D", "&View/&Layers", ("5",), checkable=True),
    Command("layer.e", "Run &E", "&View/&Layers", ("6",), checkable=True),
    Command("layer.f", "Run &F", "&View/&Layers", ("7",), checkable=True),
    Command("layer.g", "Run &G", "&View/&Layers", ("8",), checkable=True),
    Command("layer.h", "Run &H", "&View/&Layers", ("9",), checkable=True),
    Command("layer.tolerance", "&Tolerance", "&View/&Layers", ("T",), checkable=True, section=True),
    Command("layer.target", "Target", "&View/&Layers", ("G",), checkable=True),
    Command("layer.tree", "&UI Tree", "&View/&Layers", ("U",), checkable=True),
    Command(
        "layer.diff", "Change&s", "&View/&Layers", ("D",), checkable=True,
        tip="What is other than on the step before: elements and pixels",
    ),
    Command("layer.labels", "&Labels", "&View/&Layers", ("L",), checkable=True),
    Command("layer.evidence", "E&vidence", "&View/&Layers", ("E",), checkable=True),
    Command(
        "layer.affordance", "Affordance", "&View/&Layers", ("Shift+L",), checkable=True,
        tip="Which kinds of action a run says that each element allows",
    ),
    Command(
        "layer.numbers", "Candidates and &Numbers", "&View/&Layers", ("M",), checkable=True,
        tip="Numbers on the actions that a run weighed; without such on all elements",
    ),
    Command(
        "layer.saliency", "Salienc&y", "&View/&Layers", ("H",), checkable=True,
        tip="Pictures that a run attached to its answers: saliency, occlusion and the like",
    ),
    Command(
        "saliency.next", "Ne&xt Attached Picture", "&View/&Layers", ("Shift+H",), tip="Where a run attached several"
    ),
    Command(
        "layer.attention", "Attenti&on", "&View/&Layers", ("Shift+E",), checkable=True,
        tip="Where a run's model looked: elements and parts of the screen, words of goal and instruction",
    ),
    Command(
        "attention.next", "Next Attent&ion Stream", "&View/&Layers", ("Ctrl+Shift+E",),
        tip="Where a run's model has several",
    ),
    Command("rule.previous", "&Previous Rule", "&View/&Matching Rule", ("[",), autorepeat=True),
    Command("rule.next", "&Next Rule", "&View/&Matching Rule", ("]",), autorepeat=True),
    Command("zoom.in", "Zoom &In", "&View/&Zoom", ("+", "="), "step", NO_STEP, autorepeat=True),
    Command("zoom.out", "Zoom &Out", "&View/&Zoom", ("-",), "step", NO_STEP, autorepeat=True),
    Command(
        "zoom.fit", "&Fit", "&View/&Zoom", ("F",), "step", NO_STEP, tip="The whole picture; again: as wide as it goes"
    ),
    Command("zoom.full", "&100 %", "&View/&Zoom", needs="step", why_not=NO_STEP),
    Command("zoom.marks", "Zoom to &Marks", "&View/&Zoom", ("Shift+F",), "step", NO_STEP),
    Command(
        "zoom.loupe", "&Loupe", "&View/&Zoom", ("Shift+Z",), "step", NO_STEP, checkable=True,
        tip="Single pixels under the pointer, else at the reference mark, until it is chosen again",
    ),
    Command("view.screen", "S&creen", "&View", ("Alt+1",), checkable=True, section=True, tip="Replay: one step, large"),
    Command(
        "view.grid", "&Grid", "&View", ("Alt+2",), checkable=True,
        tip="Replay: many wrong steps at once, sorted by what went wrong",
    ),
    Command(
        "view.transcript", "Transcr&ipt", "&View", ("Alt+3",), checkable=True,
        tip="Replay: what was sent to the model for each step, and what came back",
    ),
    Command(
        "scope.open", "Switch Data…", "&View", ("Ctrl+Alt+L",), section=True,
        tip="What is listed: one data set or all that is open",
    ),
    Command("scope.next", "Next Data Set", "&View", ("Ctrl+PgDown",), "sources", "fewer than two data sets are open"),
    Command(
        "scope.together", "All Data as One List", "&View", ("Ctrl+Shift+L",), "sources",
        "fewer than two data sets are open", checkable=True,
    ),
    Command("view.neighbours", "&Before and After", "&View", ("B",), checkable=True, section=True),
    Command("dock.left", "&Left Dock", "&View/&Docks", ("Ctrl+B",), checkable=True),
    Command("dock.right", "&Right Dock", "&View/&Docks", ("Ctrl+Alt+B",), checkable=True),
    Command("dock.bottom", "&Bottom Dock", "&View/&Docks", ("Ctrl+J",), checkable=True),
    Command(
        "dock.detach", "&Detach or Put Back", "&View/&Docks", ("Ctrl+Shift+D",), section=True,
        tip="The dock or view that has the keyboard, in a window of its own: on the second screen where there is one",
    ),
    Command(
        "layout.save", "&Save Layout", "&View/&Docks", section=True, tip="Keep the docks of this workspace as they are"
    ),
    Command("layout.restore", "Saved La&yout", "&View/&Docks", tip="The docks of this workspace as they were saved"),
    Command("layout.reset", "R&eset Layout", "&View"),
    Command(
        "view.start", "&Start Page", "&View", ("Ctrl+Shift+H",), checkable=True,
        tip="The sample, recent data and runs, the tour; Esc leads back",
    ),
    Command("text.larger", "&Larger", "&View/Te&xt Size", ("Ctrl+=",), autorepeat=True, section=True),
    Command("text.smaller", "&Smaller", "&View/Te&xt Size", ("Ctrl+-",), autorepeat=True),
    Command("text.normal", "&Normal", "&View/Te&xt Size", ("Ctrl+0",)),
    Command("theme.system", "&System", "&View/&Theme", checkable=True),
    Command("theme.light", "&Light", "&View/&Theme", checkable=True),
    Command("theme.dark", "&Dark", "&View/&Theme", checkable=True),
    Command("theme.contrast", "&High Contrast", "&View/&Theme", checkable=True),
    Command("view.next_panel", "Next Pa&nel", "&View", ("F6",), autorepeat=True, section=True),
    Command("view.previous_panel", "&Previous Panel", "&View", ("Shift+F6",), autorepeat=True),
    Command(
        "view.message", "Newest Mess&age", "&View", ("Ctrl+Shift+M",),
        tip="Enter does what its first button says, Esc closes it",
    ),
    Command("view.full_screen", "F&ull Screen", "&View", ("F11",), checkable=True, section=True),
    # Replay
    Command("step.play", "&Play or Pause", "&Replay", ("Space",), "step", NO_STEP),
    Command("step.next", "&Next Step", "&Replay", ("Right", "J"), "step", NO_STEP, autorepeat=True, section=True),
    Command("step.previous", "Pre&vious Step", "&Replay", ("Left", "K"), "step", NO_STEP, autorepeat=True),
    Command("step.next_ten", "10 Steps On", "&Replay", ("Shift+Right", "Shift+J"), "step", NO_STEP, autorepeat=True),
    Command(
        "step.previous_ten", "10 Steps Back", "&Replay", ("Shift+Left", "Shift+K"), "step", NO_STEP, autorepeat=True
    ),
    Command("step.first", "&First Step", "&Replay", ("Home",), "step", NO_STEP),
    Command("step.last", "&Last Step", "&Replay", ("End",), "step", NO_STEP),
    Command(
        "episode.next", "Next &Episode", "&Replay", ("PgDown",), "source", NO_SOURCE, autorepeat=True, section=True
    ),
    Command("episode.previous", "Previous Ep&isode", "&Replay", ("PgUp",), "source", NO_SOURCE, autorepeat=True),
    Command(
        "wrong.next", "Next &Wrong Step", "&Replay", ("N",), "shown_run", "no run is shown", section=True,
        tip="In Compare: the next step of the list",
    ),
    Command(
        "wrong.previous", "Previous Wron&g Step", "&Replay", ("P",), "shown_run", "no run is shown",
        tip="In Compare: the previous step of the list",
    ),
    Command("unchecked.next", "Next &Unchecked Step", "&Replay", ("Shift+N",), "step", NO_STEP),
    Command("unchecked.previous", "Previous Unchec&ked Step", "&Replay", ("Shift+P",), "step", NO_STEP),
    Command(
        "differs.next", "Next &Disagreement", "&Replay/&Other Steps", ("V",), "two_runs", ONE_RUN,
        tip="A step on which one shown run is right and another wrong",
    ),
    Command("differs.previous", "Previous Di&sagreement", "&Replay/&Other Steps", ("Shift+V",), "two_runs", ONE_RUN),
    Command(
        "asks.next", "Next &Question", "&Replay/&Other Steps", ("A",), "step", NO_STEP, section=True,
        tip="A step at which a question came or was due, in the recording or by a shown run",
    ),
    Command("asks.previous", "Previous Q&uestion", "&Replay/&Other Steps", ("Shift+A",), "step", NO_STEP),
    Command(
        "flagged.next", "Next &Flagged Step", "&Replay/&Other Steps", ("I",), "step", NO_STEP, section=True,
        tip="A step with a star, a note or a defect",
    ),
    Command("flagged.previous", "Previous F&lagged Step", "&Replay/&Other Steps", ("Shift+I",), "step", NO_STEP),
    Command(
        "matching.next", "Next Step the Filte&r Means", "&Replay/&Other Steps", ("Y",), "filtered", NO_FILTER,
        section=True,
    ),
    Command(
        "matching.previous", "Previous Step the Fil&ter Means", "&Replay/&Other Steps", ("Shift+Y",), "filtered",
        NO_FILTER,
    ),
    Command("speed.slower", "&Slower", "&Replay/Spee&d", (",",), "step", NO_STEP, section=True),
    Command("speed.faster", "&Faster", "&Replay/Spee&d", (".",), "step", NO_STEP),
    Command("speed.0.25", "0.25×", "&Replay/Spee&d", checkable=True, section=True),
    Command("speed.0.5", "0.5×", "&Replay/Spee&d", checkable=True),
    Command("speed.1", "1×", "&Replay/Spee&d", checkable=True),
    Command("speed.2", "2×", "&Replay/Spee&d", checkable=True),
    Command("speed.4", "4×", "&Replay/Spee&d", checkable=True),
    Command("speed.8", "8×", "&Replay/Spee&d", checkable=True),
    Command(
        "step.by_time", "By Recorded &Time", "&Replay", (), "timed", "no times were recorded here", checkable=True,
        tip="Steps stay, and are as wide in the timeline, as long as they took",
    ),
    Command(
        "step.loop", "Loop &Range", "&Replay", ("R",), "step", NO_STEP, checkable=True,
        tip="Play some steps over and over: once at the first, once at the last, once more to end it",
    ),
    Command(
        "question.try", "Tr&y the Agent's Question Here", "&Replay", (), "step", NO_STEP, section=True,
        tip="An agent is asked about this step, is answered by you or by the data, and is asked again",
    ),
    # Evaluate
    Command("evaluate.feasibility", "&Feasibility…", "Ev&aluate", needs="source", why_not=NO_SOURCE),
    Command("evaluate.automation", "&Task Automation…", "Ev&aluate", ("Ctrl+R",), "source", NO_SOURCE),
    Command("evaluate.matching", "Step &Matching…", "Ev&aluate", needs="source", why_not=NO_SOURCE),
    Command("evaluate.goal", "&Goal Identification…", "Ev&aluate", needs="source", why_not=NO_SOURCE),
    Command("evaluate.ordering", "Step &Ordering…", "Ev&aluate", needs="source", why_not=NO_SOURCE),
    Command("evaluate.ask", "&ASK…", "Ev&aluate", needs="source", why_not=NO_SOURCE),
    Command("evaluate.webtask", "&Web Tasks…", "Ev&aluate", needs="source", why_not=NO_SOURCE),
    Command(
        "evaluate.grounding", "Grounding…", "Ev&aluate", needs="source", why_not=NO_SOURCE,
        tip="Where on the screen is what an expression means",
    ),
    Command(
        "evaluate.rollout", "Roll-out…", "Ev&aluate", needs="source", why_not=NO_SOURCE,
        tip="A predictor walks alone through recorded screens, or on the simulated phone",
    ),
    Command(
        "evaluate.affordance", "Element Affordance…", "Ev&aluate", needs="source", why_not=NO_SOURCE,
        tip="Which kinds of action each element of a screen allows",
    ),
    Command(
        "evaluate.references", "Chec&k the References…", "Ev&aluate", needs="source", why_not=NO_SOURCE,
        tip="Score every recorded action against itself under every rule",
    ),
    Command(
        "evaluate.reproduce", "Reproduce a Paper's Table…", "Ev&aluate",
        tip="Run what the open data and the models here allow, beside the published numbers",
    ),
    Command(
        "run.resume", "&Resume Run", "Ev&aluate", ("Ctrl+Shift+R",), "run_resumable", "the chosen run is not resumable",
        section=True,
    ),
    Command("run.pause", "&Pause or Continue", "Ev&aluate", needs="run_active", why_not="no evaluation is running"),
    Command("run.cancel", "&Cancel Run", "Ev&aluate", ("Ctrl+.",), "run_active", "no evaluation is running"),
    Command(
        "run.rescore", "Score Aga&in", "Ev&aluate", needs="run", why_not=NO_RUN, section=True,
        tip="Put the shown rule to the stored predictions anew; no model runs",
    ),
    Command(
        "run.rescore_all", "Score under A&ll Rules", "Ev&aluate", needs="run", why_not=NO_RUN,
        tip="Put every rule to the stored predictions; no model runs",
    ),
    Command(
        "run.rerun_failed", "Re-run Fail&ed", "Ev&aluate", needs="run", why_not=NO_RUN,
        tip="Do the items once more that ended in an error",
    ),
    Command(
        "run.compare", "Compare R&uns", "Ev&aluate", needs="run", why_not=NO_RUN, section=True,
        tip="The shown run step by step against the next one with a letter",
    ),
    Command(
        "results.view", "Leader&board or Run", "Ev&aluate", needs="run", why_not=NO_RUN,
        tip="All runs of a task side by side, or one of them",
    ),
    Command(
        "results.bars", "Runs as Bars", "Ev&aluate", needs="run", why_not=NO_RUN,
        tip="Runs of the leaderboard as bars of one metric with their intervals, such as an ablation of features",
    ),
    Command(
        "results.differs", "What &Differs", "Ev&aluate/Thi&s Run", ("D",), "run", NO_RUN, workspace="results",
        tip="Settings and items in which two ticked runs of the leaderboard differ",
    ),
    Command(
        "run.show_ended", "S&how What Ended Last", "Ev&aluate", needs="run_ended", why_not="nothing has ended yet",
        tip="The results of the evaluation that ended last",
    ),
    Command("run.manage", "Ma&nage Runs", "Ev&aluate", tip="The list of all runs"),
    Command(
        "run.rename", "Re&name Run", "Ev&aluate/Thi&s Run", ("F2",), "run", NO_RUN, workspace="results",
        tip="A name of its own, in the list",
    ),
    Command("run.about", "&Tags and Remark", "Ev&aluate/Thi&s Run", needs="run", why_not=NO_RUN),
    Command(
        "run.pin", "&Pin or Unpin", "Ev&aluate/Thi&s Run", ("Shift+P",), "run", NO_RUN, workspace="results",
        tip="Pinned runs stand first among those of the same task and data",
    ),
    Command(
        "run.archive", "&Archive or Take Out", "Ev&aluate/Thi&s Run", needs="run", why_not=NO_RUN,
        tip="Archived runs stand under a heading of their own at the end, and nothing shows them",
    ),
    Command("run.delete", "&Delete Run…", "Ev&aluate", needs="run", why_not=NO_RUN),
    # Models
    Command("models.add", "&Add Model…", "&Models", tip="Add a model file of your own, after trying it"),
    Command("models.load", "&Load…", "&Models", tip="Copy a trained model's folder to your own models"),
    Command("models.list", "Loaded &Models", "&Models", tip="All models and what is known of them"),
    Command(
        "models.train", "&Train…", "&Models", needs="source", why_not=NO_SOURCE, tip="Train a model on what is open"
    ),
    Command(
        "models.tune", "Fine-Tune a Chec&kpoint…", "&Models", needs="source", why_not=NO_SOURCE,
        tip="Teach a local vision-language model goals, actions or asking from what is open, by LoRA",
    ),
    Command(
        "models.tune_curve", "Fine-Tuning Cur&ve…", "&Models", needs="source", why_not=NO_SOURCE,
        tip="Fine-tune a local model at several ranks on what is open, and measure it on the way",
    ),
    Command("training.pause", "&Pause or Continue Training", "&Models", needs="training", why_not=NO_TRAINING),
    Command("training.stop", "St&op Training", "&Models", needs="training", why_not=NO_TRAINING),
    Command(
        "training.evaluate", "Evaluate with the New Model", needs="trained", why_not="nothing was trained just now"
    ),
    Command(
        "models.export", "&Export to ONNX", "&Models", needs="trained_chosen",
        why_not="no trained model is chosen in Loaded Models", section=True,
    ),
    Command(
        "models.weights", "&Weights…", "&Models", tip="What encoders and models stand on: add, check, take off the list"
    ),
    Command("models.servers", "Chat &Servers", "&Models", tip="Servers whose models can be asked, and their keys"),
    Command("compute.auto", "&Automatic", "&Models/&Compute Device", checkable=True),
    Command("compute.cpu", "&CPU", "&Models/&Compute Device", checkable=True),
    Command("compute.gpu", "&GPU", "&Models/&Compute Device", (), "gpu", "no GPU was found here", checkable=True),
    Command("models.unload", "&Unload All", "&Models", section=True, tip="Give back the memory of loaded models"),
    *DEVICE_COMMANDS,
    # Tools
    Command("tools.palette", "Command &Palette", "&Tools", ("Ctrl+K", "Ctrl+P")),
    Command(
        "tools.tasks", "Tas&ks", "&Tools", ("Ctrl+Shift+J",), section=True,
        tip="What runs and what ran: how long, how it ended, once more",
    ),
    Command("tools.defects", "Defects", "&Tools", needs="source", why_not=NO_SOURCE, tip="What was called defective"),
    Command("tools.agreement", "&Agreement", "&Tools", needs="source", why_not=NO_SOURCE, tip="How far people agree"),
    Command("tools.performance", "Per&formance", "&Tools", tip="How fast this window was, and what it keeps"),
    Command("source.problems", "Check S&ource", "&Tools", needs="source", why_not=NO_SOURCE),
    Command("source.rescan", "&Read Source Again", "&Tools", ("F5",), "source", NO_SOURCE),
    Command(
        "text.read", "Read &Text of This Screen", "&Tools", needs="step", why_not=NO_STEP, section=True,
        tip="Read the words of a picture that has no UI tree",
    ),
    Command(
        "text.read_episode", "Read Text of &Episode", "&Tools", needs="step", why_not=NO_STEP,
        tip="Read the words of all pictures without a UI tree",
    ),
    Command("store.rescue", "Rescue the Damaged Store…", needs="damaged_store", why_not=SOUND_STORE),
    Command("store.new", "Use a New Store", needs="damaged_store", why_not=SOUND_STORE),
    Command("store.use_rescued", "Use the Rescued Store", needs="rescued_store", why_not="no store was rescued"),
    Command("cache.clear", "Clear Picture &Cache", "&Tools"),
    *JUDGE_COMMANDS,
    *AMBIGUOUS_COMMANDS,
    *ORDERING_COMMANDS,
    *WEBTASK_COMMANDS,
    # Help
    Command("help.guide", "&Guide", "&Help", ("F1",)),
    Command("help.tour", "&Tour", "&Help", tip="Six steps in this window; Esc leaves"),
    Command("help.shortcuts", "&Shortcuts", "&Help", ("?",)),
    Command("keys.change", "Change &Keys", "&Help", tip="Give commands other keys, export them all as a page"),
    Command("help.protocols", "&Protocols", "&Help"),
    Command("help.formats", "&Formats", "&Help"),
    Command("help.machine", "&Check This Machine", "&Help", section=True),
    Command("help.licences", "&Licences", "&Help", tip="What Stepscope stands on"),
    Command("help.about", "&About Stepscope", "&Help"),
)  # fmt: skip

HELD_KEYS = (
    Command("hold.bare", "Bare picture while held", "", ("O",)),
    Command("hold.loupe", "Loupe while held: arrows move it, + and - change its zoom", "", ("Z",)),
    Command("hold.peek", "The step large while held", "In Grid", ("I",), workspace="replay"),
    Command(
        "cards.focus",
        "Go from card to card, along a row and from row to row",
        "On the cards",
        ("Left", "Right", "Up", "Down", "Home", "End"),
        workspace="ordering",
    ),
    Command("cards.accept", "Accept my order", "On the cards", ("Return", "Enter"), workspace="ordering"),
    Command("pan.screen", "Move the picture", "On the screen", ("Up", "Down", "Ctrl+Left", "Ctrl+Right")),
)
"""Keys that act while they are held, or belong to a focused screen or card; they are listed on the shortcut page and
handled by the window's key filter, by the screen and by the board of cards."""
