"""A process that performs episodes: `python -m stepscope.resources.sample.generator.worker`, spoken to by `build`.

The first line on stdin is a JSON object with `seed`, `size`, `apps`, `trees`, `goals` and `into`, answered by "ready";
each further line is the number of an episode, answered by one JSON line. The end of stdin ends the process, so that
none outlives its builder.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from stepscope.core.domain.geometry import Size
from stepscope.core.drafts import reason
from stepscope.core.errors import SourceError
from stepscope.resources.child_server import own_stdout
from stepscope.resources.sample.generator.catalogue import chosen_apps
from stepscope.resources.sample.generator.choose import GoalKinds
from stepscope.resources.sample.generator.perform import EpisodeResult, Performer
from stepscope.resources.sample.generator.rough_trees.kinds import TreeKinds
from stepscope.resources.sample.phone import PhoneTimeoutError, SimulatedPhone, prepare_environment


def main() -> int:
    """The exit status, 0."""
    answers = own_stdout()
    order = json.loads(sys.stdin.readline())
    prepare_environment()
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance() or QApplication([])
    size = Size(*order["size"])
    into, trees, kinds = Path(order["into"]), TreeKinds(order["trees"]), GoalKinds(order["goals"])
    performer = Performer(SimulatedPhone(size), chosen_apps(order["apps"]), order["seed"], into, trees, kinds)
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(_answer(performer, int(line), size)), file=answers, flush=True)
    performer.phone.close()
    application.processEvents()
    return 0


def _answer(performer: Performer, number: int, size: Size) -> dict[str, Any]:
    """What came of the episode; `trouble` in words where the disk refuses it, as it would the next."""
    try:
        return asdict(_made(performer, number, size))
    except OSError as error:
        return {"trouble": reason(error)}
    except SourceError as error:
        if not isinstance(error.__cause__, OSError):
            raise
        return {"trouble": reason(error.__cause__)}


def _made(performer: Performer, number: int, size: Size) -> EpisodeResult:
    """The episode; a phone that does not answer in time is taken anew, and the same episode once more."""
    try:
        return performer.make(number)
    except PhoneTimeoutError:
        performer.phone.close()
        performer.phone = SimulatedPhone(size)
        return performer.make(number, patient=False)


if __name__ == "__main__":
    sys.exit(main())
