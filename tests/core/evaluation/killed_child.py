"""The process that is killed in the middle: `python killed_child.py STORE_URL`.

Its model asks the parent before each answer: it writes a line and waits for one. So the parent knows exactly how far
the run is when it kills, without any clock.
"""

import sys
from dataclasses import replace

from fakes import SPEC, FakePredictor, FakeScorer, FakeSource

from stepscope.core.domain.model_call import ModelCall, SentMessage
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.store.engine import Database

PROMPT = "The same words in every question, more of them than stand in the question itself: they are kept once."
SOURCE = {"a": 40, "b": 40, "c": 20}


class AskingPredictor(FakePredictor):
    def predict(self, request):
        print("next", flush=True)
        sys.stdin.readline()
        call = ModelCall((SentMessage("user", (PROMPT, f"Step {request.step}")),), tokens_in=request.step)
        return replace(super().predict(request), calls=(call,))


def main() -> None:
    with Database.open(sys.argv[1]) as database:
        run = EvaluationRun.start(database, SPEC, FakeSource.of(**SOURCE), [*SOURCE], AskingPredictor(), FakeScorer())
        print(run.run_id, flush=True)
        for update in run.updates():
            print(f"committed {update.committed}", flush=True)


if __name__ == "__main__":
    main()
