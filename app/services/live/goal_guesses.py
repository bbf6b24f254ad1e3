"""What models take a person's goal for while it happens on a device: their guesses, and when help may be offered.

Source: User goals from UI trajectories (2024), figure 1: an observer understands the task before it is done, and offers
help. When it does so is ours.
"""

from __future__ import annotations

from stepscope.core.frozen import dataclass

SETTLED = 2
"""Steps after which a model must have said the same before help is offered."""


@dataclass(frozen=True, slots=True)
class GoalGuess:
    """What the model of that letter took the goal for after `steps` steps; `confidence` 0..1 where it tells one."""

    letter: str
    steps: int
    text: str
    confidence: float | None = None


class GoalGuesses:
    """The guesses of one recording. One thread."""

    def __init__(self) -> None:
        self._by_letter: dict[str, dict[int, GoalGuess]] = {}
        self._declined: set[str] = set()

    def take(self, guess: GoalGuess) -> bool:
        """Keep the guess, in the place of the same model's after as many steps; whether it says something else."""
        mine = self._by_letter.setdefault(guess.letter, {})
        known = mine.get(guess.steps)
        mine[guess.steps] = guess
        return known is None or known.text != guess.text

    @property
    def steps(self) -> int:
        """The most steps from which something was guessed."""
        return max((count for mine in self._by_letter.values() for count in mine), default=0)

    def keep_to(self, steps: int) -> None:
        """Forget what was guessed after more steps than there are: they were undone."""
        for mine in self._by_letter.values():
            for count in [one for one in mine if one > steps]:
                del mine[count]

    def decline(self, text: str) -> None:
        """The person says that it is not this: no help is offered with it any more."""
        self._declined.add(text)

    def told(self) -> list[tuple[GoalGuess, str | None]]:
        """Each model's first guess and those that say something else than the one before, which stands beside; in the
        order of steps."""
        found: list[tuple[GoalGuess, str | None]] = []
        for mine in self._by_letter.values():
            before: str | None = None
            for _steps, guess in sorted(mine.items()):
                if guess.text != before:
                    found.append((guess, before))
                before = guess.text
        return sorted(found, key=lambda one: (one[0].steps, one[0].letter))

    def offered(self) -> GoalGuess | None:
        """The guess with which help may be offered: the first model's that said the same after its last SETTLED steps,
        and that nobody declined."""
        for letter in sorted(self._by_letter):
            last = [guess for _steps, guess in sorted(self._by_letter[letter].items())][-SETTLED:]
            texts = {one.text for one in last}
            if len(last) == SETTLED and len(texts) == 1 and not texts & self._declined:
                return last[-1]
        return None
