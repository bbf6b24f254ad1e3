"""Word vectors: fastText's own answers, models and tables built by hand, and files that lie about themselves."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepscope.core import limits
from stepscope.core.errors import UsageError, UserError
from stepscope.models.encoders.fasttext_file import MAGIC, part_hashes
from stepscope.models.encoders.word_vectors import load

DATA = Path(__file__).resolve().parents[2] / "data" / "word_vectors"
EXPECTED: dict[str, Any] = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
PRECISION = 1e-5


@pytest.mark.parametrize("word", EXPECTED["words"])
def test_a_word_has_the_vector_that_fasttext_gives_it(word: str) -> None:
    (found,) = load(DATA / "tiny.bin", output="tokens").embed([word])
    assert found.dtype == np.float32
    assert found == pytest.approx(np.array([EXPECTED["words"][word]]), abs=PRECISION)


def test_texts_have_the_vectors_that_fasttext_gives_them() -> None:
    encoder = load(DATA / "tiny.bin")
    found = np.stack(encoder.embed(list(EXPECTED["texts"])))
    assert found == pytest.approx(np.array(list(EXPECTED["texts"].values())), abs=PRECISION)
    assert (encoder.size, encoder.sequence) == (8, False)


def test_the_text_table_of_a_model_has_its_whole_words() -> None:
    # the library's own .vec, five digits; every word of the vocabulary, the parts of which the .vec does not have
    table, model = load(DATA / "tiny.vec", output="tokens"), load(DATA / "tiny.bin", output="tokens")
    for word in EXPECTED["vocabulary"]:
        assert table.embed([word])[0][:1] == pytest.approx(model.embed([word])[0], rel=1e-3, abs=1e-4)
    assert table.embed(["unbekannt"])[0] == pytest.approx(np.zeros((1, 8)))


def test_outputs_and_fingerprints_tell_what_was_done() -> None:
    pooled, tokens = load(DATA / "tiny.bin"), load(DATA / "tiny.bin", output="tokens")
    assert tokens.sequence
    assert [one.shape for one in tokens.embed(["open the door", " "])] == [(3, 8), (1, 8)]
    assert len({pooled.fingerprint, tokens.fingerprint, load(DATA / "tiny.vec").fingerprint}) == 3
    with pytest.raises(UsageError, match="no output 'mean'"):
        load(DATA / "tiny.bin", output="mean")
    with pytest.raises(UsageError):
        load(DATA / "tiny.bin", device="tpu")


# built by hand


def binary(
    words: dict[str, list[float]],
    buckets: list[list[float]],
    parts: tuple[int, int] = (2, 3),
    *,
    magic: bytes = MAGIC,
    version: int = 12,
    model: int = 2,
    kept: int = -1,
    size: int = 2,
    said: int | None = None,
    compressed: bool = False,
    rows: int | None = None,
) -> bytes:
    """A fastText model of vectors with two numbers."""
    count = len(words) if said is None else said
    bucket = len(buckets)
    head = struct.pack("<12id", size, 5, 5, 1, 5, 1, 2, model, bucket, *parts, 100, 1e-4)
    counts = struct.pack("<iiiqq", count, count, 0, 9, kept)
    entries = b"".join(word.encode() + b"\0" + struct.pack("<qb", 3, 0) for word in words)
    matrix = [*words.values(), *buckets]
    shape = struct.pack("<?qq", compressed, len(matrix) if rows is None else rows, size)
    numbers = np.array(matrix, "<f4").tobytes()
    return magic + struct.pack("<i", version) + head + counts + entries + shape + numbers


@pytest.fixture
def file(tmp_path: Path) -> Callable[[bytes], Path]:
    def made(data: bytes) -> Path:
        place = tmp_path / "vectors"
        place.write_bytes(data)
        return place

    return made


def plain_hash(part: str) -> int:
    """FNV-1a of 32 bits as its authors write it; of ASCII the library's is the same."""
    value = 0x811C9DC5
    for byte in part.encode("ascii"):
        value = (value ^ byte) * 0x01000193 % 2**32
    return value


def test_fnv_1a_gives_the_published_values() -> None:
    # Noll's test vectors of FNV-1a, 32 bits: "foobar" within a word of six letters and two signs
    assert plain_hash("a") == 0xE40C292C
    assert plain_hash("foobar") == 0xBF9CF968
    assert part_hashes(b"foobar", 6, 6) == [plain_hash(part) for part in ("<fooba", "foobar", "oobar>")]


def test_parts_are_counted_in_letters_and_signs_at_the_ends_never_stand_alone() -> None:
    assert part_hashes(b"ab", 1, 2) == [plain_hash(part) for part in ("<a", "a", "ab", "b", "b>")]
    assert len(part_hashes("éà".encode(), 2, 2)) == 3
    assert part_hashes(b"ab", 3, 2) == []


