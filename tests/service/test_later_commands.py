"""`fieldbook --help` lists every command at once: what need not be imported for it is not."""

import subprocess
import sys

import click
import pytest

from service.command_line import main
from service.later_commands import LATER

LISTED = (
    "import sys; from service.command_line import main; main(['--help'], standalone_mode=False);"
    " print(*sorted({'flask', 'msgspec', 'redis', 'rich'} & set(sys.modules)), file=sys.stderr)"
)


@pytest.mark.parametrize("name", LATER)
def test_a_command_that_comes_later_is_listed_by_what_its_own_help_begins_with(name: str) -> None:
    """The two sentences cannot part."""
    command = main.get_command(click.Context(main), name)

    assert command is not None
    assert command.get_short_help_str(1_000) == LATER[name].about


def test_help_imports_no_command_that_comes_later() -> None:
    """Nor what these stand on."""
    done = subprocess.run([sys.executable, "-c", LISTED], capture_output=True, text=True, check=True)

    assert all(f"\n  {name} " in done.stdout for name in LATER)
    assert done.stderr.split() == []
