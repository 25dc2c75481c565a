"""`extended`: Bohnanza with 154 cards of 11 varieties, 3 to 7 players.

In the booklet's order, what differs from the game with 104 cards: a variety that grows must be planted on its own
field, unless the option `duplicate_fields` follows the Italian booklet, where a player "may"; most cards in hand
break a tie. With 3 players the cocoa beans stay in the box, everyone has three fields from the start and none is
for sale, and the game ends at the second exhaustion. With 4 and 5 the coffee beans stay in the box. With 6 and 7
the cocoa and garden beans do; 3, 4, 5 and then 6 cards are dealt; four are drawn; the third field costs two coins.
"""

from collections.abc import Mapping

from events.rules.definition.rule_system import Option, RuleSystem, Setup
from events.rules.errors.printed_rules import BOHNANZA_154, Topic, in_booklet
from events.rules.phases import standard
from events.rules.phases.turn import most_cards_in_hand

SETUPS: Mapping[int, Setup] = {
    3: Setup(removed=("cocoa",), fields=3, exhaustions=2, third_field_price=None),
    4: Setup(removed=("coffee",)),
    5: Setup(removed=("coffee",)),
    6: Setup(removed=("cocoa", "garden"), hand_sizes=(3, 4, 5, 6), draw=4, third_field_price=2),
    7: Setup(removed=("cocoa", "garden"), hand_sizes=(3, 4, 5, 6), draw=4, third_field_price=2),
}

EXTENDED = RuleSystem(
    key="extended",
    title="Bohnanza, extended",
    version=1,
    booklet="Bohnanza, 154 cards, 11 varieties, 3 to 7 players",
    sections=in_booklet(
        BOHNANZA_154,
        {
            Topic.PLAYERS: "Nombre de joueurs",
            Topic.PREPARING: "Préparation",
            Topic.TURN: "Déroulement",
            Topic.ENDING: "Fin du jeu",
            Topic.FIELDS: "Les Champs de Haricots",
            Topic.VARIETIES: "Les Champs de Haricots",
            Topic.GROWN_ALREADY: "1. Planter des haricots",
            Topic.PLANTING: "1. Planter des haricots",
            Topic.PLANTING_ASIDE: "3. Planter les haricots échangés ou donnés",
            Topic.REVEALED: "2. Piocher et échanger des cartes haricot",
            Topic.HAND: "Règles pour les échanges et les dons",
            Topic.TRADING: "Règles pour les échanges et les dons",
            Topic.SELLING: "Récoltes et ventes de haricots",
            Topic.PROTECTION: "Récoltes et ventes de haricots",
            Topic.THIRD_FIELD: "Acheter un 3ème champ",
        },
    ),
    players=tuple(SETUPS),
    catalogue="bohnanza-154",
    options={
        "bean_protection": Option("lenient", ("lenient", "strict")),
        "duplicate_fields": Option(default=False, values=(False, True)),
        "start_seat": Option(0, ("seats", "random")),
    },
    setup=SETUPS.__getitem__,
    flow=standard.FLOW,
    phases=standard.PHASES,
    any_time=standard.ANY_TIME,
    break_tie=most_cards_in_hand,
)
