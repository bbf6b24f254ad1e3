"""Builds episodes in numbers into a folder of recordings, and goes on where an earlier build of the same stopped.

The folder has a recording an episode (`NNNNN-app`) and `manifest.json`: what was asked for, what came of it, and what
the numbers made from it are good for. The same options give the same bytes on one machine, however many work on it.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from stepscope.core.domain.geometry import Size
from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken
from stepscope.core.sources.sniffers.recording import EPISODE_FILE
from stepscope.resources.sample.generator.catalogue import chosen_apps, fingerprint
from stepscope.resources.sample.generator.choose import GoalKinds, drawn
from stepscope.resources.sample.generator.rough_trees.kinds import TreeKinds
from stepscope.resources.sample.generator.worker_pool import WorkerAnswer, WorkerPool

MANIFEST = "manifest.json"
FORMAT, VERSION = "stepscope-sample-build", 1
ABOUT = (
    "Made by this project on its own sample apps: numbers on these episodes show the machinery at work "
    "and are no finding about any published data set."
)
_WORDS = {"sources": "sample apps or program", "trees": "choice of trees", "goals": "choice of goals"}
"""Names of the order's fields that are no words."""


@dataclass(frozen=True, slots=True)
class BuildSpec:
    """What is to be built. `code_version` is the program's own, kept in the manifest."""

    episodes: int
    seed: int
    size: Size
    apps: tuple[str, ...]
    code_version: str
    trees: TreeKinds = TreeKinds.MIXED
    goals: GoalKinds = GoalKinds.ALL

    def as_json(self) -> dict[str, Any]:
        """All but the number of episodes: a folder may grow, and must not change."""
        return {
            "seed": self.seed,
            "size": [self.size.width, self.size.height],
            "apps": list(self.apps),
            "trees": self.trees.value,
            "goals": self.goals.value,
            "sources": fingerprint(),
        }


class Build:
    """One folder under one order. Raises UsageError when the folder holds something else."""

    def __init__(self, order: BuildSpec, into: Path) -> None:
        self.order, self.into = order, into
        self._apps = chosen_apps(order.apps)
        self.missing_before = self._prepare()

    def run(self, workers: int, token: CancelToken) -> Iterator[WorkerAnswer]:
        """Perform what is missing; an answer as each episode is done. UserError when no phone can be started."""
        numbers = [number for number in range(self.order.episodes) if not self._done(number)]
        form = self.order.as_json()
        worker_pool = WorkerPool({**form, "into": str(self.into.resolve())}, workers)
        yield from worker_pool.perform(numbers, token)

    def finish(self) -> dict[str, Any]:
        """Write the manifest of what is there now, and return it."""
        folders = [self.into / self._id(number) for number in range(self.order.episodes)]
        counts = counted([folder for folder in folders if (folder / EPISODE_FILE).is_file()])
        missing = [folder.name for folder in folders if not (folder / EPISODE_FILE).is_file()]
        return self._write({"complete": not missing, **counts, "missing": missing})

    def _prepare(self) -> int:
        """The number of episodes that are not there yet; what an interrupted build left half done is removed."""
        manifest = self.into / MANIFEST
        if self.into.exists() and not self.into.is_dir():
            raise UsageError("this is a file.", place=self.into, hint="Name a folder.")
        if not manifest.exists():
            if self.into.exists() and any(self.into.iterdir()):
                raise UsageError("the folder is not empty.", place=self.into, hint="Choose another or a new one.")
            self._write({"complete": False})
            return self.order.episodes
        self._check_same(manifest)
        for draft in self.into.glob(".*-*"):
            if draft.is_dir():
                shutil.rmtree(draft, ignore_errors=True)
        return sum(not self._done(number) for number in range(self.order.episodes))

    def _check_same(self, manifest: Path) -> None:
        try:
            form = json.loads(manifest.read_text(encoding="utf-8"))
            before, episodes = form["order"], int(form["episodes"])
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(
                "this is no build of sample episodes.", place=manifest, hint="Choose another folder."
            ) from error
        now = self.order.as_json()
        other = [name for name, value in now.items() if before.get(name) != value]
        if other:
            names = ", ".join(_WORDS.get(name, name) for name in other)
            raise UsageError(
                f"the episodes there were built with another {names}.", place=self.into, hint="Choose a new folder."
            )
        if episodes > self.order.episodes:
            hint = f"Ask for {episodes} or more, or choose a new folder."
            raise UsageError(f"the build there is of {episodes} episodes.", place=self.into, hint=hint)

    def _write(self, found: dict[str, Any]) -> dict[str, Any]:
        form = {
            "format": FORMAT,
            "version": VERSION,
            "about": ABOUT,
            "code_version": self.order.code_version,
            "order": self.order.as_json(),
            "episodes": self.order.episodes,
            **found,
        }
        try:
            write_whole(self.into / MANIFEST, f"{json.dumps(form, indent=1)}\n".encode())
        except OSError as error:
            raise UserError(f"cannot be written: {reason(error)}.", place=self.into, hint=advice(error)) from error
        return form

    def _done(self, number: int) -> bool:
        return (self.into / self._id(number) / EPISODE_FILE).is_file()

    def _id(self, number: int) -> str:
        return drawn(self.order.seed, number, 0, self._apps, self.order.goals).id


def counted(folders: Sequence[Path]) -> dict[str, Any]:
    """How many episodes and steps the recordings hold, and of which split, app, means, reason and kind of
    trees. `replaced` counts
    the draws that came to nothing before an episode's own did."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("splits", "apps", "means", "reasons", "trees")}
    steps = replaced = 0
    for folder in folders:
        form = json.loads((folder / EPISODE_FILE).read_text(encoding="utf-8"))
        meta = form["meta"]
        steps += len(form["steps"])
        replaced += meta["attempt"]
        counts["splits"].update(form["splits"])
        counts["apps"][form["app"].rsplit(".", 1)[-1]] += 1
        counts["means"][meta["means"]] += 1
        counts["reasons"][form["feasibility"]["reason"] or "feasible"] += 1
        counts["trees"][meta["trees"]] += 1
    sums = {name: dict(sorted(found.items())) for name, found in counts.items()}
    return {"built": len(folders), "steps": steps, "replaced": replaced, **sums}
