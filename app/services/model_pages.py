"""Puts what is known of each trained model that comes with the program into its page of the documentation.

`python -m stepscope.app.services.model_pages docs/models` renews the part between two marks of every page named as
a model is.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from stepscope.models.learned.card import CARD, ONNX, WEIGHTS, ModelCard, read_card, trained_on_words
from stepscope.models.learned.model_folders import shipped_folder
from stepscope.models.learned.real_sets import ALL, RealResult, below_words, interval, level_words, number

_MARKS = re.compile(r"([\\`*\[\]<>&|~#!$^]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|[:@](?=\S)|(?<=[wW])\.)")
"""Signs that are marks wherever they stand; colons and at signs of addresses too, which would become links."""
_LIST_MARK = re.compile(r"^(\d*)([-+=.)])(?=[\s=-]|$)")
"""What makes a list or a heading of a paragraph that begins with it."""
BAR = "\u2223"
"""Looks like the line between cells of a table, and is none."""
BEGIN, END = "<!-- card -->", "<!-- /card -->"


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit status: 1 when a model has no page or the page no mark."""
    (folder,) = map(Path, sys.argv[1:] if arguments is None else arguments)
    missing = []
    for place in sorted(shipped_folder().glob(f"*/{CARD}")):
        page = folder / f"{place.parent.name}.md"
        text = page.read_text("utf-8") if page.is_file() else ""
        if BEGIN not in text:
            missing.append(str(page))
            continue
        page.write_text(renewed(text, read_card(place.parent), place.parent), encoding="utf-8")
    for page_name in missing:
        print(f"{page_name}: no page with the mark {BEGIN}", file=sys.stderr)
    return 1 if missing else 0


def renewed(text: str, card: ModelCard, folder: Path) -> str:
    """The page with the card between its marks."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2] if END in rest else rest
    return f"{before}{BEGIN}\n\n{card_in_words(card, folder)}\n{END}{after or chr(10)}"


def card_in_words(card: ModelCard, folder: Path) -> str:
    """The card as Markdown."""
    parts = [f"> {plain_markdown(card.note)}\n"] if card.note else []
    parts.append(_table(("", ""), _facts(card, folder)))
    held_out = card.held_out
    if held_out:
        ci = held_out["ci"]
        rows = [
            (plain_markdown(name), number(value), interval(ci.get(name))) for name, value in held_out["metrics"].items()
        ]
        split = card.data["splits"]["held_out"]
        parts.append(f"On {_code(str(split['name']))} ({split['episodes']} episodes, n {held_out['n']}):\n")
        parts.append(_table((plain_markdown(str(held_out["protocol"])), "value", "95 % interval"), rows))
        others = [
            (_code(name), number(one["baseline"]), number(one["difference"]), interval(one["ci"]))
            for name, one in held_out["against"].items()
        ]
        parts.append(f"{_code(held_out['metric'])} against the baselines, by draws of whole episodes:\n")
        parts.append(_table(("baseline", "its value", "difference", "95 % interval"), others))
        spread = held_out["over_seeds"]
        if spread["n"] > 1:
            words = f"{number(spread['mean'])} ± {number(spread['deviation'])}"
            parts.append(f"{_code(held_out['metric'])} over {spread['n']} seeds: {words} (standard deviation).\n")
    return "\n".join((*parts, *_real_in_words(card)))


def _real_in_words(card: ModelCard) -> list[str]:
    """The real sets below the generated one, the rules beside the model; that it loses, before them."""
    if not card.real:
        return ["On real data: not measured.\n"]
    against = below_words(card.real) or level_words(card.real)
    rules = list(dict.fromkeys(rule for one in card.real for rule in one.against))
    metric = card.real[0].metric
    rows = [row for row in (_generated_row(card, metric, rules),) if row]
    for one in card.real:
        best = one.against.get(one.best_rule)
        rows.append(
            (
                plain_markdown(_set_title(one)),
                str(one.items),
                f"{number(one.value)} ({interval(one.ci)})",
                *(number(one.against[rule].value) if rule in one.against else "–" for rule in rules),
                "–" if best is None else f"{number(best.difference)} ({interval(best.ci)})",
            )
        )
    head = ("", "n", _code(card.name), *(_code(rule) for rule in rules), "less the best rule")
    return [
        *([f"**{plain_markdown(against)}.**\n"] if against else []),
        f"{_code(metric)} on real data, with 95 % intervals by draws of whole episodes (one episode has none):\n",
        _table(head, rows),
    ]


def _set_title(one: RealResult) -> str:
    split = "" if one.split == ALL else f", {one.split}"
    drawn = "" if one.drawn_from is None else f", {one.episodes} of {one.drawn_from} episodes, seed {one.draw_seed}"
    return f"{one.set}{split}{drawn}"


def _generated_row(card: ModelCard, metric: str, rules: Sequence[str]) -> tuple[str, ...]:
    """The held-out split in the same columns, () where it was measured by another metric or not at all."""
    held_out = card.held_out
    if not held_out or held_out["metric"] != metric:
        return ()
    known = {name: one for name, one in held_out["against"].items() if one["baseline"] is not None}
    best = known[max(known, key=lambda name: known[name]["baseline"])] if known else None
    generated = "generated, " if card.is_of_own_apps else ""
    return (
        plain_markdown(f"{generated}{card.data['splits']['held_out']['name']}"),
        str(held_out["n"]),
        f"{number(held_out['metrics'][metric])} ({interval(held_out['ci'].get(metric))})",
        *(number(known[rule]["baseline"]) if rule in known else "–" for rule in rules),
        "–" if best is None else f"{number(best['difference'])} ({interval(best['ci'])})",
    )


def plain_markdown(words: str) -> str:
    """These words in a line of Markdown, as they are: a card may come from anybody."""
    line = _MARKS.sub(r"\\\1", " ".join(words.split()))
    return _LIST_MARK.sub(r"\1\\\2", line)


def _code(words: str) -> str:
    """These words in the look of code; what would end it is shown as an apostrophe."""
    line = " ".join(words.split()).replace("`", "'").replace("|", BAR)
    return f"`{line}`"


def _facts(card: ModelCard, folder: Path) -> list[tuple[str, str]]:
    splits = card.data.get("splits", {})
    sizes = ", ".join(f"{name} {one['episodes']} episodes" for name, one in splits.items())
    weights = (folder / WEIGHTS).stat().st_size
    onnx = folder / ONNX
    size = f"{weights / 1e6:.2f} MB" + (f", ONNX {onnx.stat().st_size / 1e6:.2f} MB" if onnx.is_file() else "")
    settings = ", ".join(f"{name} {value}" for name, value in card.training.items() if name != "seeds" and value != "")
    facts = [
        ("recipe", f"{card.recipe}, version {card.recipe_version}"),
        ("data", f"{trained_on_words(card)}, sha256 {str(card.data.get('hash', ''))[:16]}… ({sizes})"),
        ("features", card.features),
        ("training", settings),
        ("seeds", ", ".join(str(one["seed"]) for one in card.seeds)),
        ("weights", f"sha256 {card.weights[:16]}…, {size}"),
        ("code", card.code_version),
    ]
    return [(name, plain_markdown(value)) for name, value in facts]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
