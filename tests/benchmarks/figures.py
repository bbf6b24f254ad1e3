"""What got slower since figures were last kept: `make bench-check`, and `make bench-keep` to keep today's.

Ratios within a run are compared as they are. Seconds and their like depend on the machine: each is kept beside what a
fixed piece of work took when it was measured, and counted in it.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np

MADE = Path(__file__).parents[2] / "build" / "bench.json"
"""The newest figure of each name, of whichever benches were run."""
KEPT = Path(__file__).with_name("kept.json")
"""What they are compared with."""
SLOWER = 1.2
"""What is so many times worse is told."""


class Tell(Protocol):
    """The fixture `figure`."""

    def __call__(
        self, name: str, value: float, unit: str = "", *, budget: float | None = None, more: bool = False
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class Figure:
    """`unit` is "" for a ratio. `more`: the larger the better. `machine`: seconds of the fixed piece of work."""

    value: float
    unit: str = ""
    budget: float | None = None
    more: bool = False
    machine: float = 1.0

    @property
    def counted(self) -> float:
        """The value as it can be compared with one from another machine: rates are multiplied, times divided."""
        return self.value * self.machine if self.more else self.value / self.machine


@cache
def calibration() -> float:
    """Processor seconds of statements of Python and of numpy over more than a cache holds: the least of five."""
    numbers = np.arange(4_000_000, dtype=np.float32)
    times = []
    for _ in range(5):
        began = time.process_time()
        total = 0
        for number in range(300_000):
            total += number & 3
        float(np.sqrt(numbers).sum())
        times.append(time.process_time() - began)
    return min(times)


def missed(figure: Figure) -> bool:
    """Whether it does not meet its budget."""
    if figure.budget is None:
        return False
    return figure.value < figure.budget if figure.more else figure.value > figure.budget


def read(path: Path) -> dict[str, Figure]:
    """The figures of a file by name; none where there is no file."""
    if not path.exists():
        return {}
    return {name: Figure(**fields) for name, fields in json.loads(path.read_text("utf-8")).items()}


def write(path: Path, figures: Mapping[str, Figure]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = {name: asdict(figure) for name, figure in sorted(figures.items())}
    path.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", "utf-8")


def worse(made: Mapping[str, Figure], kept: Mapping[str, Figure]) -> Iterator[tuple[str, float]]:
    """Names of figures that are more than a fifth worse than the kept ones, with how many times, the worst first."""
    times = {
        name: before.counted / now.counted if now.more else now.counted / before.counted
        for name, now in made.items()
        if (before := kept.get(name)) is not None and min(before.counted, now.counted) > 0
    }
    yield from sorted(((name, ratio) for name, ratio in times.items() if ratio > SLOWER), key=lambda one: -one[1])


def main(arguments: list[str]) -> int:
    made, kept = read(MADE), read(KEPT)
    if not made:
        print("There are no figures: run `make bench` first, or a bench of tests/benchmarks.", file=sys.stderr)
        return 2
    if arguments == ["--keep"]:
        write(KEPT, kept | made)
        print(f"{len(made)} figures are kept.")
        return 0
    slower = list(worse(made, kept))
    for name, ratio in slower:
        one, before = made[name], kept[name]
        print(f"{name}: {one.value:.3g} {one.unit}".rstrip() + f", was {before.value:.3g}: {ratio:.2f} times as slow")
    for name in sorted(made.keys() - kept.keys()):
        print(f"{name}: {made[name].value:.3g} {made[name].unit}".rstrip() + ", not kept before")
    print(f"{len(slower)} of {len(made.keys() & kept.keys())} figures got slower by more than a fifth.")
    return bool(slower)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
