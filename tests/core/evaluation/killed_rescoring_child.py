"""The process that is killed in the middle: `python killed_rescoring_child.py STORE_URL RUN`.

It scores a run again and waits for a line after every item, so that the parent knows how far it is when it kills.
"""

import sys

from fakes import FakeScorer, FakeSource

from stepscope.core.evaluation.rescore import rescore, scoring_of
from stepscope.core.scoring import registry
from stepscope.core.store.engine import Database


def main() -> None:
    registry.PROTOCOLS._loaded["side"] = FakeScorer()
    episodes = {"a": 200, "b": 200, "c": 200}
    with Database.open(sys.argv[1]) as database:
        for update in rescore(database, sys.argv[2], FakeSource.of(**episodes), [scoring_of("side", {"limit": "2"})]):
            print(update.committed, update.progress.done, flush=True)
            sys.stdin.readline()


if __name__ == "__main__":
    main()
