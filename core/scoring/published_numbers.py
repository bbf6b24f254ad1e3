"""What the papers report, beside what the protocols here compute: every number that one of our metrics is, each with
its model, its data and its place.

Numbers that a paper implies but does not print (a recall from precision and F1) are left out, and so are tables of
which only the captions were at hand (the multimodal ordering paper's). Sources: "A Dataset for Interactive
Vision-Language Navigation with Unknown Command Feasibility" (MoTIF), Burns et al., ECCV 2022; "Identifying User Goals
from UI Trajectories", 2024; "TurkingBench", Xu et al., arXiv:2403.11905; "Navi-plus: Managing Ambiguous GUI Navigation
Tasks with Follow-up Questions".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from stepscope.core.frozen import dataclass
from stepscope.core.scoring.option import OptionValue
from stepscope.core.scoring.rule import Options


@dataclass(frozen=True, slots=True)
class PublishedNumber:
    """A number of a paper, `value` as a fraction. `options` are those of the protocol that it was computed with; those
    that do not change it are left out.

    `format` names our reader of the data and `split` its name of the split; a split may be named by the beginning that
    several share, and is "" where none of them is known to be the paper's. `context` is for numbers that say what is
    easy or possible at all (chance, people, an oracle, another setting of the task) or whose rule is not known: they
    are listed, but never stand beside a run.
    """

    protocol: str
    metric: str
    value: float
    model: str
    data: str
    source: str
    options: Options = field(default_factory=dict)
    format: str = ""
    split: str = ""
    note: str = ""
    context: bool = False

    def fits(self, options: Mapping[str, object]) -> bool:
        """Whether a run with these options computes the same thing; their values may be text."""
        return all(name in options and str(options[name]) == str(value) for name, value in self.options.items())

    def same_data(self, format: str, split: str, *, whole: bool = True) -> bool:
        """Whether a run on this format and split is on the paper's data; `whole` False: on a part of it only."""
        return not self._apart(format, split, whole)

    def words(self, format: str, split: str, *, whole: bool = True) -> str:
        """The number with its model and place, and how a run's data is another, for a tooltip."""
        parts = (f"{self.value:.3f}: {self.model}; {self.data}; {self.source}.", self.note)
        return " ".join(filter(None, (*parts, self._apart(format, split, whole))))

    def _apart(self, format: str, split: str, whole: bool) -> str:
        """How a run's data differs from the paper's, "" when it is the same."""
        if not self.format or format != self.format:
            return "This run is on other data."
        if not split.startswith(self.split):
            return "This run is on another split."
        if not self.split or split != self.split:
            return "Whether this run is on the same part of the data is not known."
        return "" if whole else "This run is on a part of it."


def of_protocol(protocol: str) -> tuple[PublishedNumber, ...]:
    """All published numbers of a protocol, in the papers' order; none where no paper reports any."""
    return tuple(number for number in NUMBERS if number.protocol == protocol)


def best(
    protocol: str, metric: str, options: Mapping[str, object], *, format: str = "", split: str = ""
) -> PublishedNumber | None:
    """The number to show beside a run: that of the paper's best model under these options, on the data that is nearest
    to the run's. None where there is none.

    Best is the model with the highest main metric, so that all metrics of a run stand beside one and the same model.
    Raises UsageError for an unknown protocol.
    """
    from stepscope.core.scoring.registry import record_scorer

    main = record_scorer(protocol).info.main
    pool = [number for number in of_protocol(protocol) if not number.context and number.fits(options)]
    found = [number for number in pool if number.metric == metric]
    if not found:
        return None
    nearest = max(_nearness(number, format, split) for number in found)
    found = [number for number in found if _nearness(number, format, split) == nearest]
    ranks = {(number.model, number.data): number.value for number in pool if number.metric == main}
    return max(found, key=lambda number: ranks.get((number.model, number.data), 0.0))


def _nearness(number: PublishedNumber, format: str, split: str) -> tuple[bool, bool]:
    same_format = bool(number.format) and number.format == format
    return same_format, same_format and bool(number.split) and split.startswith(number.split)


# MoTIF

