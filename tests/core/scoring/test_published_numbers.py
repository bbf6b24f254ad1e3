"""Published numbers: each against the line of the paper that it stands in, and which of them stands beside a run."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from stepscope.core.errors import UsageError
from stepscope.core.scoring.options import default_options, parse_options
from stepscope.core.scoring.published_numbers import NUMBERS, PublishedNumber, best, of_protocol
from stepscope.core.scoring.registry import PROTOCOLS, record_scorer
from stepscope.core.sources.registry import format_named

NEAR = 3500
"""Characters between a table's caption and its farthest row."""
FRACTIONS = {"ask_precision", "ask_fpr", "ask_f1", "cos_sim", "meteor",
             "fulfillment", "match", "partial_match", "non_match", "kappa"}  # fmt: skip
"""Metrics that their papers write as fractions; AndroidControl's partial match, an SSR, is in percent."""

SPIRIT, QWEN = "SpiritSight-Agent-8B", "Qwen2.5-VL-3B"
NAVI = "AndroidControl-Naviplus"


class Row(NamedTuple):
    """A line of a paper: the text before its numbers, the numbers, and the published number that each of them is."""

    label: str
    printed: str
    numbers: Sequence[PublishedNumber]


def number(protocol: str, metric: str, model: str, data: str, **options: str) -> PublishedNumber:
    found = [one for one in of_protocol(protocol)
             if (one.metric, one.model, one.data) == (metric, model, data)
             and all(str(one.options.get(name)) == value for name, value in options.items())]  # fmt: skip
    assert len(found) == 1, (protocol, metric, model, data, found)
    return found[0]


def underlined(*numbers: str) -> str:
    return "".join(f"\t<u>{one}</u>" for one in numbers)


def f1(label: str, inputs: str, printed: str) -> Row:
    models = [f"{inputs}, {how}" for how in ("avg", "cat", "lstm")]
    return Row(label, printed, [number("feasibility", "f1", model, "MoTIF test split") for model in models])


def sequence(kind: str, model: str, printed: str) -> Row:
    places = ("MoTIF, apps seen in training", "MoTIF, new apps")
    return Row(
        f"{kind.capitalize()} Sequence",
        printed,
        [number("motif", f"{what}_{kind}", model, data) for data in places for what in ("action", "ground", "both")],
    )


def judged(label: str, data: str, model: str, printed: str) -> Row:
    by_people, by_model = f"{data}, judged by people", f"{data}, judged by a model"
    shares = ("non_match", "partial_match", "match")
    return Row(
        label,
        printed,
        [
            number("intent", "fulfillment", model, by_people),
            *(number("intent", metric, model, by_people) for metric in shares),
            *(number("intent", metric, model, by_model) for metric in shares),
        ],
    )


def people(label: str, data: str, who: str, printed: str) -> Row:
    metrics = ("non_match", "partial_match", "match")
    return Row(label, printed, [number("intent", metric, who, f"{data}, judged by people") for metric in metrics])


def form(label: str, model: str, printed: str) -> Row:
    return Row(label, printed, [number("fields", "score", model, "TurkingBench, 20 test tasks")])


def asks(label: str, model: str, setting: str, printed: str) -> Row:
    asking = setting in ("on", "off")
    metrics = ["ssr", "sr", "ssr_before", "ssr_after"]
    if not asking:
        data = f"{NAVI}, {setting}, no ASK"
        return Row(label, printed, [number("ask", metric, model, data) for metric in metrics])
    metrics += ["ask_precision", "ask_fpr", "ask_f1", "cos_sim", "meteor"]
    return Row(label, printed, [number("ask", metric, model, NAVI, dual=setting) for metric in metrics])


def removed(protocol: str, metrics: Sequence[str], data: str, printed: str, models: Sequence[str], label: str) -> Row:
    return Row(label, printed, [number(protocol, metric, model, data) for model in models for metric in metrics])


