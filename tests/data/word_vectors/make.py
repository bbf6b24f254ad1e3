"""Makes `tiny.bin`, `tiny.ftz`, `tiny.vec` and `expected.json` of this folder with fastText itself.

Run by hand, in an environment of its own; the program and its tests do not need fastText:

    python3 -m venv build/fasttext && build/fasttext/bin/pip install fasttext-wheel==0.9.2
    build/fasttext/bin/python tests/data/word_vectors/make.py

A training is no exact repetition of another; what counts is that model and answers come from one run. The sentences are
this project's own.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import fasttext

HERE = Path(__file__).parent
SENTENCES = (
    "open the settings and turn on dark mode",
    "öffne die Einstellungen und schalte den dunklen Modus ein",
    "поиск друзей в приложении",
    "検索 を 開く",
    "open the search bar and look for a café",
    "add a new alarm at seven and save it",
    "share the photo with a friend 🙂 now",
    "delete the message and go back to the menu",
)
WORDS = (
    "open", "settings", "café", "öffne", "поиск", "検索", "🙂", "</s>",  # known
    "opened", "Settings", "unbekannt", "поиски", "cafés", "検索する", "a🙂b", "xy", "é", "naïve-looking", "<open>",
    "a" * 60,
)  # fmt: skip
TEXTS = (
    "open the settings",
    "  open\tthe\x0b\x0csettings ",
    "search q 検索する",
    "öffne nothing known",
    "open\u00a0the",
    "",
)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "sentences.txt"
        text.write_text("\n".join(SENTENCES * 40), encoding="utf-8")
        model = fasttext.train_unsupervised(
            str(text),
            model="skipgram",
            dim=8,
            bucket=200,
            minn=3,
            maxn=5,
            minCount=1,
            epoch=5,
            t=0.5,
            thread=1,
            verbose=0,
        )
        labels = Path(folder) / "labels.txt"
        labels.write_text(
            "\n".join(f"__label__{n % 2} {line}" for n, line in enumerate(SENTENCES * 40)), encoding="utf-8"
        )
        classifier = fasttext.train_supervised(
            str(labels), dim=8, bucket=300, minn=3, maxn=4, epoch=1, thread=1, verbose=0
        )
    model.save_model(str(HERE / "tiny.bin"))
    classifier.quantize(retrain=False)
    classifier.save_model(str(HERE / "tiny.ftz"))
    rows = [" ".join([word, *(f"{value:.5g}" for value in model[word])]) for word in model.words]
    header = f"{len(rows)} {model.get_dimension()}"
    (HERE / "tiny.vec").write_text("\n".join([header, *(f"{row} " for row in rows)]) + "\n", encoding="utf-8")
    expected = {
        "words": {word: model.get_word_vector(word).tolist() for word in WORDS},
        "texts": {text: model.get_sentence_vector(text).tolist() for text in TEXTS},
        "vocabulary": model.words,
    }
    whole = json.dumps(expected, ensure_ascii=False, indent=1)
    (HERE / "expected.json").write_text(whole + "\n", encoding="utf-8")


main()
