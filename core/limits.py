"""How much of the machine data from strangers may take: every such figure once, with its reason.

A limit is a row of `LIMITS`. Whoever reads data asks `limit(NAME)` for the number in force and raises
`exceeded(NAME, …)` above it: its hint says how a person raises the limit. What a person chose (`--limit-NAME VALUE`,
Preferences ▸ Limits) is set once by `choose` and handed on to child processes in the environment, so that all
processes of one program follow the same figures.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from stepscope.core.errors import SourceError, UsageError
from stepscope.core.frozen import dataclass

VARIABLE = "STEPSCOPE_LIMITS"
"""The environment variable in which chosen limits reach child processes: `NAME=NUMBER` with commas between."""

BYTES, COUNT, SECONDS = "bytes", "count", "seconds"

_KIB, _MIB, _GIB = 1 << 10, 1 << 20, 1 << 30
_FACTORS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000, "t": 1_000_000_000_000}
_BYTE_FACTORS = {"": 1, "k": _KIB, "m": _MIB, "g": _GIB, "t": 1 << 40}
_NUMBER = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,18})?)\s*([kmgt]?)(i?b)?", re.IGNORECASE)
_LARGEST = 1 << 53


@dataclass(frozen=True, slots=True)
class Limit:
    """`value` is the usual figure in `unit`; `words` say what it bounds, `reason` why it is this much."""

    name: str
    value: int
    unit: str
    words: str
    reason: str


_ROWS = (
    # archives that are dropped on the window or named on the command line
    Limit(
        "archive-files",
        2_000_000,
        COUNT,
        "Files in one archive",
        "Unpacking 60,000 empty files took 10 seconds and 50 MB; RICO's 66,000 screens are two files each.",
    ),
    Limit(
        "archive-ratio",
        250,
        COUNT,
        "Bytes that one byte of an archive, gzip file or run bundle may unpack to",
        "Of the sampled files one packs 81 times, most 1 to 6; deflate can do 1,032 times, bzip2 over 250,000 times.",
    ),
    Limit(
        "archive-bytes",
        256 * _MIB,
        BYTES,
        "What any such file may unpack to, however small it is",
        "A small archive of empty trees has a high ratio and does no harm.",
    ),
    Limit(
        "archive-layers",
        3,
        COUNT,
        "Packings around one another in an archive (.tar.gz has two)",
        "Public data sets have two; every further one multiplies what a small file may become.",
    ),
    Limit(
        "archive-window",
        128 * _MIB,
        BYTES,
        "What xz and lzma data may look back over, which is memory",
        "xz -9 looks back over 64 MB; the most that zstd reads unasked is 128 MB.",
    ),
    Limit(
        "disk-kept-free",
        _GIB,
        BYTES,
        "What stays free on the disk when an archive is unpacked",
        "A full disk stops other programs, and the store's own writing.",
    ),
    # reading
    Limit(
        "read-memory",
        4 * _GIB,
        BYTES,
        "Memory of a process that reads or unpacks data",
        "256 MB of JSON with 5,000,000 values, the most that is held at once, took 1.3 GB; half of 8 GB stays free.",
    ),
    Limit(
        "json-bytes",
        256 * _MIB,
        BYTES,
        "One text, JSON, XML or CSV file, or one line of JSON Lines",
        "Real UI trees have 0.3 megabytes, whole indexes some tens.",
    ),
    Limit(
        "json-nodes",
        5_000_000,
        COUNT,
        "Values in one JSON text, or in some rows of a table",
        "Python takes 50 to 250 bytes for each, so that they take a gigabyte; a UI tree of RICO has 5,000.",
    ),
    Limit(
        "yaml-bytes",
        4 * _MIB,
        BYTES,
        "One YAML file",
        "The reader of YAML takes a second for a million characters; lists of tasks of AndroidArena have 6,000.",
    ),
    Limit(
        "file-records",
        30_000_000,
        COUNT,
        "Records of one file",
        "AitW has 715,000 episodes in all; a file of candidates has a record for each element of each page.",
    ),
    Limit(
        "record-bytes",
        512 * _MIB,
        BYTES,
        "One record of a TFRecord file",
        "An AndroidControl episode is one record with all its screenshots; sampled PNGs of screens have up to 0.7 MB.",
    ),
    Limit(
        "record-values",
        1_000_000,
        COUNT,
        "Fields, or values of one of them, in a record of a TFRecord file",
        "Sampled records have up to 141 (UIBert); a packed list of a billion numbers takes 40 GB.",
    ),
    Limit(
        "pickle-values",
        10_000_000,
        COUNT,
        "Values in one pickle, those that it names again each time",
        "Sixty screens of 150 elements, as AndroidWorld writes them, have 680,000; small pickles can name huge ones.",
    ),
    Limit(
        "bundle-line-bytes",
        32 * _MIB,
        BYTES,
        "One line of a run bundle: an item with its answer, scores and pictures",
        "An item has its answer and the pictures that its predictor attached; larger lines are not written either.",
    ),
    Limit(
        "sent-pictures-bytes",
        _GIB,
        BYTES,
        "Pictures as they were sent to a model that a run keeps, where they cannot be made again",
        "A picture of a page has 50 to 300 KB; of what is more, size and digest are kept.",
    ),
    Limit(
        "gzip-index-bytes",
        2 * _GIB,
        BYTES,
        "Places noted in gzip files, all files together, in the cache",
        "A gigabyte of inflated data takes 16 MB: enough for 128 GB of it.",
    ),
    Limit(
        "kept-columns-bytes",
        4 * _GIB,
        BYTES,
        "Columns that filters and results read, all files of a store together, kept beside it",
        "A million steps with 20 texts each take some 200 MB, a run of a million items some 100 MB.",
    ),
    Limit(
        "tree-elements",
        100_000,
        COUNT,
        "UI elements of one screen, or tags of one page",
        "A UI tree of RICO has some hundred, a page of TurkingBench 2,000 tags.",
    ),
    Limit(
        "tree-bytes",
        32 * _MIB,
        BYTES,
        "One accessibility tree in binary form",
        "100,000 elements of 300 bytes.",
    ),
    Limit(
        "page-bytes",
        16 * _MIB,
        BYTES,
        "HTML of one page, with the cells of its row filled in",
        "The longest cleaned page of Mind2Web has 1.6 million characters, a page of TurkingBench 0.3 million.",
    ),
    Limit(
        "episode-steps",
        100_000,
        COUNT,
        "Steps of one episode",
        "The longest recorded episodes have some hundred.",
    ),
    Limit(
        "episode-elements",
        2_000_000,
        COUNT,
        "UI elements of one episode, those of all its screens together",
        "An element takes some 730 bytes, so that they take 1.5 GB; sampled episodes have up to 1,948 (MiniWoB++).",
    ),
    Limit(
        "table-rows",
        1_000_000,
        COUNT,
        "Rows of one table",
        "Multimodal-Mind2Web has 14,000, the longest table of MoTIF 5,400.",
    ),
    Limit(
        "table-columns",
        10_000,
        COUNT,
        "Columns of one table",
        "TurkingBench has tables of some hundred: one column for each choice of each question.",
    ),
    Limit(
        "table-cells",
        10_000_000,
        COUNT,
        "Cells of one CSV table; values of one column of a Parquet row group",
        "As texts they take about a gigabyte; Multimodal-Mind2Web's 14,000 rows list some 8 million candidates.",
    ),
    Limit(
        "table-bytes",
        512 * _MIB,
        BYTES,
        "What some rows of a table take in memory that are read at once, and each page of a Parquet file",
        "A hundred rows with screenshots of 2 to 3 megabytes may be one page.",
    ),
    Limit(
        "table-cell-bytes",
        256 * _MIB,
        BYTES,
        "One cell of a table",
        "As much as a file of its own may have; screenshots of whole pages have some megabytes.",
    ),
    Limit(
        "table-footer-bytes",
        16 * _MIB,
        BYTES,
        "The footer of a Parquet file",
        "It has 120 to 135 bytes for each column of each row group; pyarrow takes nine times as much to hold it.",
    ),
    # pictures
    Limit(
        "picture-pixels",
        100_000_000,
        COUNT,
        "Pixels of one picture",
        "Decoding 100 million took up to 1.1 GB; the largest screenshot of Mind2Web seen has 9.5 million.",
    ),
    Limit(
        "picture-scans",
        100,
        COUNT,
        "Scans of one JPEG",
        "libjpeg writes 10 for a progressive one; each of 100 million pixels took some 20 milliseconds.",
    ),
    # formats and models of other packages
    Limit(
        "plugin-seconds",
        60,
        SECONDS,
        "One answer of a format of another package, and loading a model of one",
        "Python's largest libraries load in some seconds; a reader gives a row or an episode at a time.",
    ),
    # models that are trained here
    Limit(
        "order-steps",
        60,
        COUNT,
        "Steps of a procedure that BERSON puts in order",
        "Every pair is read: 3,540 pairs of 60 steps are two million million operations, a minute of a processor.",
    ),
    # chat servers
    Limit(
        "answer-bytes",
        16 * _MIB,
        BYTES,
        "One answer of a chat server, as it is sent",
        "At most 4,096 tokens are asked for, some 20 KB; a model that thinks aloud sends some hundred.",
    ),
    Limit(
        "answer-text-bytes",
        64 * _MIB,
        BYTES,
        "One answer of a chat server that packs it, after unpacking",
        "Four times what may be sent: gzip makes pages of text 3 times smaller, and an answer of spaces 1,000 times.",
    ),
    Limit(
        "answer-values",
        1_000_000,
        COUNT,
        "Values in one answer of a chat server",
        "Each takes up to 250 bytes in memory; a list of 1,000 models with five facts each has 12,000.",
    ),
    Limit(
        "answer-tokens",
        200_000,
        COUNT,
        "Tokens of one answer, of four letters each",
        "At most 4,096 are asked for; what a model thinks aloud before its answer is the rest.",
    ),
    Limit(
        "answer-seconds",
        3_600,
        SECONDS,
        "One answer of a chat server, from asking to its end",
        "Every server has its own time below this, 120 s where nothing else is said; models on a processor need more.",
    ),
    Limit(
        "model-entries",
        5_000_000,
        COUNT,
        "Texts in the header of a model's file (GGUF), words of word vectors",
        "SmolLM2 has 98,369 with a vocabulary of 49,152 words; the largest have 260,000, word vectors 3,000,000.",
    ),
    Limit(
        "model-fields",
        1_000_000,
        COUNT,
        "Fields of an ONNX model: names, attributes, dimensions",
        "PP-OCRv6, which finds text, has 13,000; half a million tensors of five kept ONNX Runtime for over 40 seconds.",
    ),
    Limit(
        "model-nodes",
        50_000,
        COUNT,
        "Operations and tensors of an ONNX model, those of its functions wherever they are called",
        "PP-OCRv4's, which turns pictures, has 874; ONNX Runtime took 11 seconds for 100,000, and 28 for a million.",
    ),
    Limit(
        "model-bytes",
        64 * _GIB,
        BYTES,
        "One file of a model that torch or ONNX Runtime reads",
        "The largest model of pictures that open_clip knows has 10 GB; every file is read whole for its checksum.",
    ),
    Limit(
        "model-table-bytes",
        4 * _MIB,
        BYTES,
        "The table of tensors in a model's file (safetensors, torch)",
        "It has some 100 bytes for each tensor; a table of 16 MB took 0.4 GB, one of 80 MB all there was.",
    ),
    Limit(
        "model-tokenizer-bytes",
        64 * _MIB,
        BYTES,
        "The tokenizer of a model (tokenizer.json)",
        "That of all-MiniLM-L6-v2 has 0.5 MB, that of a vocabulary of 262,000 words 33 MB (Gemma 3).",
    ),
    Limit(
        "model-seconds",
        600,
        SECONDS,
        "One batch of a network that runs in ONNX Runtime or TorchScript",
        "32 texts of 256 tokens each took the packaged sentence model 9 s on two busy cores; larger ones need minutes.",
    ),
    Limit(
        "model-share",
        75,
        COUNT,
        "Hundredths of the machine's memory for a process in which models run",
        "A process with all models that come with the program took 2.3 GB; a quarter is left to all else.",
    ),
    Limit(
        "model-memory",
        16 * _GIB,
        BYTES,
        "Memory that a model out of a file takes besides the file",
        "Llama 3 of 8 billion weights keeps 128 KB of each token, so 1 GB of a context of 8,192.",
    ),
    Limit(
        "run-processes",
        16,
        COUNT,
        "Processes that read data and ask a model without weights, as many as the machine has cores at the most",
        "Each takes some 100 MB; the process that stores their answers keeps up with some ten. 1: none but that one.",
    ),
    Limit(
        "cluster-data-bytes",
        64 * _GIB,
        BYTES,
        "Data that is sent to machines of a cluster which cannot see it, and what each of them keeps of it",
        "Sending went at 580 MB/s, storing at 375; what is larger belongs on a disk that all machines see.",
    ),
    # a store on a server
    Limit(
        "store-away-seconds",
        900,
        SECONDS,
        "So long an evaluation waits for a store's server that is away",
        "A server that is updated and started again is back in some minutes; longer, and somebody should hear of it.",
    ),
    # pages of web tasks
    Limit(
        "page-memory",
        2 * _GIB,
        BYTES,
        "Memory of a web task's page, all processes of its browser together",
        "A browser takes some 290 MB with its first page of TurkingBench and 5 MB more with each other one.",
    ),
    Limit(
        "page-answer-bytes",
        128 * _MIB,
        BYTES,
        "What a page tells at once: its HTML, its fields, a picture of it",
        "A page's HTML has up to a megabyte; a picture of 1,280 by 16,000 pixels of noise has 82 MB in base64.",
    ),
    # small files of the program's own
    Limit(
        "own-file-bytes",
        16 * _MIB,
        BYTES,
        "One small file that the program keeps: a model's card, presets, preferences, the list of servers",
        "The largest card that comes with the program has 43 KB.",
    ),
)

LIMITS: Mapping[str, Limit] = {row.name: row for row in _ROWS}

_chosen: dict[str, int] | None = None


def limit(name: str) -> int:
    """The number in force, in the limit's own unit. KeyError for a name that no row has."""
    usual = LIMITS[name].value
    return chosen_limits().get(name, usual)


