"""`completion`: the script that lets a shell complete commands, options and files."""

import click
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from replay.commands.shared.options import example

_SHELLS = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}
_PROGRAM = "fieldbook"


@click.command(
    epilog=example(
        'eval "$(fieldbook replay completion bash)"',
        "fieldbook replay completion fish > ~/.config/fish/completions/fieldbook.fish",
    )
)
@click.argument("shell", type=click.Choice([*_SHELLS]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script of a shell for `fieldbook`: commands, options and files.

    The script is for the installed program, of which these commands are a part.
    """
    script = _SHELLS[shell](context.find_root().command, {}, _PROGRAM, f"_{_PROGRAM.upper()}_COMPLETE")
    click.echo(script.source_template % script.source_vars())
