#!/bin/sh
# Measures the trained models that come with Stepscope, and the rules beside them, on real data, into their cards and pages.
# Usage: measure-real-sets.sh BIN DATA. BIN is the folder of the environment's programs, DATA a folder with the data sets of the
# lines below, each as its page in docs/formats says; a set that is not there keeps what the card says of it. Takes two minutes on
# two cores. The data itself never comes into the repository.
#
# A line is a model, a data set's folder or file, what it is called. There is none for ask-timing: no set at hand has steps at which a
# question was due and others at which none was.
set -eu
BIN=$1
DATA=$2

while IFS=: read -r model folder title; do
    [ -e "$DATA/$folder" ] || { echo "$folder is not there" >&2; continue; }
    "$BIN/stepscope" models measure "$PWD/resources/models/$model" --data "$DATA/$folder" --title "$title"
done <<'SETS'
two-tower:uibert_refexp:UIBert refexp
two-tower:aitz_coat:AitZ
two-tower:androidarena:AndroidArena
two-tower:llamatouch:LlamaTouch
two-tower:miniwob_demos:MiniWoB++ demonstrations
two-tower:rico_traces:Rico traces
seq2act:uibert_refexp:UIBert refexp
seq2act:aitz_coat:AitZ
seq2act:androidarena:AndroidArena
seq2act:llamatouch:LlamaTouch
seq2act:miniwob_demos:MiniWoB++ demonstrations
seq2act:rico_traces:Rico traces
feasibility-mlp:turkingbench/tasks/Goal feasibility/batch.csv:TurkingBench Goal feasibility
pairwise-pointer:wikihow_goal_step:wikiHow goal-step
pairwise-pointer:androidarena:AndroidArena
pairwise-pointer:rico_traces:Rico traces
pairwise-pointer:webvoyager:WebVoyager
goal-retrieval:aitz_coat:AitZ
goal-retrieval:androidarena:AndroidArena
goal-retrieval:llamatouch:LlamaTouch
goal-retrieval:miniwob_demos:MiniWoB++ demonstrations
goal-retrieval:webvoyager:WebVoyager
SETS
"$BIN/python" -m stepscope.app.services.model_pages docs/models