def chosen_limits() -> dict[str, int]:
    """What a person chose, by name, without what is as usual."""
    global _chosen
    if _chosen is None:
        _chosen = _from_environment(os.environ.get(VARIABLE, ""))
    return dict(_chosen)


def choose(values: Mapping[str, int]) -> None:
    """Put these numbers in force in this process and in the children that it starts from now on, in the place of all
    that was chosen before. Raises UsageError for a name that no row has or a number that is not above 0."""
    global _chosen
    kept = {}
    for name, value in values.items():
        if name not in LIMITS:
            raise UsageError(f"There is no limit {name!r}.", hint=f"These are there: {', '.join(LIMITS)}.")
        if not 0 < value <= _LARGEST:
            raise UsageError(f"The limit {name} must be above 0.", hint="Give a number such as 512MB or 10000000.")
        if value != LIMITS[name].value:
            kept[name] = value
    _chosen = kept
    if kept:
        os.environ[VARIABLE] = ",".join(f"{name}={value}" for name, value in kept.items())
    else:
        os.environ.pop(VARIABLE, None)


def parsed_figure(name: str, text: str) -> int:
    """The number that a person wrote for a limit: `512MB`, `2 GB`, `10000000`, `10M`. Raises UsageError."""
    if name not in LIMITS:
        raise UsageError(f"There is no limit {name!r}.", hint=f"These are there: {', '.join(LIMITS)}.")
    row = LIMITS[name]
    match = _NUMBER.fullmatch(text.strip().replace(",", "").replace("_", ""))
    if match is None or (match[3] and row.unit != BYTES):
        example = {BYTES: "512MB", COUNT: "10000000", SECONDS: "600"}[row.unit]
        raise UsageError(f"{text!r} is no value of the limit {name}.", hint=f"Give a number such as {example}.")
    factors = _BYTE_FACTORS if row.unit == BYTES else _FACTORS
    value = int(float(match[1]) * factors[match[2].lower()])
    if not 0 < value <= _LARGEST:
        raise UsageError(f"The limit {name} must be above 0.", hint="Give a number such as 512MB or 10000000.")
    return value


