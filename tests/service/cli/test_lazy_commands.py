"""`fieldbook --help` lists every command at once: what need not be imported for it is not."""

import subprocess
import sys
from pathlib import Path

import click
import pytest

from service.cli.commands import SUMMARIES
from service.command_line import main

ROOT = Path(__file__).parents[3]
LISTED = (
    "import sys; from service.command_line import main; main(['--help'], standalone_mode=False);"
    " print(*sorted({'flask', 'msgspec', 'redis', 'rich'} & set(sys.modules)), file=sys.stderr)"
)


@pytest.mark.parametrize("name", SUMMARIES)
def test_a_lazy_command_is_listed_by_the_first_sentence_of_its_own_help(name: str) -> None:
    """The two sentences cannot part."""
    command = main.get_command(click.Context(main), name)

    assert command is not None
    assert command.get_short_help_str(1_000) == SUMMARIES[name]


def test_help_imports_no_lazy_command() -> None:
    """Nor what these import."""
    done = subprocess.run([sys.executable, "-c", LISTED], capture_output=True, text=True, check=True)

    assert all(f"\n  {name} " in done.stdout for name in SUMMARIES)
    assert done.stderr.split() == []
