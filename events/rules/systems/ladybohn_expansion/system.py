"""`ladybohn-expansion`: Lady Bohn added to the game with 104 cards, 3 to 5 players.

In the booklet's order, what differs from the game without it: 32 more cards, ladies and make-up beans. Two fans, of
six and of four cards, lie face up; whoever holds as many cards may swap hand and fan at any time. Make-up beans bring
a third field, or a coin and a levy on up to three others at the end of the turn; promises to spare somebody bind.
Males and females share a field, and the top card decides what it pays. Revealed cards that match the top of a fan go
there first. Everybody draws one card. A harvest may rotate another field. The first third field is the quota field.
The game ends with the turn in which the draw pile is exhausted for the third time.

The booklet's rules for two players and for one are not in our source and are not offered.
"""

from events import commands as c
from events.rules.definition.rule_system import Flow, Option, Phase, RuleSystem, Setup
from events.rules.errors.printed_rules import BOHNANZA_104, Topic, in_booklet
from events.rules.phases import any_time, standard, turn
from events.rules.phases.turn import shared_victory
from events.rules.systems.ladybohn_expansion import fans, levies, make_up
from events.rules.systems.ladybohn_expansion import harvest as harvesting

FANS = Phase(fans.CHOOSING, {c.ChooseFan: fans.CHOOSE_FAN}, only_talk=True)
LEVY = Phase(levies.LEVYING, {c.Levy: levies.LEVY})

LADYBOHN_EXPANSION = RuleSystem(
    key="ladybohn-expansion",
    title="Bohnanza with Lady Bohn",
    version=1,
    booklet="Lady Bohn, expansion with 32 cards for the 104-card game, 3 to 5 players",
    sections={
        **in_booklet(
            BOHNANZA_104,
            {
                Topic.TURN: "Déroulement de la partie",
                Topic.FIELDS: "Champs de haricots",
                Topic.PLANTING: "1. Jouer les cartes haricots",
                Topic.PLANTING_ASIDE: "Culture de haricots",
                Topic.HAND: "2. Echanges et dons",
                Topic.TRADING: "2. Echanges et dons",
            },
        ),
        **in_booklet(
            "Lady Bohn (expansion)",
            {
                Topic.PLAYERS: "Preparing the game",
                Topic.PREPARING: "Preparing the game",
                Topic.ENDING: "End of the game",
                Topic.VARIETIES: "The play course",
                Topic.GROWN_ALREADY: "The play course",
                Topic.REVEALED: "The play course",
                Topic.SELLING: "The Harvest",
                Topic.PROTECTION: "The Harvest",
                Topic.THIRD_FIELD: "The third bean field and the ratio field",
                Topic.FANS: "The 4 cards and 6 cards fans",
                Topic.ROTATION: "Rotation after a harvest",
                Topic.MAKE_UP: "The Schminkbohnen",
            },
        ),
    },
    players=(3, 4, 5),
    catalogue="ladybohn-expansion",
    options={
        "bean_protection": Option("lenient", ("lenient", "strict")),
        "start_seat": Option(0, ("seats", "random")),
    },
    setup=lambda _players: Setup(fans=(6, 4), draw=1, all_draw=True, want_cards=True, promises_bind=True),
    flow=Flow(
        begin_turn=turn.begin_turn,
        after_revealing=fans.after_revealing,
        after_planting_aside=levies.begin_drawing,
        after_drawing=levies.end_turn,
    ),
    phases=(standard.PLANT, standard.REVEAL, FANS, standard.TRADE, standard.PLANT_ASIDE, standard.DRAW, LEVY),
    any_time={
        c.Harvest: harvesting.HARVEST,
        c.BuyField: harvesting.BUY_FIELD,
        c.SwapHand: fans.SWAP_HAND,
        c.Say: any_time.SAY,
    },
    break_tie=shared_victory,
    may_pay=make_up.may_pay,
    sexes=("male", "female"),
    make_up=True,
)