SSR = ("ssr", "sr")
PAPER_ROWS: dict[tuple[str, str], list[Row]] = {
    ("motif.txt", "Table 3. Task feasibility F1 score"): [
        Row("Random\t", "20.1", [number("feasibility", "f1", "Labels drawn as in training", "MoTIF test split")]),
        f1("FastText [6] (ET, ID)", "FastText (ET, ID)", "\t16.7\t43.6\t34.1"),
        f1("CLIP [35] (ET, ID)", "CLIP (ET, ID)", "\t28.0\t50.9\t36.2"),
        f1("Screen2Vec [24]", "Screen2Vec", "\t25.9\t33.7\t36.0"),
        f1("ResNet [15]", "ResNet", "\t31.3\t41.9\t35.9"),
        f1("Icons [27]", "Icons", "\t0.4\t40.0\t15.2"),
        f1("CLIP [35]", "CLIP (screen)", "\t44.7\t58.2\t42.8"),
        f1("CLIP [35] (Screen, ET, ID)", "CLIP (screen, ET, ID)", "\t44.8\t61.1\t40.9"),
    ],
    ("motif.txt", "Table 4. Mobile app task accuracy"): [
        sequence("complete", "Seq2Seq", "\t68.5\t22.5\t22.5\t54.3\t18.0\t17.7"),
        sequence("partial", "Seq2Seq", "\t89.5\t40.4\t40.1\t81.7\t31.3\t30.6"),
        sequence("complete", "MOCA", "\t51.1\t21.3\t20.7\t44.8\t17.0\t15.1"),
        sequence("partial", "MOCA", "\t78.5\t40.0\t38.6\t72.2\t32.7\t30.0"),
        sequence("complete", "Seq2Act", underlined("98.8", "27.6", "27.6", "94.9", "23.5", "23.5")),
        sequence("partial", "Seq2Act", underlined("99.7", "64.4", "64.3", "98.9", "62.2", "61.7")),
    ],
    ("motif.txt", "Seq2Act was originally evaluated with PIXELHELP"): [
        Row("achieved ", "70.6% complete Action + Ground accuracy",
            [number("motif", "both_complete", "Seq2Act", "PixelHelp")]),
    ],
    ("goal-identification.txt", "Table 2: Manual and automatic evaluation scores"): [
        judged("Mind2Web\tGPT-4", "Mind2Web", "GPT-4", "\t0.86\t0.14\t0.42\t0.44\t0.18\t0.40\t0.42"),
        judged("\tGemini-1.5", "Mind2Web", "Gemini 1.5", "\t0.87\t0.20\t0.22\t0.58\t0.18\t0.28\t0.54"),
        judged("AitZ\tGPT-4", "AitZ", "GPT-4", "\t0.78\t0.22\t0.19\t0.59\t0.32\t0.34\t0.34"),
        judged("\tGemini-1.5", "AitZ", "Gemini 1.5", "\t0.88\t0.17\t0.26\t0.57\t0.37\t0.27\t0.36"),
    ],
    ("goal-identification.txt", "Table 1: Manual evaluation of human generated"): [
        people("Mind2Web\tH vs. G", "Mind2Web", "People", "\t0.07\t0.13\t0.80"),
        people("\tH_1 vs. H_2", "Mind2Web", "Two people with each other", "\t0.09\t0.10\t0.81"),
        people("AitZ\tH vs. G", "AitZ", "People", "\t0.02\t0.22\t0.76"),
        people("\tH_1 vs. H_2", "AitZ", "Two people with each other", "\t0.02\t0.04\t0.94"),
    ],
    ("goal-identification.txt", "To assess the quality of our proposed metric"): [
        Row("resulting in an average Cohen's Kappa of ",
            "0.79 and 0.77 for fulfillment and satisfaction judgments, respectively, in the web dataset, and 0.91 and "
            "0.86 in the Android dataset",
            [number("label_agreement", "kappa", "Three people", f"{what} on {data}")
             for data in ("Mind2Web", "AitZ") for what in ("fulfilment", "satisfaction")]),
        Row("Measuring agreement with our human evaluation yielded a Kappa value of ", "0.48",
            [number("label_agreement", "kappa", "A model as judge against people", "satisfaction")]),
    ],
    ("turkingbench.txt", "Table 4: Comparison of models performance"): [
        form("Do-nothing ", "Doing nothing", "7.8"),
        form("GPT4 T relevant 7 5k ", "GPT-4, relevant part of the page", "21.3"),
        form("T full 7 82k ", "GPT-4, full page", "39.3"),
        form("GPT4-V T+ V relevant 7 8.4k ", "GPT-4V, relevant part of the page", "24.5"),
        form("T+ V full 7 86k ", "GPT-4V, full page", "41.7"),
        form("Claude2.1 T full 7 82k ", "Claude 2.1, full page", "22.6"),
        form("Oracle ", "Oracle", "100.0"),
    ],
    ("navi-plus.txt", "Table 1: Comparison of agents' performance"): [
        asks("w/ Original Task", SPIRIT, "original task", "\t67.6\t24.2 65.7 / 70.2"),
        asks("w/ Incomplete", SPIRIT, "incomplete task", "\t59.6\t16.7\t60.8 / 60.2"),
        asks("+ ASK", SPIRIT, "off", "\t62.5\t18.7\t51.3 / 70.3\t0.463\t0.091\t0.454\t0.807\t0.732"),
        asks("+ Dual Eval", SPIRIT, "on", "\t67.2\t23.1\t64.2 / 68.9\t0.935\t0.005\t0.603\t0.807\t0.732"),
        asks("w/ Original Task", QWEN, "original task", "\t55.4\t10.0\t56.0 / 55.9"),
        asks("w/ Incomplete", QWEN, "incomplete task", "\t51.3\t8.7\t51.6 / 52.3"),
        asks("+ ASK", QWEN, "off", "\t52.6\t9.5\t47.9 / 56.2\t0.574\t0.055\t0.487\t0.832\t0.750"),
        asks("+ Dual Eval", QWEN, "on", "\t55.1\t10.6\t54.9 / 56.2\t0.947\t0.004\t0.585\t0.832\t0.750"),
    ],
    ("navi-plus.txt", "Table 2: Comparison of agent performance when information"): [
        removed("android_control", ("partial_match", "complete_match"), "AndroidControl", "\t67.6\t24.2\t55.4\t10.0",
                (SPIRIT, QWEN), "\n0"),
        removed("android_control", ("partial_match",), "AndroidControl", "\t64.\t.8", ("PaLM 2S",),
                "\n0\t67.6\t24.2\t55.4\t10.0"),
        removed("ask", SSR, f"{NAVI}, two steps' information removed, no ASK", "\t55.8\t12.4\t46.8\t5.0",
                (SPIRIT, QWEN), "\n2"),
        removed("mind2web", ("macro_step_success", "task_success"), "Mind2Web", "\t45.3\t8.8\t46.3\t8.3\t43.5\t4.4",
                (SPIRIT, QWEN, "Flan-T5 XL"), "\n0"),
        removed("ask", ("ssr",), f"{NAVI}, original task, no ASK", "\t64.\t.8", ("PaLM 2S",),
                "\n0\t67.6\t24.2\t55.4\t10.0"),
        removed("ask", SSR, "Mind2Web-Naviplus, original task, no ASK", "\t45.3\t8.8\t46.3\t8.3\t43.5\t4.4",
                (SPIRIT, QWEN, "Flan-T5 XL"), "\n0"),
        removed("ask", SSR, "Mind2Web-Naviplus, incomplete task, no ASK", "\t26.3\t2.1\t25.7\t1.7",
                (SPIRIT, QWEN), "\n1"),
    ],
}  # fmt: skip
EVERY_ROW = [row for rows in PAPER_ROWS.values() for row in rows]


