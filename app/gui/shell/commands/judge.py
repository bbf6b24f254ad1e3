"""The commands of Tools > Judge; their keys hold in that workspace only."""

from __future__ import annotations

from stepscope.app.gui.shell.commands.command import Command

JUDGE = "judge"
MENU = "&Tools/&Judge"
NO_PAIR = "no pair is shown in Judge"
NO_SOURCE = "nothing is open"
WRONG_MENU = f"{MENU}/What Is Wron&g"
NO_MISMATCH = "the pair in Judge is not finished, or it matches"
WRONG = ("Too &Specific", "Too &General", "&Wrong Detail", "&Invented", "&Navigational")

JUDGE_COMMANDS: tuple[Command, ...] = (
    *(
        Command(
            f"judge.question_{number}", f"Question &{number}", MENU, (str(number),), "judge_pair", NO_PAIR,
            section=number == 1, workspace=JUDGE, tip="The question that Yes and No answer",
        )
        for number in (1, 2, 3, 4)
    ),
    Command("judge.yes", "&Yes", MENU, ("Y",), "judge_pair", NO_PAIR, workspace=JUDGE),
    Command("judge.no", "&No", MENU, ("N",), "judge_pair", NO_PAIR, workspace=JUDGE),
    Command(
        "judge.next", "Ne&xt Pair", MENU, ("Return", "Enter"), "judge_pair", NO_PAIR, section=True, workspace=JUDGE,
        tip="The next one that is open",
    ),
    Command("judge.back", "Pre&vious Pair", MENU, ("Backspace",), "judge_pair", NO_PAIR, workspace=JUDGE),
    Command("judge.skip", "&Skip Pair", MENU, ("S",), "judge_pair", NO_PAIR, workspace=JUDGE,
            tip="What is open stays open"),
    Command("judge.reject", "&Reject as Bad Data…", MENU, ("X",), "judge_pair", NO_PAIR, workspace=JUDGE,
            tip="Say why; again takes it back"),
    *(
        Command(
            f"judge.error_{number}", title, WRONG_MENU, (str(4 + number),), "judge_mismatch", NO_MISMATCH,
            workspace=JUDGE, tip="Again takes it back",
        )
        for number, title in enumerate(WRONG, start=1)
    ),
    Command("judge.take_error", "Take the &Proposal", WRONG_MENU, ("E",), "judge_mismatch", NO_MISMATCH, section=True,
            workspace=JUDGE, tip="What the rule says is wrong"),
    Command("judge.write", "&Write or Judge", MENU, ("W",), "source", NO_SOURCE, section=True, workspace=JUDGE,
            tip="Write the goal yourself, after seeing the trajectory only"),
    Command("judge.agreement", "&Agreement or Trajectory", MENU, ("A",), "judge_pair", NO_PAIR, workspace=JUDGE,
            tip="What judges said of all pairs, and how far they agree"),
    Command("judge.ask", "As&k a Judge…", MENU, (), "judge_pair", NO_PAIR, section=True,
            tip="Rules, or a model behind a server, go through all pairs"),
    Command("judge.share", "S&hare Pairs Out…", MENU, (), "judge_pair", NO_PAIR,
            tip="Some pairs for everybody, the others for one person each"),
    Command("judge.import", "&Import Judgements…", MENU, (), "source", NO_SOURCE,
            tip="Of people or of a model, from JSON Lines"),
    Command("judge.export", "&Export Judgements…", MENU, (), "source", NO_SOURCE),
)  # fmt: skip
