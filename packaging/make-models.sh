#!/bin/sh
# Makes the trained models that come with Stepscope: their episodes, the five trainings, the cards in the documentation.
# Usage: make-models.sh BIN [FOLDER]. BIN is the folder of the environment's programs; the episodes go to FOLDER.
# Anyone can repeat it: the same seeds give the same numbers to 1e-3. Takes about an hour on two cores.
set -eu
BIN=$1
EPISODES=${2:-build/episodes}

"$BIN/stepscope" sample build --episodes 1500 --seed 0 --size 270x600 "$EPISODES"
for pair in automation:two-tower feasibility:feasibility-mlp ordering:pairwise-pointer goal:goal-retrieval ask:ask-timing; do
    task=${pair%%:*}
    name=${pair#*:}
    "$BIN/stepscope" models train "$task" --data "$EPISODES" --recipe "$name" --out "resources/models/$name"
done
"$BIN/python" -m stepscope.app.services.model_pages docs/models
echo "New cards have no real sets: measure them by packaging/measure-real-sets.sh." >&2
