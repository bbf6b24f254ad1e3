"""How like the questions of `ask-timing` are to those that people ask: on TurkingBench's task "Clarifiction".

Workers read a situation and write the question that they would ask back. For each situation: the mean cosine of MiniLM
vectors between one worker's question and the others' (leaving one out: what people reach among themselves), and between
a question of the model, or of a baseline, and every worker's. Source of the texts: Xu et al. 2024, TurkingBench; the
measure is ours. Prints a table; intervals by 1,000 draws of whole situations.

Usage: python packaging/measure-clarification.py FOLDER [MODEL], FOLDER being the one with `tasks`.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from stepscope.core.domain.episode import Observation, Platform
from stepscope.core.domain.geometry import Size
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.models.ask.constant import QUESTION
from stepscope.models.ask.questions import question_of
from stepscope.models.ask.recipe import RECIPE
from stepscope.models.features.vectors import load_features
from stepscope.models.learned.model_folders import find_trained
from stepscope.models.learned.predictor import load

DRAWS = 1000
FEWEST = 2
"""Questions that a situation must have, so that one can be compared with another."""


def questions_in(folder: Path) -> dict[str, list[str]]:
    """The questions of the workers by situation."""
    csv.field_size_limit(10**9)
    found: dict[str, list[str]] = defaultdict(list)
    with (folder / "tasks" / "Clarifiction" / "batch.csv").open(encoding="utf-8-sig", newline="") as file:
        for line in csv.DictReader(file):
            for place in range(1, 6):
                situation = " ".join(re.sub(r"<[^>]*>", " ", line[f"situation{place}"]).split())
                question = (line[f"Answer.goal{place}_distractor_1"] or "").strip()
                if situation and question:
                    found[situation].append(question)
    return {situation: asked for situation, asked in found.items() if len(asked) >= FEWEST}


def asked_by(model: str, situations: list[str]) -> list[str]:
    """What the model asks about each, whatever it thinks of asking: the goal is all that there is to see."""
    trained = find_trained(model)
    if trained is None:
        raise SystemExit(f"There is no trained model {model}.")
    predictor = load(trained, RECIPE)
    nothing = Observation(Size(1, 1))
    requests = [StepRequest("", 0, one, Platform.TEXT, nothing) for one in situations]
    drafts = [predictor.prepare(one) for one in requests]
    features = load_features("minilm", "")
    vectors = features.vectors(dict.fromkeys(text for draft in drafts for text in draft.texts), ())
    outputs = predictor.run([RECIPE.example(draft, vectors) for draft in drafts])
    return [question_of(int(slots.argmax()), (), one) for one, (_, slots, _) in zip(situations, outputs, strict=True)]


def main() -> None:
    known = questions_in(Path(sys.argv[1]))
    situations = [*known]
    ours = asked_by(sys.argv[2] if len(sys.argv) > 2 else "ask-timing", situations)
    every = [question for asked in known.values() for question in asked]
    vectors = load_features("minilm", "").vectors(dict.fromkeys((*every, *ours, QUESTION)), ())

    def like(one: str, others: list[str]) -> float:
        return float(np.mean([vectors.text(one) @ vectors.text(other) for other in others]))

    rows = {
        "people, one against the others": [
            float(np.mean([like(one, asked[:place] + asked[place + 1 :]) for place, one in enumerate(asked)]))
            for asked in known.values()
        ],
        "question by slot": [like(one, known[situation]) for one, situation in zip(ours, situations, strict=True)],
        "the same question always": [like(QUESTION, asked) for asked in known.values()],
        "a worker's about another situation": [
            like(known[situations[place - 1]][0], known[situation]) for place, situation in enumerate(situations)
        ],
    }
    chance = np.random.default_rng(0)
    draws = chance.integers(0, len(situations), (DRAWS, len(situations)))
    print(f"{len(situations)} situations, {len(every)} questions")
    for name, values in rows.items():
        means = np.array(values)[draws].mean(1)
        low, high = np.quantile(means, (0.025, 0.975))
        print(f"{name:<36}{np.mean(values):.3f}  {low:.3f} to {high:.3f}")
    for situation, question in [*zip(situations, ours, strict=True)][:5]:
        print(f"  {situation[:90]} -> {question}   (a worker: {known[situation][0]})")


if __name__ == "__main__":
    main()
