"""`fieldbook configuration`: the effective settings, and which of them are refused."""

import json
import sys

import click

from events.store.errors import StoreMisconfigured
from service.archive.files import archive_target
from service.cli.exit_status import WRONG_USE
from service.platform.configuration import BadSetting, effective, refused_settings, unknown_variables
from service.startup.web_settings import WebSettings
from service.storage.settings import StoreSettings


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
    for sentence in unknown_variables():
        click.echo(sentence, err=True)
    refused = refusals()
    for sentence in refused:
        click.echo(sentence, err=True)
    sys.exit(WRONG_USE if refused else 0)


def refusals() -> list[str]:
    """The settings that a start would refuse, each with the reason."""
    sentences = refused_settings()
    for read in (lambda: archive_target(StoreSettings.from_environment()), WebSettings.from_environment):
        try:
            read()
        except (BadSetting, StoreMisconfigured) as error:
            sentences.append(str(error))
    # Some are read by a whole that reads others too.
    return list(dict.fromkeys(sentences))
