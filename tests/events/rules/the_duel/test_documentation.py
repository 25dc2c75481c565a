"""The page about `the-duel` shows the bonus deck of the catalogue; its other tables are tested with all pages."""

from events.rules.catalogues.catalogue import Catalogue, shipped_catalogue
from events.rules.systems.registry import system_named
from tests.events.rules.test_documentation import section

DUEL = system_named("the-duel")


def bonus_cards(catalogue: Catalogue) -> str:
    """The bonus deck, as a table."""
    lines = ["| bonus card | cents | sequence, top card last | from |", "|---|---:|---|---|"]
    for bonus in catalogue.bonus:
        sequence = ", ".join(f"`{card}`" for card in bonus.sequence)
        lines.append(f"| `{bonus.card}` | {bonus.cents} | {sequence} | {bonus.provenance} |")
    return "\n".join(lines)


def test_the_page_shows_the_bonus_deck() -> None:
    """Every sequence and its cents."""
    assert section(DUEL, "bonus") == bonus_cards(shipped_catalogue(DUEL.catalogue))


def test_the_page_shows_the_varieties_from_the_lowest_to_the_highest() -> None:
    """So does the catalogue: the keys of the bonus cards count from there."""
    catalogue = shipped_catalogue(DUEL.catalogue)
    assert catalogue.rising == tuple(bean.card for bean in catalogue.beans)
