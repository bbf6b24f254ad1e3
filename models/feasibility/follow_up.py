"""Follow-up questions of goals that cannot be reached: templates out of the questions that annotators put, and the one
of the goal that is most like a new one.

Source: MoTIF, section 3.1 (paper) has such questions, and names their generation as future work (section 6). How they
are made into templates and found again is ours: the app's name, and names that goal and question share, are slots.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from stepscope.core.frozen import dataclass

APP, NAME, GOAL = "{app}", "{name}", "{goal}"
MOST = 400
"""Templates that a model keeps."""
_NAMES = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-ZÀ-Þ][\w'’-]*(?:\s+[A-ZÀ-Þ][\w'’-]*)*")
_WORD = re.compile(r"\w+")

NO_WAY = f"I find no way to do this in {APP}: {GOAL} What should I do instead?"
"""The question of one who knows the goal and the app alone."""


@dataclass(frozen=True, slots=True)
class QuestionTemplate:
    """A question with slots, the goal that it was put about, and the reason why that was infeasible."""

    question: str
    goal: str
    reason: str


def template_of(question: str, goal: str, app: str) -> str:
    """The question with slots in the place of the app's name and of the longest name that the goal has too."""
    shared = [name for name in names_in(goal) if name in question]
    found = question
    title = app_title(app)
    if title and re.search(rf"\b{re.escape(title)}\b", found):
        found = re.sub(rf"\b{re.escape(title)}\b", APP, found)
        shared = [name for name in shared if name != title]
    return found.replace(max(shared, key=len), NAME) if shared else found


def filled(template: str, goal: str, app: str) -> str | None:
    """The template for another goal; None where a slot has nothing to be filled with."""
    names, title = names_in(goal), app_title(app)
    names = [name for name in names if name != title]
    if (NAME in template and not names) or (APP in template and not title):
        return None
    sentence = goal.strip()
    if sentence and sentence[-1] not in ".!?":
        sentence += "."
    found = template.replace(APP, title).replace(GOAL, sentence)
    return found.replace(NAME, max(names, key=len)) if names else found


def nearest_question(goal: str, app: str, reason: str, known: Sequence[QuestionTemplate]) -> str:
    """The question of the known goal, infeasible for the same reason, whose words are most like this one's, filled in;
    the first of equals. Without any it is that of one who knows the goal alone."""
    words = _words(goal)
    best, found = -1.0, ""
    for one in known:
        if one.reason != reason:
            continue
        other = _words(one.goal)
        like = len(words & other) / max(1, len(words | other))
        if like > best and (question := filled(one.question, goal, app)) is not None:
            best, found = like, question
    return found or filled(NO_WAY, goal, app) or ""


def kept(questions: Iterable[QuestionTemplate]) -> list[QuestionTemplate]:
    """Of each template and reason at most a few goals, in order, at most `MOST` in all."""
    counts: dict[tuple[str, str], int] = {}
    found: list[QuestionTemplate] = []
    for one in questions:
        key = one.question, one.reason
        counts[key] = counts.get(key, 0) + 1
        if counts[key] <= 3 and len(found) < MOST:
            found.append(one)
    return found


def app_title(package: str) -> str:
    """ "Shop" for org.example.shop."""
    return package.rsplit(".", 1)[-1].replace("_", " ").title()


def names_in(goal: str) -> list[str]:
    """What is written with capitals inside the sentence, such as names of things on the screen."""
    return [match.group() for match in _NAMES.finditer(goal)]


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))