_MOTIF = "MoTIF (Burns et al. 2022), table {}"
_FEASIBILITY = {
    "FastText (ET, ID)": (16.7, 43.6, 34.1),
    "CLIP (ET, ID)": (28.0, 50.9, 36.2),
    "Screen2Vec": (25.9, 33.7, 36.0),
    "ResNet": (31.3, 41.9, 35.9),
    "Icons": (0.4, 40.0, 15.2),
    "CLIP (screen)": (44.7, 58.2, 42.8),
    "CLIP (screen, ET, ID)": (44.8, 61.1, 40.9),
}
"""F1 in percent by what the classifier sees beside the command (ET: the elements' texts, ID: resource ids), for the
three ways of bringing a demonstration's screens together."""
_AGGREGATIONS = ("avg", "cat", "lstm")

_AUTOMATION: tuple[tuple[str, dict[str, OptionValue], dict[str, tuple[Sequence[float], Sequence[float]]]], ...] = (
    ("Seq2Seq", {"grounding": "point"}, {
        "complete": ((68.5, 22.5, 22.5), (54.3, 18.0, 17.7)), "partial": ((89.5, 40.4, 40.1), (81.7, 31.3, 30.6))}),
    ("MOCA", {"grounding": "box"}, {
        "complete": ((51.1, 21.3, 20.7), (44.8, 17.0, 15.1)), "partial": ((78.5, 40.0, 38.6), (72.2, 32.7, 30.0))}),
    ("Seq2Act", {"grounding": "object"}, {
        "complete": ((98.8, 27.6, 27.6), (94.9, 23.5, 23.5)), "partial": ((99.7, 64.4, 64.3), (98.9, 62.2, 61.7))}),
)  # fmt: skip
"""Percent of action, grounding and both, in apps seen in training and in new ones."""
_APPS = (("app_seen", "MoTIF, apps seen in training"), ("app_unseen", "MoTIF, new apps"))


def _feasibility() -> Iterator[PublishedNumber]:
    source, data = _MOTIF.format(3), "MoTIF test split"
    format, split = "motif", "feasibility/test"
    chance = "Labels drawn as in training"
    yield PublishedNumber("feasibility", "f1", 0.201, chance, data, source, format=format, split=split, context=True)
    for inputs, values in _FEASIBILITY.items():
        for aggregation, value in zip(_AGGREGATIONS, values, strict=True):
            model, note = f"{inputs}, {aggregation}", "Mean of ten trainings."
            yield PublishedNumber("feasibility", "f1", _share(value), model, data, source, {}, format, split, note)


def _automation() -> Iterator[PublishedNumber]:
    for model, grounding, kinds in _AUTOMATION:
        for kind, by_apps in kinds.items():
            for (split, data), values in zip(_APPS, by_apps, strict=True):
                for what, value in zip(("action", "ground", "both"), values, strict=True):
                    options = grounding | ({"partial": "position"} if kind == "partial" else {})
                    if model == "Seq2Act" and what != "action":
                        options["object_tolerance"] = 1
                    metric, source = f"{what}_{kind}", _MOTIF.format(4)
                    yield PublishedNumber("motif", metric, _share(value), model, data, source, options, "motif", split)
    note = "Repeated from Seq2Act's own paper, whose rule for the element may be another."
    source = "MoTIF (Burns et al. 2022), section 5.2"
    yield PublishedNumber("motif", "both_complete", _share(70.6), "Seq2Act", "PixelHelp", source,
                    format="pixelhelp", note=note, context=True)  # fmt: skip


# User goals from UI trajectories

