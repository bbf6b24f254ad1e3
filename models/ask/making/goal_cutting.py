"""A value taken out of a goal with the words that hang on it, or replaced by a word that stands for it (ours).

"See tides on March 4" loses "on March 4"; "Track the moon of March 4" becomes "… of a certain date"; "Tell Perla that I
am late" becomes "Tell someone that I am late". Everything else stays as it is, letter by letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from stepscope.core.domain.ambiguous_task import Cut, PieceKind
from stepscope.core.domain.goal_words import with_cuts
from stepscope.models.ask.making.shared_words import NUMBER_WORDS, GoalWord, goal_words, holds, plain_words, value_words

_WITH_VALUES = "on at in for by with via using near during within until since called named titled labelled saying"
_DROPPED = frozenset(_WITH_VALUES.split())
"""Words that go with what follows them."""
_BEGINNINGS = """
    to from of into onto about between before after than as over under through per without against across off out up
    down is are was were be does do did has have had can will would should not please again now today tomorrow then
    there here only also too it me you him her them us
"""
_NO_NOUNS = frozenset(_BEGINNINGS.split())
"""Words that begin something else, and are no noun that a value stands before."""
_VERBS = "turn turned switch switched put log sign check fill set"
_TURNED = frozenset(_VERBS.split())
"""Verbs that "on", "in" and the like belong to."""
_JOINING = "and or then but so while when because if that which who where"
_JOINS = frozenset(_JOINING.split())
_BEFORE_NOUNS = "a an the my your his her our their its this that these those any some"
_DETERMINERS = frozenset(_BEFORE_NOUNS.split())
_NOUNS = {
    PieceKind.DATE: "date", PieceKind.TIME: "time", PieceKind.NUMBER: "number", PieceKind.PLACE: "place",
    PieceKind.PERSON: "person", PieceKind.APP: "app", PieceKind.OPTION: "option",
}  # fmt: skip
_PHRASES = {
    PieceKind.DATE: "a certain date", PieceKind.TIME: "a certain time", PieceKind.NUMBER: "a certain number",
    PieceKind.PLACE: "a certain place", PieceKind.PERSON: "someone", PieceKind.APP: "an app",
    PieceKind.OPTION: "a certain option",
}  # fmt: skip
NOTHING_LEFT = frozenset(
    (*(word for phrase in _PHRASES.values() for word in phrase.split()), *_NOUNS.values(), "something", "item")
)
"""Words that stand for others: a goal of nothing else says nothing."""
_STAND_INS = ("something", "this", "whatever")
_QUOTES = "\"'“”‘’«»„"


class WordRun(NamedTuple):
    """The words `first` up to `last` of a goal."""

    first: int
    last: int


def runs_of(goal: str, run: WordRun) -> list[WordRun]:
    """The run and every other place where the same words stand, in order, none over another."""
    words = [word.plain for word in goal_words(goal)]
    value = words[run.first : run.last]
    found, at = [run], 0
    while (place := holds(words[at:], value)) >= 0:
        other = WordRun(at + place, at + place + len(value))
        if other.last <= run.first or other.first >= run.last:
            found.append(other)
        at = other.last
    return sorted(found)


def noun_after(goal: str, run: WordRun) -> str:
    """The word that the run says more of ("the Focus list"), "" where there is none."""
    words = goal_words(goal)
    if run.last >= len(words) or goal[words[run.last - 1].end : words[run.last].start].strip():
        return ""
    noun = words[run.last].plain
    near = {word.plain for word in words[max(0, run.first - 2) : run.first]}
    counts = words[run.first].plain[0].isdigit() or words[run.first].plain in NUMBER_WORDS
    if noun in _DROPPED | _NO_NOUNS | _JOINS or not (counts or near & _DETERMINERS):
        return ""
    return noun


def cut_out(goal: str, values: Sequence[tuple[Sequence[WordRun], PieceKind]]) -> list[tuple[Cut, ...]] | None:
    """The cuts of each value, of which `values` has all places and the kind. None where the goal would say nothing any
    more, or would still have one of the values."""
    for plain in (False, True):
        cuts = [tuple(_cut(goal, run, kind, plain=plain) for run in runs) for runs, kind in values]
        try:
            made = with_cuts(goal, [cut for several in cuts for cut in several])
        except ValueError:  # what hangs on one value belongs to another
            continue
        if _is_good(goal, made, values):
            return cuts
    return None


def _is_good(goal: str, made: str, values: Sequence[tuple[Sequence[WordRun], PieceKind]]) -> bool:
    words, left = goal_words(goal), plain_words(made)
    for runs, _kind in values:
        if holds(left, [word.plain for word in words[runs[0].first : runs[0].last]]) >= 0:
            return False
    return any(word not in NOTHING_LEFT for word in value_words(left))


def _cut(goal: str, run: WordRun, kind: PieceKind, *, plain: bool) -> Cut:
    """One place's cut; `plain`: the value alone is replaced, with nothing that hangs on it."""
    words = goal_words(goal)
    here = words[run.first : run.last]
    value = [word.plain for word in here]
    start, end = _with_quotes(goal, here)
    if not plain:
        whole = _whole_phrase(goal, words, run, start, end, kind)
        if whole is not None:
            return _at_the_beginning(goal, whole)
    return _at_the_beginning(goal, Cut(start, end, _standing_for(_PHRASES.get(kind, "something"), value)))


