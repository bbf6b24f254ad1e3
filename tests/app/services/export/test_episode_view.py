"""What exports of an episode show: verdicts by the rule, marks as render draws them, links that open the step."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from stepscope.app.services.export.drawing import draw
from stepscope.app.services.export.episode_view import EpisodeView, RunView, verdict_word
from stepscope.core.domain.episode import FeasibilityLabel, Picture
from stepscope.core.domain.layers import DEFAULT_LAYERS, Layer, Layers
from stepscope.core.domain.link import parse_link
from stepscope.core.domain.prediction import AttachedPicture, FeasibilityAnswer, Prediction, Task
from stepscope.core.domain.run import ItemKey, Outcome
from stepscope.core.domain.score import Score
from stepscope.core.errors import UsageError
from stepscope.core.imaging.draw import encode_png
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import step_scorer
from tests.app.episodes import SIZE, lamp, view


def test_actions_are_judged_by_the_rule_and_the_rest_keeps_its_scores(tmp_path) -> None:
    first, second = view(tmp_path).runs.values()
    assert verdict_word(first.scores[0]) == "hit"
    assert [verdict_word(second.scores[step]) for step in (0, 1)] == ["miss", "malformed"]
    episode, failed = lamp(tmp_path), Score.error("the model broke")
    outcomes = {0: replace(Outcome(ItemKey("lamp", 0), first.predictions[0], failed))}
    scorer = step_scorer("aitw")
    options = parse_options(scorer.info, {})
    assert RunView.of("x", outcomes, episode.steps, scorer, options).scores[0] == failed
    asked = {0: Outcome(ItemKey("lamp", 0), first.predictions[0], Score.scored(1, "asked"))}
    assert RunView.of("x", asked, episode.steps, scorer, options, task=Task.ASK).scores[0].why == "asked"


def test_a_step_is_drawn_as_render_draws_it(tmp_path) -> None:
    shown = view(tmp_path)
    scorer = step_scorer("aitw")
    answers = [(run.predictions[0], None) for run in shown.runs.values()]
    options = parse_options(scorer.info, {})
    assert (shown.drawn(0) == draw(shown.episode.steps[0], answers, scorer, options, DEFAULT_LAYERS)).all()
    with pytest.raises(UsageError, match="step 3 has no picture"):
        shown.drawn(2)


def test_layers_and_their_strengths_are_kept(tmp_path) -> None:
    shown = view(tmp_path)
    bare = replace(shown, layers=Layers.of())
    assert (bare.drawn(0) == 96).all()
    weak = replace(shown, layers=Layers.of(Layer.TARGET), strengths={Layer.TARGET: 0.25})
    strong = replace(weak, strengths={})
    apart = np.abs(weak.drawn(0).astype(int) - 96).sum(), np.abs(strong.drawn(0).astype(int) - 96).sum()
    assert 0 < apart[0] < apart[1] / 2


def test_attached_pictures_are_read_only_for_their_layer(tmp_path) -> None:
    bright = AttachedPicture("map", encode_png(np.full((4, 2, 3), 255, np.uint8)))
    asked = []

    def pictures(run: int, step: int):
        asked.append((run, step))
        return (bright,) if run == 0 else ()

    shown = replace(view(tmp_path), pictures=pictures)
    plain = shown.drawn(0)
    assert asked == []
    covered = replace(shown, layers=Layers(DEFAULT_LAYERS.shown | {Layer.SALIENCY})).drawn(0)
    assert asked == [(0, 0), (1, 0)]
    assert (covered != plain).any(axis=2).mean() > 0.5


def test_attention_is_drawn_on_its_layer_from_the_stream_that_is_asked_for(tmp_path) -> None:
    given = [{"stream": name, "text": "goal", "cells": [[0, top, 1, top + 0.5, 1]]}
             for name, top in (("action", 0), ("grounding", 0.5))]  # fmt: skip
    shown = view(tmp_path)
    raw = json.dumps({"attention": given})
    run = replace(shown.runs[0], predictions={0: replace(shown.runs[0].predictions[0], raw=raw)})
    layers = Layers.of(Layer.ATTENTION, Layer.RUN_A)
    shown = replace(shown, runs={0: run}, layers=layers)
    first, second = shown.drawn(0), replace(shown, stream="grounding, goal").drawn(0)
    top, bottom = SIZE.height // 4, 3 * SIZE.height // 4
    assert (first[top, 5] != 96).any() and (first[bottom, 5] == 96).all()
    assert (second[top, 5] == 96).all() and (second[bottom, 5] != 96).any()
    assert (replace(shown, layers=Layers.of(Layer.RUN_A)).drawn(0)[top, 5] == 96).all()
    scorer = step_scorer("aitw")
    answers = [(run.predictions[0], None)]
    assert (draw(shown.episode.steps[0], answers, scorer, parse_options(scorer.info, {}), layers) == first).all()


def test_changes_are_those_since_the_step_before(tmp_path) -> None:
    shown = replace(view(tmp_path), layers=Layers.of(Layer.DIFF))
    pixels = np.full((SIZE.height, SIZE.width, 3), 96, np.uint8)
    pixels[300:360, 100:200] = 255
    (tmp_path / "dialog.png").write_bytes(encode_png(pixels))
    second = shown.episode.steps[1]
    opened = replace(second.observation, screenshot=Picture(tmp_path / "dialog.png", SIZE))
    steps = (shown.episode.steps[0], replace(second, observation=opened))
    changed = replace(shown, episode=replace(shown.episode, steps=steps))
    assert (shown.drawn(1) == 96).all(), "the same picture as before"
    assert (changed.drawn(0) == 96).all(), "nothing is before the first"
    assert (changed.drawn(1) != pixels).any()


def test_what_is_about_the_whole_episode_is_not_about_a_step(tmp_path) -> None:
    answer = FeasibilityAnswer(FeasibilityLabel.INFEASIBLE, 0.8)
    whole = Outcome(ItemKey("lamp", -1), Prediction("lamp", None, answer), Score.scored(1, "infeasible"))
    run = RunView.of("judge", {-1: whole}, (), None, {})
    assert (run.predictions, run.scores, run.whole) == ({}, {}, whole)
    assert EpisodeView(lamp(tmp_path), runs={0: run}).drawn(0).shape == (800, 400, 3)


def test_the_link_names_the_runs_where_all_are_stored(tmp_path) -> None:
    shown = view(tmp_path)
    assert shown.link(1) == "stepscope://shop/lamp/1?runs=A,B&rule=aitw&ids=3f9a,77c0"
    other = replace(shown, runs={0: shown.runs[0], 1: replace(shown.runs[1], id="")})
    assert parse_link(other.link(0)).runs == ()
    apart = replace(shown, runs={1: shown.runs[0], 3: shown.runs[1]})
    assert apart.link(0) == "stepscope://shop/lamp/0?runs=B,D&rule=aitw&ids=,3f9a,,77c0"
    assert parse_link(apart.link(0)).ids == ("", "3f9a", "", "77c0")
