"""What a game is pinned to by its first event: catalogue, rule system, options and engine."""

from typing import Any

from events import domain_events as e
from events.chain.canonical import canonical
from events.game.record import Header
from events.rules.catalogues.catalogue import Catalogue, CatalogueInvalid, check_catalogue
from events.rules.definition.rule_system import ENGINE_VERSION, Rules, rules_for
from events.rules.errors import RuleViolation
from events.rules.phases.setting_up import check_dealing
from events.rules.systems.registry import system_named
from replay.records.report import Discrepancy
from replay.records.shape import HEX_32_BYTES

LARGEST_DECK = 1_000
"""Cards in a catalogue at most; printed decks have up to 154."""


def check_catalogue_content(catalogue: Catalogue) -> None:
    """Refuse a catalogue that makes no sense, before anything is built from its figures.

    Raises:
        Discrepancy: of the check `pinned`.
    """
    if not 0 < catalogue.total <= LARGEST_DECK or len(catalogue.beans) > LARGEST_DECK:
        raise Discrepancy(
            "pinned", f"the catalogue has {catalogue.total} cards; 1 to {LARGEST_DECK} can be read"
        )
    try:
        check_catalogue(catalogue, f"catalogue {catalogue.name[:60]}")
    except CatalogueInvalid as error:
        raise Discrepancy("pinned", str(error)) from error


def describe_catalogue(catalogue: Catalogue) -> dict[str, Any]:
    """What a report says of the catalogue that a game pins."""
    return {
        "catalogue": catalogue.name[:60],
        "catalogue_hash": catalogue.hash(),
        "provenance": catalogue.kinds_of_provenance,
        "source": catalogue.source[:600],
    }


def pinned_rules(header: Header, event: e.DomainEvent) -> Rules:
    """The rules that the first event pins, held against the record's header.

    Raises:
        Discrepancy: of the check `pinned`.
    """
    if not isinstance(event, e.GameCreated):
        raise Discrepancy("pinned", "a game begins with game_created")
    if event.game != header.game:
        raise Discrepancy(
            "pinned", f"the header names game {header.game[:60]!r}, the first event {event.game[:60]!r}"
        )
    if event.catalogue != header.catalogue.hash():
        raise Discrepancy("pinned", "the header's catalogue is not the one that the game was played with")
    if not HEX_32_BYTES.fullmatch(event.commitment):
        raise Discrepancy("pinned", "the dealer's commitment is not 64 lower-case hex digits")
    if event.engine_version != ENGINE_VERSION:
        raise Discrepancy(
            "pinned",
            f"the game was played with engine version {event.engine_version}; this installation has version "
            f"{ENGINE_VERSION}. Verify it with the release of Fieldbook that has that engine",
        )
    try:
        check_dealing(event.dealing)
        system = system_named(event.system, event.system_version)
        rules = rules_for(system, event.players, event.options, header.catalogue)
    except RuleViolation as error:
        raise Discrepancy("pinned", str(error)) from error
    if canonical(dict(rules.options)) != canonical(event.options):
        raise Discrepancy("pinned", f"the first event does not give every option of {system.key}")
    return rules
