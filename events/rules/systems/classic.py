"""`classic`: Bohnanza with 104 cards of 8 varieties, 3 to 5 players.

In the booklet's order: everyone starts with two fields and a hand of five cards. In a turn, (1) the front card
of the hand is planted, the second may be; (2) two cards are revealed, then there is trading and giving;
everybody plants what they received; (3) three cards are drawn. Selling, and buying the third field for three
coins, are open to everyone at any time. The game ends when the draw pile is exhausted for the third time. The
booklet has no tie rule: most coins win, a tie is a shared victory.
"""

from events.rules.definition.rule_system import Option, RuleSystem, Setup
from events.rules.errors.printed_rules import BOHNANZA_104, Topic, in_booklet
from events.rules.phases import standard
from events.rules.phases.turn import shared_victory

CLASSIC = RuleSystem(
    key="classic",
    title="Bohnanza",
    version=1,
    booklet="Bohnanza, 104 cards, 8 varieties, 3 to 5 players",
    sections=in_booklet(
        BOHNANZA_104,
        {
            Topic.PLAYERS: "3 à 5 joueurs",
            Topic.PREPARING: "Préparatifs",
            Topic.TURN: "Déroulement de la partie",
            Topic.ENDING: "Fin du jeu",
            Topic.FIELDS: "Champs de haricots",
            Topic.VARIETIES: "Champs de haricots",
            Topic.GROWN_ALREADY: "1. Jouer les cartes haricots",
            Topic.PLANTING: "1. Jouer les cartes haricots",
            Topic.PLANTING_ASIDE: "Culture de haricots",
            Topic.REVEALED: "2. Echanges et dons",
            Topic.HAND: "2. Echanges et dons",
            Topic.TRADING: "2. Echanges et dons",
            Topic.SELLING: "Vendre des haricots - Récolte",
            Topic.PROTECTION: "Vendre des haricots - Récolte",
            Topic.THIRD_FIELD: "Champs de haricots",
        },
    ),
    players=(3, 4, 5),
    catalogue="bohnanza-104",
    options={
        "bean_protection": Option("lenient", ("lenient", "strict")),
        "start_seat": Option(0, ("seats", "random")),
    },
    setup=lambda _players: Setup(),
    flow=standard.FLOW,
    phases=standard.PHASES,
    any_time=standard.ANY_TIME,
    break_tie=shared_victory,
)
