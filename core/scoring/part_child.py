"""The process that reads parts of a long file of records: `part_readers` starts it, asks it and ends it."""

from __future__ import annotations

import os
import pickle
from typing import BinaryIO

from stepscope.core.errors import UserError
from stepscope.core.process.own_streams import own_input, own_output
from stepscope.core.scoring.part_readers import PartAnswer, PartQuestion
from stepscope.core.scoring.records import Records, collector_paused


def answer_to(question: PartQuestion) -> PartAnswer | None:
    """What the function makes of the part; None where a bad record ends it, or the file is another one by now."""
    with question.path.open("rb") as stream:
        about = os.fstat(stream.fileno())
        if (about.st_dev, about.st_ino) != question.file:
            return None
        records = Records.of_part(stream, question.part, skip_bad=question.skip_bad)
        first = records.next_line
        try:
            found = question.read(records)
        except UserError:
            return None
        return PartAnswer(records.next_line - first, found, records.skipped)


def serve(asked: BinaryIO, answers: BinaryIO) -> None:
    """Answer until nothing more is asked."""
    while True:
        try:
            question = pickle.load(asked)
        except EOFError:
            return
        pickle.dump(answer_to(question), answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()


if __name__ == "__main__":
    with collector_paused():
        serve(own_input(), own_output())