def papers() -> Path:
    named = os.environ.get("STEPSCOPE_PAPERS")
    folder = Path(named) if named else Path(__file__).resolve().parents[4] / "shared" / "papers"
    if not folder.is_dir():
        pytest.skip("the papers' texts are not here (STEPSCOPE_PAPERS or ../shared/papers)")
    return folder


class TestAgainstThePapers:
    @pytest.mark.parametrize(("paper", "caption"), PAPER_ROWS, ids=lambda text: text[:24])
    def test_lines_are_in_the_paper_near_their_caption(self, paper: str, caption: str) -> None:
        text = (papers() / paper).read_text(encoding="utf-8")
        assert text.count(caption) == 1
        middle = text.index(caption)
        around = text[max(0, middle - NEAR) : middle + NEAR]
        for row in PAPER_ROWS[paper, caption]:
            assert row.label + row.printed in around, row.label

    @pytest.mark.parametrize("row", EVERY_ROW, ids=lambda row: row.label.strip()[:20])
    def test_a_line_has_the_values_in_its_order(self, row: Row) -> None:
        printed = [float(found) for found in re.findall(r"\d+\.\d+", row.printed.replace(".\t.", "."))]
        values = [one.value if one.metric in FRACTIONS and one.protocol != "android_control" else one.value * 100
                  for one in row.numbers]  # fmt: skip
        assert values == pytest.approx(printed, abs=1e-9)

    def test_every_number_is_in_one_line(self) -> None:
        seen = [id(one) for row in EVERY_ROW for one in row.numbers]
        assert sorted(seen) == sorted(map(id, NUMBERS))


