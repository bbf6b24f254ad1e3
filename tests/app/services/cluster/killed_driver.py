"""A run by a cluster that waits after each outcome until it is told to go on: so that it can be killed in between.

python killed_driver.py STORE ADDRESS
"""

from __future__ import annotations

import sys

from stepscope.app.services.cluster import items
from stepscope.app.services.cluster.choice import ClusterChoice
from stepscope.app.services.evaluation import EvaluationRequest, start
from stepscope.app.services.library import open_indexed
from stepscope.app.services.provenance import SAMPLE
from stepscope.core.progress import CancelToken
from stepscope.core.store.engine import Database


def main(store: str, address: str) -> None:
    items.SHARE_SECONDS = 0.0
    with Database.open(store) as database:
        *_, indexed = open_indexed(database, SAMPLE, CancelToken())
        request = EvaluationRequest(model="noisy-copy", limit=40)
        run = start(database, indexed.source, indexed.source_id, request, cluster=ClusterChoice(address)).run
        run.batch_items = 4
        print(run.run_id, flush=True)
        for update in run.updates():
            print(update.committed, flush=True)
            sys.stdin.readline()


if __name__ == "__main__":
    main(*sys.argv[1:])
