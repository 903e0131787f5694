"""Every `$ outplay ...` of the documents' console blocks does what the document says."""

import contextlib
import doctest
import importlib.util
import io
import re
import shlex
from pathlib import Path

import pytest
from click.exceptions import Exit, UsageError

from outplay.cli.app import COMMANDS, app
from outplay.cli.main import run

ROOT = Path(__file__).parents[1]
DOCUMENTS = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]


def console_lines(name):
    """The commands of a document's console blocks, each with the output that is shown below it."""
    for block in re.findall(r"^```console\n(.*?)^```", (ROOT / name).read_text(encoding="utf-8"), re.M | re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            yield pytest.param(command, output, id=f"{name}: {command}")


def masked(text):
    """The text without what differs from run to run and from machine to machine: durations, speeds, spacing."""
    text = re.sub(r"\b\d[\d,]*\.\d{3}\b", "0.001", text)  # a column of seconds
    text = re.sub(r"\b\d[\d,.]* s\b", "1 s", text)
    text = re.sub(r"\b[\d,]+ a second", "1 a second", text)
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())


@pytest.mark.parametrize(("command", "expected"), [line for name in DOCUMENTS for line in console_lines(name)])
def test_console_block(command, expected, tmp_path, monkeypatch):
    program, *arguments = shlex.split(command)
    assert program == "outplay"
    monkeypatch.chdir(tmp_path)  # whatever a command writes goes there
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run(arguments)
    got = out.getvalue() if status == 0 else err.getvalue()
    same = doctest.OutputChecker().check_output(masked(expected), masked(got), doctest.ELLIPSIS)
    assert same, f"{command}\nexpected\n{expected}\ngot\n{got}{err.getvalue()}"


place = ROOT / "benchmarks" / "commands.py"
specification = importlib.util.spec_from_file_location("commands", place)
documented = importlib.util.module_from_spec(specification)
specification.loader.exec_module(documented)


def test_every_command_that_is_named_is_understood():
    """By the real parser, options and numbers included; `python benchmarks/commands.py` runs all of them."""
    group = app
    seen = 0
    for name, line in documented.commands():
        words = documented.words_of(line)
        assert words[0] in COMMANDS, f"{name} names outplay {words[0]}"
        if line in documented.WRONG or (documented.left_out(line) or "").startswith("names the command"):
            continue
        command, at = group.get_command(None, words[0]), 1
        while hasattr(command, "commands") and len(words) > at:
            assert words[at] in command.commands, f"{name}: outplay {line}"
            command, at = command.commands[words[at]], at + 1
        try:
            command.make_context(words[0], words[at:])
        except Exit:  # --help
            pass
        except UsageError as problem:
            pytest.fail(f"{name}: outplay {line}: {problem.format_message()}")
        seen += 1
    assert seen > 100


def test_links_lead_somewhere():
    for name in [*DOCUMENTS, "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / name).read_text(encoding="utf-8")):
            assert ((ROOT / name).parent / target).exists(), f"{name} links to {target}"