class TestTable:
    def test_metrics_and_options_are_the_protocols_own(self) -> None:
        for one in NUMBERS:
            info = record_scorer(one.protocol).info
            assert one.metric in info.metrics
            text = {name: str(value) for name, value in one.options.items()}
            parsed = parse_options(info, text)
            assert {name: parsed[name] for name in text} == dict(one.options)
            assert one.fits(parsed)

    def test_values_are_fractions_and_data_is_named(self) -> None:
        for one in NUMBERS:
            assert 0 <= one.value <= 1
            assert one.model and one.data and one.source
            if one.format:
                assert format_named(one.format).name == one.format
            assert not (one.split and not one.format)
            assert not one.note or one.note.endswith(".")

    def test_none_is_there_twice(self) -> None:
        keys = [(one.protocol, one.metric, one.model, one.data, frozenset(one.options.items())) for one in NUMBERS]
        assert len(set(keys)) == len(keys)

    def test_shares_of_a_match_add_up(self) -> None:
        """To a hundredth or two: they are rounded."""
        sums: dict[tuple[str, str], float] = {}
        for one in of_protocol("intent"):
            if one.metric != "fulfillment":
                sums[one.model, one.data] = sums.get((one.model, one.data), 0) + one.value
        assert len(sums) == 12
        assert all(total == pytest.approx(1, abs=0.011) for total in sums.values())

    def test_protocols_without_numbers_have_none(self) -> None:
        told = {name for name in PROTOCOLS if of_protocol(name)}
        assert told == {
            "feasibility", "motif", "intent", "label_agreement", "fields", "ask", "mind2web", "android_control",
        }  # fmt: skip


def beside(protocol: str, metric: str, given: dict[str, str] | None = None, **data: str) -> PublishedNumber | None:
    return best(protocol, metric, parse_options(record_scorer(protocol).info, given or {}), **data)