_GOALS = "User goals from UI trajectories (2024), {}"
_SETS = {"Mind2Web": "multimodal_mind2web", "AitZ": "aitz"}
_BY_PEOPLE, _BY_MODEL = "judged by people", "judged by a model"
_INTENT_METRICS = ("fulfillment", "non_match", "partial_match", "match")
_INTENT: dict[tuple[str, str, str], tuple[float | None, ...]] = {
    ("Mind2Web", "GPT-4", _BY_PEOPLE): (0.86, 0.14, 0.42, 0.44),
    ("Mind2Web", "GPT-4", _BY_MODEL): (None, 0.18, 0.40, 0.42),
    ("Mind2Web", "Gemini 1.5", _BY_PEOPLE): (0.87, 0.20, 0.22, 0.58),
    ("Mind2Web", "Gemini 1.5", _BY_MODEL): (None, 0.18, 0.28, 0.54),
    ("AitZ", "GPT-4", _BY_PEOPLE): (0.78, 0.22, 0.19, 0.59),
    ("AitZ", "GPT-4", _BY_MODEL): (None, 0.32, 0.34, 0.34),
    ("AitZ", "Gemini 1.5", _BY_PEOPLE): (0.88, 0.17, 0.26, 0.57),
    ("AitZ", "Gemini 1.5", _BY_MODEL): (None, 0.37, 0.27, 0.36),
}
"""Of the metrics above; fulfilment was judged by people only."""
_PEOPLE = {
    ("Mind2Web", "People"): (0.07, 0.13, 0.80),
    ("Mind2Web", "Two people with each other"): (0.09, 0.10, 0.81),
    ("AitZ", "People"): (0.02, 0.22, 0.76),
    ("AitZ", "Two people with each other"): (0.02, 0.04, 0.94),
}
_KAPPAS = (
    ("Three people", "fulfilment on Mind2Web", "section 3.2", 0.79),
    ("Three people", "satisfaction on Mind2Web", "section 3.2", 0.77),
    ("Three people", "fulfilment on AitZ", "section 3.2", 0.91),
    ("Three people", "satisfaction on AitZ", "section 3.2", 0.86),
    ("A model as judge against people", "satisfaction", "section 3.3", 0.48),
)


def _goals() -> Iterator[PublishedNumber]:
    for (data, model, judge), shares in _INTENT.items():
        by_people = judge == _BY_PEOPLE
        note = "A hundred predictions." if by_people else "The whole test set."
        split = "test" if data == "AitZ" and not by_people else ""
        for metric, share in zip(_INTENT_METRICS, shares, strict=True):
            if share is not None:
                yield PublishedNumber("intent", metric, share, model, f"{data}, {judge}", _GOALS.format("table 2"),
                                format=_SETS[data], split=split, note=note)  # fmt: skip
    for (data, who), found in _PEOPLE.items():
        for metric, share in zip(_INTENT_METRICS[1:], found, strict=True):
            yield PublishedNumber("intent", metric, share, who, f"{data}, {_BY_PEOPLE}", _GOALS.format("table 1"),
                            format=_SETS[data], context=True)  # fmt: skip
    for who, what, place, kappa in _KAPPAS:
        yield PublishedNumber("label_agreement", "kappa", kappa, who, what, _GOALS.format(place), context=True)


# TurkingBench

_TURKING = (
    ("Doing nothing", 7.8, True, ""),
    ("GPT-4, relevant part of the page", 21.3, False, ""),
    ("GPT-4, full page", 39.3, False, "The text has 39.5."),
    ("GPT-4V, relevant part of the page", 24.5, False, ""),
    ("GPT-4V, full page", 41.7, False, ""),
    ("Claude 2.1, full page", 22.6, False, ""),
    ("Oracle", 100.0, True, ""),
)
"""Percent; whether it is a bound."""
_TURKING_NOTE = "20 instances of each task, seven demonstrations; which of the two rules is not said."


def _fields() -> Iterator[PublishedNumber]:
    source = "TurkingBench (Xu et al. 2024), table 4"
    for model, value, bound, also in _TURKING:
        note = "" if bound else f"{_TURKING_NOTE} {also}".strip()
        yield PublishedNumber("fields", "score", _share(value), model, "TurkingBench, 20 test tasks", source,
                        format="turkingbench", note=note, context=bound)  # fmt: skip


# Navi-plus

