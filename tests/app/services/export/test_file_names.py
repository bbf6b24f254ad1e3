"""Names of files after ids: they stay in the folder, no two ids share one, and they are the same every time."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.app.services.export.file_names import FileNames

SIGNS_ONLY = ["a/b", "a:b", "a?b", "a-b", "A-B", "a b", "a-b.", "a-b ", "a-b..", "a\\b", "a\tb", "a\nb", "ä-b", "a-b~2"]
RESERVED = ["CON", "con", "nul.txt", "Com1", "LPT9.a.b", "aux", "PRN"]
STRANGE = ["", ".", "..", "...", "../../etc/passwd", "C:\\x\x00y", "a" * 300, "a" * 301, "a" * 80, "a" * 81, "é"]


@pytest.mark.parametrize(
    ("identity", "name"),
    [
        ("lamp", "lamp"),
        ("ContactsAddContact_0", "ContactsAddContact_0"),
        ("c47ad16a-44b2-4303-982a-17859efe40c6", "c47ad16a-44b2-4303-982a-17859efe40c6"),
        ("a.b", "a.b"),
        ("a" * 80, "a" * 80),
        ("a/b", "a-b~c14cddc033f64b9d"),
        ("..", "episode~"),
        ("CON", "_CON~"),
        ("nul.txt", "_nul.txt~"),
    ],
)
def test_what_a_name_is(identity, name):
    found = FileNames().of(identity)
    assert found == name or (name.endswith("~") and found.startswith(name) and len(found) == len(name) + 16)


def sound(name):
    """Whether every system takes it as one name in a folder: no separators, no reserved signs or words, no dot or space
    at an end that Windows would take away (Microsoft, "Naming Files, Paths, and Namespaces")."""
    word = name.split(".")[0].strip().upper()
    return (
        re.fullmatch(r"[A-Za-z0-9_.~-]{1,120}", name)
        and not name.startswith(".")
        and not name.endswith(".")
        and not re.fullmatch("CON|PRN|AUX|NUL|(COM|LPT)[0-9]", word)
    )


def test_ids_that_differ_in_signs_have_names_of_their_own():
    ids = [*SIGNS_ONLY, *RESERVED, *STRANGE]
    names = FileNames()
    found = [names.of(one) for one in ids]
    assert len({name.casefold() for name in found}) == len(ids)
    assert all(map(sound, found))
    assert found == [names.of(one) for one in ids]


def test_a_name_hangs_on_the_id_alone():
    """But for ids that differ in case only: there the later one gives way."""
    ids = [one for one in (*SIGNS_ONLY, *STRANGE) if one != "A-B"]
    names = FileNames()
    assert [FileNames().of(one) for one in ids] == [names.of(one) for one in reversed(ids)][::-1]


def test_no_id_can_take_the_name_of_another():
    names = FileNames()
    taken = names.of("a:b")
    assert names.of(taken) != taken


@given(st.lists(st.tuples(st.text(), st.integers(-1, 30)), max_size=20, unique=True))
def test_whatever_the_ids(keys):
    names = FileNames()
    found = [names.of(identity, "" if step < 0 else f"-{step}") for identity, step in keys]
    assert len({name.casefold() for name in found}) == len(keys)
    assert all(map(sound, found))
