"""`ladybohn`: the game of its own with misters, misses and babies, 3 to 5 players.

In the booklet's order, what differs from the game with 104 cards: the three kinds of a family share a field, and
the beanometer of its top card counts, of which babies have none. The option `phase1_distinct_fields` is the literal
reading that the two beans of phase 1 go to different fields. Traders name families only, so an offered hand card
doesn't show its sex. Who gets a baby of a family that they grow plants it with the trade. Planting a baby on a field
with a miss lets its owner move a miss there one or two places towards the top. A garden field with the miss on top
is paid from the discard pile, then the draw pile. There are two third fields, bought in one's own turn only. Most
cards in hand break a tie.
"""

from events import commands as c
from events.rules.definition.rule_system import Flow, Option, Phase, RuleSystem, Setup
from events.rules.errors.printed_rules import Topic, in_booklet
from events.rules.phases import any_time, drawing, standard
from events.rules.phases.turn import end_or_draw, end_or_pass, most_cards_in_hand
from events.rules.systems.ladybohn import babies, coins_from_piles

PLANT = Phase("plant", {c.Plant: babies.PLANT, c.Reveal: drawing.REVEAL})
TRADE = Phase("trade", {**standard.TRADE.rules, c.Accept: babies.ACCEPT})
PLANT_ASIDE = Phase("plant_aside", {c.PlantAside: babies.PLANT_ASIDE})

LADYBOHN = RuleSystem(
    key="ladybohn",
    title="Ladybohn",
    version=1,
    booklet="Ladybohn, 110 cards, 3 to 5 players",
    sections=in_booklet(
        "Ladybohn",
        {
            Topic.PLAYERS: "Nb de joueurs",
            Topic.PREPARING: "Préparation",
            Topic.TURN: "Déroulement de la partie",
            Topic.ENDING: "Fin de la partie",
            Topic.FIELDS: "Les champs de haricots",
            Topic.VARIETIES: "Les champs de haricots",
            Topic.GROWN_ALREADY: "Déroulement de la partie",
            Topic.PLANTING: "Phase 1. Jouer des cartes haricots",
            Topic.PLANTING_ASIDE: "Phase 3. Planter les cartes haricots",
            Topic.REVEALED: "Phase 2. Piocher, échanger, donner des cartes haricots",
            Topic.HAND: "Phase 2. Piocher, échanger, donner des cartes haricots",
            Topic.TRADING: "Phase 2. Piocher, échanger, donner des cartes haricots",
            Topic.SELLING: "Récolte et vente de haricots",
            Topic.PROTECTION: "Récolte et vente de haricots",
            Topic.THIRD_FIELD: "Les cartes 3ème champ",
            Topic.BABIES: "Rapprochement des miss grâce aux bébés",
        },
    ),
    players=(3, 4, 5),
    catalogue="ladybohn",
    options={
        "bean_protection": Option("lenient", ("lenient", "strict")),
        "phase1_distinct_fields": Option(default=False, values=(False, True)),
        "start_seat": Option(0, ("seats", "random")),
    },
    setup=lambda _players: Setup(third_fields=2, hides_sex=True, paid_from_piles=("garden_female",)),
    flow=Flow(
        begin_turn=babies.begin_turn,
        after_revealing=drawing.begin_trading,
        after_planting_aside=end_or_draw,
        after_drawing=end_or_pass,
        final_harvest=coins_from_piles.final_harvest,
    ),
    phases=(PLANT, standard.REVEAL, TRADE, PLANT_ASIDE, standard.DRAW),
    any_time={
        c.MoveMiss: babies.MOVE_MISS,
        c.Harvest: coins_from_piles.HARVEST,
        c.BuyField: coins_from_piles.BUY_FIELD,
        c.Say: any_time.SAY,
    },
    break_tie=most_cards_in_hand,
    may_pay=coins_from_piles.may_pay,
    sexes=("male", "female", "baby"),
)