def test_a_vector_can_be_added_up_by_hand(file: Callable[[bytes], Path]) -> None:
    # Three buckets; the word "ab" has with 2 to 3 letters the parts <a, <ab, ab, ab>, b>.
    buckets = [[1.0, 0.0], [0.0, 10.0], [100.0, 100.0]]
    encoder = load(file(binary({"ab": [8.0, 2.0], "</s>": [3.0, 4.0]}, buckets)), output="tokens")
    chosen = [buckets[plain_hash(part) % 3] for part in ("<a", "<ab", "ab", "ab>", "b>")]
    known = (np.array([8.0, 2.0]) + np.sum(chosen, axis=0)) / 6
    found = encoder.embed(["ab xy </s>"])[0]
    unknown = [buckets[plain_hash(part) % 3] for part in ("<x", "<xy", "xy", "xy>", "y>")]
    assert found == pytest.approx(np.array([known, np.mean(unknown, axis=0), [3.0, 4.0]]), abs=PRECISION)


def test_a_text_is_the_mean_of_directions_and_words_without_one_do_not_count(file: Callable[[bytes], Path]) -> None:
    encoder = load(file(binary({"a": [3.0, 4.0], "b": [0.0, 2.0], "o": [0.0, 0.0]}, [], (0, 0))))
    found = encoder.embed(["a b o unknown", "o", ""])
    assert np.stack(found) == pytest.approx(np.array([[0.3, 0.9], [0, 0], [0, 0]]), abs=1e-6)


def test_tables_are_averaged_as_they_are(file: Callable[[bytes], Path]) -> None:
    # GloVe's form: no header. A word as it stands, else in small letters, else its pieces.
    table = b"sign 1 0\nin 0 1\n! 2 2\nUS 5 5\nus 7 7\n. . 9 9\nin 50 50\n"
    found = load(file(table)).embed(["Sign in!", "US", "Us", "gone", "sign\u00a0in"])
    wanted = [[1, 1], [5, 5], [7, 7], [0, 0], [0.5, 0.5]]  # of "Sign in!" the mean of three
    assert np.stack(found) == pytest.approx(np.array(wanted, np.float32), abs=1e-6)
    (rows,) = load(file(table), output="tokens").embed(["sign x-in"])
    assert rows == pytest.approx(np.array([[1, 0], [0, 0], [0, 0], [0, 1]]))


@pytest.mark.parametrize("end", [b"\n", b" \n", b"\r\n", b"\n\n \n"])
def test_tables_end_their_lines_in_several_ways(file: Callable[[bytes], Path], end: bytes) -> None:
    head = end.replace(b"\n\n \n", b"\n")
    table = b"2 2" + head + b"a 1 -2.5e-1" + head + b"b 3 4" + end
    assert load(file(table), output="tokens").embed(["a b"])[0] == pytest.approx(np.array([[1, -0.25], [3, 4]]))
    assert load(file(b"a 1 2"), output="tokens").embed(["a"])[0] == pytest.approx(np.array([[1, 2]]))


# files that lie about themselves

GOOD = binary({"ab": [8.0, 2.0], "cd": [1.0, 1.0]}, [[0.0, 1.0]])


def refused(place: Path) -> UserError:
    with pytest.raises(UserError) as caught:
        load(place)
    assert caught.value.place == str(place)
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize("length", [4, 50, 60, 80, 94, 101, 110, 120, len(GOOD) - 1])
def test_a_model_that_is_cut_off(file: Callable[[bytes], Path], length: int) -> None:
    assert "cut off" in str(refused(file(GOOD[:length])))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"version": 11}, "version 11 of fastText's format, not 12"),
        ({"model": 3}, "a fastText classifier"),
        ({"kept": 0}, "compressed fastText model"),
        ({"compressed": True}, "compressed fastText model"),
        ({"size": 3}, "cut off within"),
        ({"size": 0}, "would have 0 numbers"),
        ({"size": -1}, "would have -1 numbers"),
        ({"size": 2**31 - 1}, "would have 2147483647 numbers"),
        ({"said": 2**31 - 1}, "more than 5,000,000 words"),
        ({"said": 0}, "0 words"),
        ({"said": -5}, "-5 words"),
        ({"said": 5}, "cut off at word"),
        ({"rows": 2**62}, "holds 4,611,686,018,427,387,904 vectors"),
        ({"rows": 3}, "holds 3 vectors"),
        ({"parts": (3, 2**31 - 1)}, "parts of 3 to 2147483647 letters"),
        ({"parts": (-1, 3)}, "parts of -1 to 3 letters"),
        ({"buckets": []}, "have no buckets"),
    ],
)
def test_models_that_cannot_be(file: Callable[[bytes], Path], changed: dict[str, Any], words: str) -> None:
    options: dict[str, Any] = {"words": {"ab": [8.0, 2.0]}, "buckets": [[0.0, 1.0]], **changed}
    assert words in str(refused(file(binary(**options))))


def test_the_compressed_models_of_the_library_are_refused() -> None:
    assert "fastText classifier" in str(refused(DATA / "tiny.ftz"))  # the library compresses nothing else


