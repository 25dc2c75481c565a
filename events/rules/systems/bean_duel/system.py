"""`bean-duel`: the game with 154 cards for two players, without garden and cocoa beans.

In the booklet's order, what differs: selling is for one's own turn only; the coins for the third field leave the
game; the game ends when the draw pile is exhausted for the first time, and nothing is ever reshuffled. A turn:
(1) plant or discard each card that the opponent left on offer; (2) plant one or two cards from the hand, then one
hand card may be discarded; (3) reveal three cards, which matching cards from the top of the discard pile join;
plant as many as wanted, the rest is on offer to the opponent; (4) draw two. There is no trading.
"""

from events import commands as c
from events.rules.definition.rule_system import Flow, Option, Phase, Rule, RuleSystem, Setup
from events.rules.errors.printed_rules import BOHNANZA_154, Topic, in_booklet
from events.rules.phases import any_time, drawing, planting, standard
from events.rules.phases.turn import end_or_draw, end_or_pass, most_cards_in_hand
from events.rules.systems.bean_duel import turn as bean_duel

DUEL = "Le duel de haricots pour deux joueurs"

OFFERED = Phase(
    "offered",
    {c.PlantRevealed: bean_duel.PLANT_OFFERED, c.DiscardRevealed: bean_duel.DISCARD_OFFERED},
)
PLANT = Phase(
    "plant",
    {
        c.Plant: Rule(bean_duel.plant, planting.legal_plants),
        c.Discard: bean_duel.DISCARD,
        c.Reveal: drawing.REVEAL,
    },
)
DISCARD = Phase("discard", {c.Discard: bean_duel.DISCARD, c.Reveal: drawing.REVEAL})
PLANT_REVEALED = Phase(
    "plant_revealed",
    {c.PlantRevealed: bean_duel.PLANT_REVEALED, c.Draw: bean_duel.DRAW},
)

BEAN_DUEL = RuleSystem(
    key="bean-duel",
    title="Bohnanza, the bean duel",
    version=1,
    booklet="Bohnanza, 154 cards, the bean duel for two players",
    sections=in_booklet(
        BOHNANZA_154,
        {
            Topic.PLAYERS: DUEL,
            Topic.PREPARING: "Préparation",
            Topic.TURN: DUEL,
            Topic.ENDING: DUEL,
            Topic.FIELDS: "Les Champs de Haricots",
            Topic.VARIETIES: "Les Champs de Haricots",
            Topic.GROWN_ALREADY: "1. Planter des haricots",
            Topic.PLANTING: f"{DUEL}, 2. Planter des cartes haricots et défausser",
            Topic.REVEALED: f"{DUEL}, 3. Piocher, planter et offrir des haricots",
            Topic.HAND: f"{DUEL}, 2. Planter des cartes haricots et défausser",
            Topic.SELLING: "Récoltes et ventes de haricots",
            Topic.PROTECTION: "Récoltes et ventes de haricots",
            Topic.THIRD_FIELD: "Acheter un 3ème champ",
        },
    ),
    players=(2,),
    catalogue="bohnanza-154",
    options={
        "bean_protection": Option("lenient", ("lenient", "strict")),
        "duplicate_fields": Option(default=False, values=(False, True)),
        "start_seat": Option(0, ("seats", "random")),
    },
    setup=lambda _players: Setup(
        removed=("garden", "cocoa"), reveal=3, draw=2, exhaustions=1, third_field_boxed=True
    ),
    flow=Flow(
        begin_turn=bean_duel.begin_turn,
        after_revealing=bean_duel.after_revealing,
        after_planting_aside=end_or_draw,
        after_drawing=end_or_pass,
    ),
    phases=(OFFERED, PLANT, DISCARD, standard.REVEAL, PLANT_REVEALED),
    any_time={
        c.Harvest: Rule(any_time.harvest, any_time.legal_harvests),
        c.BuyField: any_time.BUY_FIELD,
        c.Say: any_time.SAY,
    },
    break_tie=most_cards_in_hand,
)