def written_figure(unit: str, value: int) -> str:
    """A figure as a person reads it, and as `parsed_figure` takes it: `256 MB`, `5,000,000`, `600 s`."""
    if unit != BYTES:
        return f"{value:,}" + (" s" if unit == SECONDS else "")
    for size, name in ((1 << 40, "TB"), (_GIB, "GB"), (_MIB, "MB"), (_KIB, "KB")):
        if value >= size:
            return f"{value / size:.4g} {name}"
    return f"{value} bytes"


def hint(name: str) -> str:
    """How a person raises this limit."""
    row = LIMITS[name]
    now = limit(name)
    more = written_figure(row.unit, now * 2).replace(" ", "").replace(",", "").removesuffix("s")
    return (
        f"The limit is {written_figure(row.unit, now)}; if you trust where this comes from, raise it with "
        f"--limit-{name} {more} or in Preferences ▸ Limits."
    )


def exceeded(
    name: str, message: str, *, place: Path | str = "", record: str | int = "", field: str = ""
) -> SourceError:
    """The error of something that goes beyond a limit; `message` says what it is, the hint how to raise the limit."""
    return SourceError(message, place=place, record=record, field=field, hint=hint(name))


def option_values(pairs: Iterable[tuple[str, str]]) -> dict[str, int]:
    """The numbers of limits given as texts by name. Raises UsageError."""
    return {name: parsed_figure(name, text) for name, text in pairs}


def _from_environment(text: str) -> dict[str, int]:
    """What a parent process handed on; what is no limit of this version is passed over."""
    found = {}
    for entry in filter(None, text.split(",")):
        name, _, number = entry.partition("=")
        if name in LIMITS and number.isdecimal() and 0 < int(number) <= _LARGEST:
            found[name] = int(number)
    return found