def test_a_compressed_matrix_is_told(file: Callable[[bytes], Path]) -> None:
    data = bytearray((DATA / "tiny.ftz").read_bytes())
    model, labels = 8 + 4 * 7, 8 + 12 * 4 + 8 + 8
    struct.pack_into("<i", data, model, 2)
    (count,) = struct.unpack_from("<i", data, labels - 8)
    struct.pack_into("<ii", data, labels - 4, count, 0)
    found = refused(file(bytes(data)))
    assert "compressed fastText model (.ftz)" in str(found)
    assert "not compressed" in found.hint


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 3e38])
def test_vectors_that_are_no_numbers_are_told_when_asked_for(file: Callable[[bytes], Path], number: float) -> None:
    place = file(binary({"ab": [number, 2.0], "cd": [1.0, 1.0]}, [[number, 1.0]], (2, 2)))
    with pytest.raises(UserError, match="vector of 'ab' holds what is no number") as caught:
        load(place).embed(["ab"])
    assert caught.value.place == str(place)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (b"", "it is empty"),
        (b"\n\n", "holds no words"),
        (b"word\n", "is no file of word vectors"),
        (b"\x80\x04\x95 pickle", "no number in a line"),
        (b"3 2\na 1 2\nb 3 4\n", "first line says 3 words, and 2 are there"),
        (b"1 2\na 1 2\nb 3 4\n", "first line says 1 words, and 2 are there"),
        (b"2 3\na 1 2\nb 3 4\n", "has 2 numbers in a line, not 3"),
        (b"2 2\n", "first line says 2 words, and 0 are there"),
        (b"0 2\na 1 2\n", "first line says 0 words of 2 numbers"),
        (b"1 0\na\n", "first line says 1 words of 0 numbers"),
        (b"9" * 5000 + b" 2\na 1 2\n", "first line says 999"),
        (b"1 999999999\na 1 2\n", "first line says 1 words of 999999999 numbers"),
        (b"999999999 2\na 1 2\n", "more than 5,000,000 words"),
        (b"a 1 2\nb 3\n", "has 1 numbers in a line, not 2"),
        (b"a 1 2\n\nb 3 4\n", "has an empty line before its end"),
        (b"a 1 2\nb nan 1\n", "no number in a line"),
        (b"a 1 2\nb 1 inf\n", "no number in a line"),
        (b"a 1 2\nb 1 0x1\n", "no number in a line"),
        (b"a 1 2\nb 1 1_0\n", "no number in a line"),
        (b"3 2\nGoogle \x00\x00\x80?\x9f\x12bin", "in a line"),
        (b"x" * (5 << 20), "a line is longer than 4 MB"),
    ],
)
def test_tables_that_cannot_be(file: Callable[[bytes], Path], table: bytes, words: str) -> None:
    assert words in str(refused(file(table)))


@pytest.mark.parametrize("number", [b"1e999", b"1-2", b"1e", b"-"])
def test_what_only_looks_like_a_number_is_told_when_asked_for(file: Callable[[bytes], Path], number: bytes) -> None:
    place = file(b"1 2\nb 1 " + number + b"\n")
    with pytest.raises(UserError, match="no number in a line") as caught:
        load(place).embed(["b"])
    assert (caught.value.place, caught.value.record) == (str(place), "2")


def test_what_is_no_file(tmp_path: Path) -> None:
    assert "cannot be read" in str(refused(tmp_path))
    assert "is not there" in str(refused(tmp_path / "gone.vec"))


def test_more_words_than_the_limit_allows(file: Callable[[bytes], Path], request: pytest.FixtureRequest) -> None:
    request.addfinalizer(lambda: limits.choose({}))
    limits.choose({"model-entries": 1})
    for data in (b"a 1\nb 2\n", GOOD):
        assert "more than 1 words" in str(refused(file(data)))


WORDS = st.text(st.characters(exclude_categories=("Z", "C", "S", "P")), min_size=1, max_size=8)
NUMBERS = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(st.dictionaries(WORDS, st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=8), st.booleans())
def test_every_table_that_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, rows: dict[str, tuple[float, float]], header: bool
) -> None:
    place = tmp_path_factory.mktemp("table") / "a.vec"
    lines = [f"{len(rows)} 2"] if header else []
    lines += [f"{word} {first!r} {second!r}" for word, (first, second) in rows.items()]
    place.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    encoder = load(place, output="tokens")
    for word, numbers in rows.items():
        assert encoder.embed([word])[0].tolist() == [list(np.array(numbers, np.float32))]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(max_size=200), st.text(alphabet="12 a.e-\n\r", max_size=60).map(str.encode)))
def test_whatever_bytes_a_file_has_it_is_read_or_refused_in_one_sentence(tmp_path: Path, data: bytes) -> None:
    place = tmp_path / "any"
    for content in (data, MAGIC + data, GOOD[:80] + data):
        place.write_bytes(content)
        try:
            found = load(place).embed(["a b"])
        except UserError as error:
            assert error.place == str(place)
        else:
            assert np.isfinite(found).all()
