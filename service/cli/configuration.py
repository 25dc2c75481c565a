"""`fieldbook configuration`: the effective settings, and which of them are refused."""

import json
import sys

import click

from replay.platform.exit_status import WRONG_USE
from service.platform.configuration import effective
from service.startup.checks import catalogue_faults, setting_faults, setting_notes


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def configuration(*, as_json: bool) -> None:
    """Print every effective setting and where it comes from; passwords are left out.

    Exit status: 2 where a setting would be refused at the start.
    """
    found = effective()
    if as_json:
        shown = {each.variable.name: {"value": each.shown, "origin": each.origin} for each in found}
        click.echo(json.dumps(shown, indent=2, ensure_ascii=False))
    else:
        width = max(len(each.variable.name) for each in found)
        values = max(len(each.shown) for each in found)
        for each in found:
            click.echo(f"{each.variable.name:<{width}}  {each.shown:<{values}}  {each.origin}")
    faults = [*setting_faults(), *catalogue_faults()]
    for sentence in (*setting_notes(), *faults):
        click.echo(sentence, err=True)
    sys.exit(WRONG_USE if faults else 0)
