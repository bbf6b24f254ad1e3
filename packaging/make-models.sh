#!/bin/sh
# Makes the trained models that come with Stepscope: their episodes, the six trainings, the cards in the documentation.
# What asking is learned from are episodes of their own, in FOLDER-asking.
# Usage: make-models.sh BIN REAL [FOLDER]. BIN is the folder of the environment's programs; REAL a folder with the data sets
# uibert_refexp and wikihow_goal_step as their pages in docs/formats say, of which a part is learned from too; the episodes go to FOLDER. Anyone can repeat it: the same seeds give the same numbers to 1e-3. Takes about an hour and a half on two cores.
set -eu
BIN=$1
REAL=$2
EPISODES=${3:-build/episodes}

"$BIN/stepscope" sample build --episodes 1500 --seed 0 --size 270x600 "$EPISODES"
"$BIN/stepscope" sample build --episodes 1650 --seed 0 --size 270x600 --goals asking "$EPISODES-asking"
train() { # TASK RECIPE [MORE DATA]
    task=$1
    name=$2
    shift 2
    "$BIN/stepscope" models train "$task" --data "$EPISODES" "$@" --recipe "$name" --out "resources/models/$name"
}
train automation two-tower --data "$REAL/uibert_refexp:4"
train automation seq2act --data "$REAL/uibert_refexp:4" --threads 1
train feasibility feasibility-mlp
train ordering pairwise-pointer --data "$REAL/wikihow_goal_step:2"
train goal goal-retrieval
"$BIN/stepscope" models train ask --data "$EPISODES-asking" --recipe ask-timing --threads 1 --out resources/models/ask-timing
sh packaging/measure-real-sets.sh "$BIN" "$REAL"
