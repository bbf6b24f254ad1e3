"""One of torchrun's processes: trains the toy along with the others, and the first writes down what came out."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

from stepscope.models.training.distributed import joined, left
from stepscope.models.training.loop import fit
from stepscope.models.training.state import TrainingCheckpoint
from tests.models.training.toy import Toy, toy_data


def main() -> None:
    share = joined()
    hyper = replace(Toy.hyper, epochs=3)
    *_, last = fit(Toy(), {}, hyper, 0, toy_data(60, 1), toy_data(32, 2), share=share)
    assert isinstance(last, TrainingCheckpoint)
    told = {
        "rank": share.rank,
        "size": share.size,
        "measure": last.measure,
        "state": {name: tensor.tolist() for name, tensor in last.state.items()},
    }
    Path(sys.argv[1], f"{share.rank}.json").write_text(json.dumps(told), "utf-8")
    left(share)
    os._exit(0)  # torch's own threads abort a process now and then while the interpreter is taken down (exit code -6)


if __name__ == "__main__":
    main()
