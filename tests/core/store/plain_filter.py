"""The filter language once more, as slow and plain as can be: loops over values, to hold the columns against."""

from itertools import product

from stepscope.core.domain.action import ACTION_TYPES
from stepscope.core.domain.filter import (
    FIELDS,
    JUDGED,
    OF_ACTION,
    And,
    EveryStep,
    NoStep,
    Not,
    Number,
    Or,
    Pattern,
    Term,
    Word,
)
from stepscope.core.domain.filter import terms as terms_of
from stepscope.core.domain.step_summary import StepSummary


class Plain:
    """`episodes` are summaries, `items` has (value, malformed, unscored, confidence, tokens in, out and retries) by run
    and (episode, step)."""

    def __init__(self, episodes, items, said):
        self.episodes, self.items, self.said = episodes, items, said

    def find(self, query):
        """Ids that pass, each with the steps that made it pass."""
        found = {}
        for episode in self.episodes:
            ways = [self.together(episode, literals) for literals in alternatives(query, True)]
            if any(holds for holds, _ in ways):
                found[episode.id] = sorted({step for _, steps in ways for step in steps if step >= 0})
        return found

    def together(self, episode, literals):
        asked = [(term, holds) for term, holds in literals if isinstance(term, Term) and FIELDS[term.field].of_step]
        others = [literal for literal in literals if literal not in asked]
        if not all(self.of_episode(episode, query) is holds for query, holds in others):
            return False, []
        if asked:
            steps = [step for step in self.steps(episode, [term for term, _ in asked])
                     if all(self.on_step(episode, step, term) is holds for term, holds in asked)]  # fmt: skip
            return bool(steps), [step.index for step in steps]
        known = {step.index for step in episode.details or ()}
        told = []
        for query, holds in others:
            if holds and isinstance(query, Term) and query.field == "ask":
                told += [step.index for step in episode.details or () if step.ask]
            elif holds and isinstance(query, Term) and query.field == "star":
                told += [step for name, step in self.said if name == episode.id and step in known]
        return True, told

    def some_step(self, episode, query, holds):
        return any(self.together(episode, literals)[0] for literals in alternatives(query, holds))

    def runs(self, term):
        return term.runs or tuple(self.items)

    def steps(self, episode, asked):
        """The steps that terms which must hold together are about; of an outline those that it counts."""
        fields = {term.field for term in asked}
        if fields & JUDGED:
            runs = {run for term in asked if term.field in JUDGED for run in self.runs(term)}
            indices = sorted({step for run in runs for name, step in self.items[run] if name == episode.id})
            known = {step.index: step for step in episode.details or ()}
            return [known.get(index, StepSummary(index, kind="tap")) for index in indices]
        if episode.details is None:
            counted = [StepSummary(-2, kind=kind) for kind, _ in episode.actions]
            return counted if fields & OF_ACTION else []
        return [step for step in episode.details if step.kind or not fields & OF_ACTION]

    def on_step(self, episode, step, term):
        """True, False, or None where nothing can be said."""
        read = episode.details is not None and step in episode.details
        match term.field:
            case "step":
                return None if step.index == -2 else compared(step.index + 1, term)
            case "action":
                return any(value.text == step.kind for value in term.values) if step.kind in ACTION_TYPES else None
            case "text":
                return any(part(text, value) for text in step.texts for value in term.values) if read else None
            case "target" | "typed" | "key":
                texts = {"target": (step.target, step.name), "typed": (step.typed,), "key": (step.key,)}[term.field]
                whole = term.field == "key" or term.operator == "="
                if not read or not step.kind:
                    return None
                return any(part(text, value, whole) for text in texts if text for value in term.values)
        scores = [self.items[run].get((episode.id, step.index)) for run in self.runs(term)]
        scores = [score for score in scores if score is not None]
        right, wrong = (
            any(score[0] == 1 for score in scores),
            any(score[0] is not None and score[0] < 1 for score in scores),
        )
        match term.field:
            case "right":
                return right
            case "wrong":
                return wrong
            case "differs":
                return right and wrong
            case "malformed":
                return any(score[1] for score in scores)
            case "unscored":
                return any(score[2] for score in scores)
            case "conf":
                return any(score[3] is not None and compared(score[3], term) for score in scores)
            case "tokens" | "cost" | "retries":
                return any(len(score) > 4 and score[4] is not None and compared(self.taken(score, term), term)
                           for score in scores)  # fmt: skip
        raise AssertionError(term)

    def taken(self, score, term):
        read, written, retries = score[4]
        return {"tokens": read + written, "cost": (2 * read + 10 * written) / 1_000_000, "retries": retries}[term.field]

    def of_episode(self, episode, query):
        match query:
            case Word(text):
                return text.casefold() in f"{episode.goal}\0{episode.app or ''}".casefold()
            case NoStep(inner):
                return not self.some_step(episode, inner, True)
            case EveryStep(inner):
                asked = [term for term in terms_of(inner) if FIELDS[term.field].of_step]
                return (not asked or bool(self.steps(episode, asked))) and not self.some_step(episode, inner, False)
        match query.field:
            case "app":
                return any(part(episode.app or "", value) for value in query.values)
            case "steps":
                return compared(episode.steps, query)
            case "ask":
                return episode.asks > 0
            case "star":
                return any(name == episode.id for name, _ in self.said)
        raise AssertionError(query)


def part(text, value, whole=False):
    if isinstance(value, Pattern):
        return value.found_in(text)
    return text.casefold() == value.text.casefold() if whole else value.text.casefold() in text.casefold()


def compared(number, term):
    return any(one(number, term.operator, value) for value in term.values)


def one(number, operator, value):
    if isinstance(value, Number):
        return {"<": number < value.value, ">": number > value.value, ">=": number >= value.value,
                "<=": number <= value.value}.get(operator, number == value.value)  # fmt: skip
    return (value.low is None or number >= value.low) and (value.high is None or number <= value.high)


def alternatives(query, holds):
    """Every way in which the query can hold: terms, each with whether it must hold or must not."""
    match query:
        case Not(inner):
            return alternatives(inner, not holds)
        case And(parts) | Or(parts):
            each = [alternatives(inner, holds) for inner in parts]
            if isinstance(query, And) is not holds:
                return [literals for ways in each for literals in ways]
            return [[literal for literals in chosen for literal in literals] for chosen in product(*each)]
    return [[(query, holds)]]
