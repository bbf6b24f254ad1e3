"""Bad usage, bugs and broken pipes: one line, the right status, nothing on stdout."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stepscope.app.cli.application import program
from stepscope.app.cli.arguments import spread_settings
from stepscope.app.cli.families import COMMANDS

ROOT = Path(__file__).resolve().parents[3]


def test_the_version_names_program_and_interface(cli):
    ended = cli("--version")
    assert (ended.status, ended.err) == (0, "")
    name, version, interface = ended.out.split(" ", 2)
    assert (name, interface) == ("stepscope", "(interface 1)\n")
    assert version.count(".") == 2


def numeric_options():
    """Every option of every command that takes numbers: the command's words, the option, whether it takes only whole
    ones."""
    found = []

    def walk(command, words):
        for name, one in getattr(command, "commands", {}).items():
            walk(one.whole, [*words, name])
        for option in command.params:
            kind = getattr(getattr(option, "type_descriptor", None), "annotation", None)
            if kind in (int, float) and option.opts[-1].startswith("--"):
                found.append((words, option.opts[-1], kind is int))

    walk(program(), [])
    return found


WHOLE = ("1" + "0" * 400, "1" + "0" * 5000, str(2**63), str(-(2**63)), "0x10", "nan", "\u0663x")
NO_NUMBER = ("nan", "inf", "-inf", "1e400", "-1e400")


def test_every_numeric_option_is_bounded(cli):
    options = numeric_options()
    assert len(options) > 20
    for words, option, whole in options:
        for number in WHOLE if whole else NO_NUMBER:
            ended = cli(*words, option, number)
            assert ended.status == 2 and f"Invalid value for '{option}'" in ended.line, (words, option, ended)


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], []])
def test_help_lists_every_command_and_the_window(cli, arguments):
    ended = cli(*arguments)
    assert (ended.status, ended.err) == (0, "")
    for command in COMMANDS:
        assert f"\n  {command} " in ended.out
    assert "opens the window" in ended.out


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help(cli, command):
    ended = cli(command, "--help")
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.startswith(f"Usage: stepscope {command}")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["inspct", "x"], "No such command 'inspct'"),
        (["--nonsense"], "No such option: --nonsense"),
        (["formats", "--nonsense"], "No such option: --nonsense"),
        (["formats", "extra"], "unexpected extra argument"),
        (["inspect"], "Missing argument 'PATH'"),
        (["score", "aitw"], "Missing argument 'FILE'"),
        (["score", "aitw", "x", "--bootstrap", "many"], "Invalid value for '--bootstrap'"),
        (["score", "aitw", "x", "--bootstrap", "-1"], "Invalid value for '--bootstrap'"),
        (["render", "x", "y", "-o", "z.png"], "Missing option '--step'"),
        (["runs"], "Missing command"),
        (["models", "lost"], "No such command 'lost'"),
        (["evaluate", "automation", "x", "--limit", "0", "--model", "random"], "Invalid value for '--limit'"),
    ],
)
def test_bad_usage_is_one_line(cli, arguments, words):
    ended = cli(*arguments)
    assert (ended.status, ended.out) == (2, "")
    assert ended.line.startswith("stepscope: ")
    assert words in ended.line
    assert "--help'." in ended.line


def test_a_process_ends_the_same_way(process, tmp_path):
    ended = process("inspect", tmp_path / "nowhere", "--json")
    assert (ended.status, ended.out) == (2, "")
    assert "no such file" in ended.line


def test_formats(cli, process):
    ended = process("formats", "--json")
    assert (ended.status, ended.err) == (0, "")
    for entry in ended.json:
        assert set(entry) == {"name", "title", "platform", "kind", "checked"}
        assert entry["checked"] in ("real", "fixture")
    names = [entry["name"] for entry in ended.json]
    assert {"recording", "llamatouch", "aitz", "motif", "rico"} <= set(names)
    assert all(name in cli("formats").out for name in names)


def _broken(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("stepscope.core.sources.registry.open_source", fail)


def test_a_bug_is_one_line_with_a_log(cli, monkeypatch, own_home):
    _broken(monkeypatch, RuntimeError("two\nlines"))
    ended = cli("inspect", "x", "--json")
    log = own_home / "logs" / "command-line.log"
    assert (ended.status, ended.out) == (70, "")
    assert ended.line.startswith("stepscope: internal error: RuntimeError: two lines. ")
    assert str(log) in ended.line
    assert "Traceback" in log.read_text()


def test_a_bug_shows_its_traceback_when_asked(cli, monkeypatch):
    monkeypatch.setenv("STEPSCOPE_DEBUG", "1")
    _broken(monkeypatch, RuntimeError("boom"))
    ended = cli("inspect", "x")
    assert ended.status == 70
    assert "Traceback" in ended.err


def test_a_refusal_of_the_system_is_told_as_one(cli, monkeypatch):
    _broken(monkeypatch, PermissionError(13, "Permission denied", "/secret"))
    ended = cli("inspect", "/secret")
    assert ended.status == 2
    assert ended.line == "stepscope: /secret: permission denied. Check the path and its permissions."


def test_interrupted(cli, monkeypatch):
    _broken(monkeypatch, KeyboardInterrupt())
    ended = cli("inspect", "x", "--json")
    assert (ended.status, ended.out, ended.line) == (130, "", "stepscope: interrupted.")


def test_a_reader_that_goes_away_is_no_trouble():
    command = [sys.executable, "-m", "stepscope.app.main", "formats", "--json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as ended:
        ended.stdout.close()
        assert ended.stderr.read() == b""
        assert ended.wait(60) == 0


def test_words_that_a_stream_cannot_show_are_spelled_out(recordings):
    form = recordings / "1" / "episode.json"
    form.write_text(form.read_text().replace("Buy a lamp", "Über"), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for extra in ((), ("--json",)):
        command = [sys.executable, "-m", "stepscope.app.main", "episode", str(recordings), "lamp", *extra]
        done = subprocess.run(command, capture_output=True, check=False, env=environment, timeout=60)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.isascii()


@pytest.mark.parametrize(
    ("given", "spread"),
    [
        (["--set", "a=1", "b=2", "c=3"], ["--set", "a=1", "--set", "b=2", "--set", "c=3"]),
        (["--set", "a=1", "--set", "b=2"], ["--set", "a=1", "--set", "b=2"]),
        (["--set=a=1", "b=2", "file"], ["--set=a=1", "--set", "b=2", "file"]),
        (["x=1", "--set", "a=1", "--json", "b=2"], ["x=1", "--set", "a=1", "--json", "b=2"]),
        (["--set", "a=1", "./b=2"], ["--set", "a=1", "./b=2"]),
        (["--", "--set", "a=1", "b=2"], ["--", "--set", "a=1", "b=2"]),
    ],
)
def test_several_settings_behind_one_option(given, spread):
    assert spread_settings(given) == spread


def test_a_file_whose_name_looks_like_a_setting(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("b=2").write_text("")
    assert spread_settings(["--set", "a=1", "b=2"]) == ["--set", "a=1", "b=2"]


def test_the_signals_of_the_caller_are_given_back(cli, recordings):
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    cli("evaluate", "automation", recordings, "--model", "random")
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
