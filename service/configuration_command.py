"""What `fieldbook configuration` prints: the settings as they hold here, and which of them are refused."""

import json

import click

from events.store_errors import StoreMisconfigured
from service.archive_settings import archive_settings
from service.configuration import BadSetting, effective, unknown_variables
from service.dispute_settings import dispute_limits
from service.process_logging import log_format
from service.store_settings import StoreSettings
from service.web_settings import WebSettings
from service.webhooks.settings import webhook_settings

FINE, WRONG_USE = 0, 2


def print_configuration(*, as_json: bool) -> int:
    """Print all settings; returns the exit status: 2 where one of them would be refused at the start."""
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
    return WRONG_USE if refused else FINE


def refusals() -> list[str]:
    """What a start would refuse, each with its reason."""
    sentences = []
    readers = (
        StoreSettings.from_environment,
        archive_settings,
        WebSettings.from_environment,
        webhook_settings,
        dispute_limits,
        log_format,
    )
    for read in readers:
        try:
            read()
        except (BadSetting, StoreMisconfigured) as error:
            sentences.append(str(error))
    return sentences