def _whole_phrase(
    goal: str, words: Sequence[GoalWord], run: WordRun, start: int, end: int, kind: PieceKind
) -> Cut | None:  # fmt: skip
    """The cut with what hangs on the value; None where it is only replaced."""
    here = words[run.first : run.last]
    value = [word.plain for word in here]
    before = words[run.first - 1] if run.first else None
    after = words[run.last] if run.last < len(words) else None
    if goal[:start].rstrip().endswith(":") and run.first:
        return Cut(len(goal[:start].rstrip()) - 1, end)
    if before is None or goal[before.end : start].strip():
        return None
    follows = after is not None and not goal[end : after.start].strip()
    modifies = follows and after is not None and after.plain not in _DROPPED | _NO_NOUNS | _JOINS
    if before.plain == "that" and not modifies and len(value) > 2:
        return Cut(before.start, end, _standing_for("something", value))
    if before.plain in _DETERMINERS:
        return _after_determiner(goal, before, start, end, after if modifies else None, kind, value)
    if kind is PieceKind.NUMBER and modifies:
        return Cut(start, end, _standing_for("some", value))
    earlier = words[run.first - 2].plain if run.first > 1 else ""
    if earlier in _TURNED and before.plain in ("on", "in", "off"):
        return None
    if before.plain in _DROPPED and kind is not PieceKind.PERSON:
        if modifies:
            return Cut(start, end, _standing_for("certain", value))
        left = len(goal[: before.start].rstrip())
        return Cut(left, end) if left else Cut(0, len(goal) - len(goal[end:].lstrip(" ,")))
    if earlier not in _DETERMINERS or kind is PieceKind.PERSON:
        return None
    if modifies:
        return Cut(start, _spaces_after(goal, end))
    if here[0].written(goal)[0].islower():
        return Cut(start, end, _standing_for(_NOUNS.get(kind, "item"), value))
    return None


def _after_determiner(
    goal: str, before: GoalWord, start: int, end: int, after: GoalWord | None, kind: PieceKind, value: Sequence[str]
) -> Cut:
    """ "the Focus list" becomes "the list", "a stoneware mug" "an item"."""
    word, first = "", goal[after.start] if after is not None else ""
    if after is None:
        word = _standing_for(_NOUNS.get(kind, "item"), value)
        first = word[0]
    if before.plain not in ("a", "an"):
        return Cut(start, end, word) if word else Cut(start, _spaces_after(goal, end))
    article = "an" if first.lower() in "aeiou" else "a"
    if before.written(goal)[0].isupper():
        article = article.capitalize()
    return Cut(before.start, end if word else _spaces_after(goal, end), f"{article} {word}")


def _spaces_after(goal: str, end: int) -> int:
    return len(goal) - len(goal[end:].lstrip())


def _standing_for(words: str, value: Sequence[str]) -> str:
    """The words, or others where these are the value."""
    return next(one for one in (words, *_STAND_INS) if holds(plain_words(one), value) < 0)


def _with_quotes(goal: str, here: Sequence[GoalWord]) -> tuple[int, int]:
    """Where the words begin and end, with quotation marks around them and what stands before the closing one."""
    start, end = here[0].start, here[-1].end
    closing = len(goal) - len(goal[end:].lstrip(".,!?"))
    if start and goal[start - 1] in _QUOTES and goal[closing : closing + 1] and goal[closing] in _QUOTES:
        return start - 1, closing + 1
    return start, end


def _at_the_beginning(goal: str, cut: Cut) -> Cut:
    """A cut at the goal's beginning leaves a capital where there was one."""
    if cut.start or not goal[:1].isupper():
        return cut
    if cut.instead:
        return cut._replace(instead=cut.instead[0].upper() + cut.instead[1:])
    rest = goal[cut.end : cut.end + 1]
    return cut._replace(end=cut.end + 1, instead=rest.upper()) if rest.islower() else cut
