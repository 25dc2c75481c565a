"""The language of the commands: the one asked for, else the reader's on a terminal, and English everywhere else."""

import json
import os
import pty
import subprocess
import sys

import pytest

from replay.commentary import LANGUAGES
from tests.replay.commands.commands import ROOT, WHOLE, run

BEGINS = {"en": "A table for", "de": "Ein Tisch", "fr": "Une table", "it": "È stato allestito"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_speaks_the_language_asked_for(language: str) -> None:
    """The log and its JSON, the table and the steps through it."""
    option = ("--language", language)
    text = run("log", WHOLE, "--to", "1", *option).stdout
    line = json.loads(run("log", WHOLE, "--to", "1", "--json", *option).stdout)
    shown = run("show", WHOLE, "--at", "1", *option).stdout
    stepped = run("step", WHOLE, *option, given=b"q\n").stdout

    assert BEGINS[language] in text
    assert line["text"].startswith(BEGINS[language])
    assert all(BEGINS[language] in table for table in (shown, stepped))


def test_what_another_program_reads_is_english_unless_it_asks() -> None:
    """A pipe, JSON and an export hang on no environment."""
    for arguments in (
        ("log", WHOLE, "--to", "20"),
        ("log", WHOLE, "--to", "20", "--json"),
        ("show", WHOLE),
        ("stats", WHOLE),
        ("export", WHOLE, "--to", "csv"),
    ):
        german, plain = (run(*arguments, LC_ALL=each).stdout for each in ("de_DE.UTF-8", "C.UTF-8"))
        assert german == plain != ""


def test_a_terminal_gets_the_readers_language() -> None:
    """It is that of LC_ALL, LC_MESSAGES or LANG."""
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LC_")}
    command = [sys.executable, "-m", "replay", "log", str(WHOLE), "--to", "1"]
    done = subprocess.run(
        command, cwd=ROOT, stdout=theirs, env=environment | {"LANG": "fr_CH.UTF-8"}, check=True, timeout=60
    )
    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)

    assert done.returncode == 0
    assert BEGINS["fr"] in shown


def test_a_language_without_sentences_is_wrong_use() -> None:
    """The answer names those that there are."""
    refused = run("log", WHOLE, "--language", "ja")

    assert refused.returncode == 2
    assert all(language in refused.stderr for language in LANGUAGES)