class TestBest:
    def test_feasibility(self) -> None:
        found = beside("feasibility", "f1", format="motif", split="feasibility/test")
        assert found is not None and (found.value, found.model) == (0.611, "CLIP (screen, ET, ID), cat")
        assert beside("feasibility", "precision") is None

    @pytest.mark.parametrize(
        ("given", "split", "metric", "value"),
        [
            ({}, "app_seen_task_unseen_all/test", "both_partial", 0.643),
            ({}, "app_unseen_task_unseen/test", "both_partial", 0.617),
            ({}, "app_unseen_task_unseen/test", "action_complete", 0.949),
            ({}, "", "both_partial", 0.643),
            ({"grounding": "point"}, "app_unseen_task_seen/test", "ground_complete", 0.18),
            ({"grounding": "box"}, "", "action_partial", 0.785),
            ({"object_tolerance": "0"}, "", "both_partial", None),
            ({"object_tolerance": "0"}, "", "action_partial", 0.997),
            ({"partial": "prefix"}, "", "both_partial", None),
            ({"partial": "prefix"}, "", "both_complete", 0.276),
        ],
    )
    def test_automation(self, given: dict[str, str], split: str, metric: str, value: float | None) -> None:
        found = beside("motif", metric, given, format="motif", split=split)
        assert (found.value if found else None) == value

    def test_one_model_for_all_metrics(self) -> None:
        """The other model's precision is higher, its success is not."""
        metrics = record_scorer("ask").info.metrics
        found = {metric: beside("ask", metric, {"dual": "on"}) for metric in metrics}
        assert found["ask_recall"] is None
        assert {one.model for one in found.values() if one} == {SPIRIT}
        assert found["ask_precision"] is not None and found["ask_precision"].value == 0.935

    def test_options_that_change_the_metric(self) -> None:
        values: dict[str, Any] = {}
        for dual, early in (("on", "neutral"), ("on", "credit"), ("off", "neutral"), ("off", "credit")):
            given = {"dual": dual, "early_ask": early}
            both = [beside("ask", metric, given) for metric in ("ssr", "ask_f1")]
            values[f"{dual} {early}"] = [one.value if one else None for one in both]
        assert values == {
            "on neutral": [0.672, 0.603], "on credit": [0.672, None],
            "off neutral": [0.526, 0.487], "off credit": [0.526, 0.487],
        }, "without taking asks back the other model has the better F1"  # fmt: skip

    def test_goals_on_the_nearest_data(self) -> None:
        web = [beside("intent", metric, format="multimodal_mind2web") for metric in ("match", "fulfillment")]
        assert [(one.model, one.value) for one in web if one] == [("Gemini 1.5", 0.58), ("Gemini 1.5", 0.87)]
        phone = [beside("intent", metric, format="aitz") for metric in ("match", "fulfillment")]
        assert [(one.model, one.value) for one in phone if one] == [("GPT-4", 0.59), ("GPT-4", 0.78)]

    def test_bounds_and_unknown_rules_stand_beside_nothing(self) -> None:
        form = beside("fields", "score")
        assert form is not None and (form.value, form.model) == (0.417, "GPT-4V, full page")
        assert beside("android_control", "partial_match", format="android_control") is None
        assert beside("label_agreement", "kappa") is None

    def test_text_options_as_runs_keep_them(self) -> None:
        options = {name: str(value) for name, value in default_options(record_scorer("motif").info).items()}
        found = best("motif", "both_partial", options)
        assert found is not None and found.value == 0.643

    def test_nothing_is_published_or_known(self) -> None:
        assert beside("ordering", "pmr") is None
        with pytest.raises(UsageError):
            best("nonsense", "f1", {})


class TestData:
    F1 = number("feasibility", "f1", "CLIP (screen, ET, ID), cat", "MoTIF test split")
    PLACE = "0.611: CLIP (screen, ET, ID), cat; MoTIF test split; MoTIF (Burns et al. 2022), table 3."

    @pytest.mark.parametrize(
        ("one", "run", "words"),
        [
            (F1, ("motif", "feasibility/test"), ""),
            (F1, ("motif", "feasibility/train"), "This run is on another split."),
            (F1, ("motif", ""), "This run is on another split."),
            (F1, ("rico", "feasibility/test"), "This run is on other data."),
            (F1, ("", ""), "This run is on other data."),
            (
                number("motif", "both_partial", "Seq2Act", "MoTIF, new apps"),
                ("motif", "app_unseen_task_seen/test"),
                "Whether this run is on the same part of the data is not known.",
            ),
            (
                number("ask", "ssr", SPIRIT, NAVI, dual="on"),
                ("navi_plus", "test"),
                "Whether this run is on the same part of the data is not known.",
            ),
        ],
    )
    def test_how_a_runs_data_differs(self, one: PublishedNumber, run: tuple[str, str], words: str) -> None:
        assert one.same_data(*run) is (not words)
        assert one.words(*run).endswith(words) if words else one.words(*run).endswith("Mean of ten trainings.")

    def test_a_part_is_not_the_whole(self) -> None:
        run = ("motif", "feasibility/test")
        assert not self.F1.same_data(*run, whole=False)
        assert self.F1.words(*run, whole=False).endswith("This run is on a part of it.")

    def test_words(self) -> None:
        assert self.F1.words("motif", "feasibility/test") == f"{self.PLACE} Mean of ten trainings."
        assert self.F1.words("aitz", "") == f"{self.PLACE} Mean of ten trainings. This run is on other data."