_NAVI = "Navi-plus, table {}"
_SPIRIT, _QWEN = "SpiritSight-Agent-8B", "Qwen2.5-VL-3B"
_SUCCESS = ("ssr", "sr", "ssr_before", "ssr_after")
_TIMING = ("ask_precision", "ask_fpr", "ask_f1", "cos_sim", "meteor")
_ASK: tuple[tuple[str, str, Sequence[float], Sequence[float]], ...] = (
    (_SPIRIT, "original task", (67.6, 24.2, 65.7, 70.2), ()),
    (_SPIRIT, "incomplete task", (59.6, 16.7, 60.8, 60.2), ()),
    (_SPIRIT, "off", (62.5, 18.7, 51.3, 70.3), (0.463, 0.091, 0.454, 0.807, 0.732)),
    (_SPIRIT, "on", (67.2, 23.1, 64.2, 68.9), (0.935, 0.005, 0.603, 0.807, 0.732)),
    (_QWEN, "original task", (55.4, 10.0, 56.0, 55.9), ()),
    (_QWEN, "incomplete task", (51.3, 8.7, 51.6, 52.3), ()),
    (_QWEN, "off", (52.6, 9.5, 47.9, 56.2), (0.574, 0.055, 0.487, 0.832, 0.750)),
    (_QWEN, "on", (55.1, 10.6, 54.9, 56.2), (0.947, 0.004, 0.585, 0.832, 0.750)),
)
"""Percent of success, fractions of timing and content. The second word is the setting where the agent cannot ask, else
the value of `dual`."""
_REMOVED = (
    ("ask", "AndroidControl-Naviplus, two steps' information removed, no ASK", _SPIRIT, 55.8, 12.4),
    ("ask", "AndroidControl-Naviplus, two steps' information removed, no ASK", _QWEN, 46.8, 5.0),
    ("ask", "AndroidControl-Naviplus, original task, no ASK", "PaLM 2S", 64.8, None),
    ("ask", "Mind2Web-Naviplus, original task, no ASK", _SPIRIT, 45.3, 8.8),
    ("ask", "Mind2Web-Naviplus, original task, no ASK", _QWEN, 46.3, 8.3),
    ("ask", "Mind2Web-Naviplus, original task, no ASK", "Flan-T5 XL", 43.5, 4.4),
    ("ask", "Mind2Web-Naviplus, incomplete task, no ASK", _SPIRIT, 26.3, 2.1),
    ("ask", "Mind2Web-Naviplus, incomplete task, no ASK", _QWEN, 25.7, 1.7),
    ("mind2web", "Mind2Web", _SPIRIT, 45.3, 8.8),
    ("mind2web", "Mind2Web", _QWEN, 46.3, 8.3),
    ("mind2web", "Mind2Web", "Flan-T5 XL", 43.5, 4.4),
    ("android_control", "AndroidControl", _SPIRIT, 67.6, 24.2),
    ("android_control", "AndroidControl", _QWEN, 55.4, 10.0),
    ("android_control", "AndroidControl", "PaLM 2S", 64.8, None),
)
"""Percent of steps and of whole tasks."""
_AS_SUCCESS = {
    "ask": ("ssr", "sr"),
    "mind2web": ("macro_step_success", "task_success"),
    "android_control": ("partial_match", "complete_match"),
}
_REMOVED_NOTES = {
    "ask": "",
    "mind2web": "Which of the test splits is not said.",
    "android_control": "Which rule is not said.",
}
_REMOVED_FORMATS = {"ask": "navi_plus", "mind2web": "mind2web", "android_control": "android_control"}


def _ask() -> Iterator[PublishedNumber]:
    source = _NAVI.format(1)
    for model, setting, success, timing in _ASK:
        asks = bool(timing)
        data = "AndroidControl-Naviplus" if asks else f"AndroidControl-Naviplus, {setting}, no ASK"
        options: dict[str, OptionValue] = {"dual": setting} if asks else {}
        for metric, value in zip(_SUCCESS, success, strict=True):
            yield PublishedNumber(
                "ask", metric, _share(value), model, data, source, options, "navi_plus", context=not asks
            )
        if setting == "on":
            options = options | {"early_ask": "neutral"}
        for metric, value in zip(_TIMING, timing, strict=False):
            note = "Sentence model and METEOR are not named." if metric in ("cos_sim", "meteor") else ""
            yield PublishedNumber("ask", metric, value, model, data, source, options, "navi_plus", note=note)


def _removed() -> Iterator[PublishedNumber]:
    for protocol, data, model, steps, tasks in _REMOVED:
        for metric, value in zip(_AS_SUCCESS[protocol], (steps, tasks), strict=True):
            if value is not None:
                yield PublishedNumber(protocol, metric, _share(value), model, data, _NAVI.format(2),
                                format=_REMOVED_FORMATS[protocol], note=_REMOVED_NOTES[protocol],
                                context=protocol != "mind2web")  # fmt: skip


def _share(percent: float) -> float:
    return round(percent / 100, 4)


NUMBERS: tuple[PublishedNumber, ...] = (
    *_feasibility(), *_automation(), *_goals(), *_fields(), *_ask(), *_removed(),
)  # fmt: skip
"""Every published number, paper by paper."""
