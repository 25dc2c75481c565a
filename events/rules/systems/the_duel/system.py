"""`the-duel`: Bohnanza: The Duel, two players, with gifts, bluffs and bonus cards.

In the booklet's order: always three fields; three first coins that nobody has seen, five beans and three bonus
cards each. (1) The front card of the hand is planted, the second may be. (2) Three cards are revealed, and the
active player must offer a gift, which may be a bluff; gift cards go to and fro until one is accepted, and only that
one moves a card, or a coin for a bluff. (3) What lies there is planted; one revealed card may be discarded. (4) Two
beans are drawn; each player may discard a bonus card, and bonus hands are refilled. A field takes the variety on
its top or the next higher one; a harvest counts all its cards by the top card's meter. Bonus cards are claimed at
any moment. The game ends after phase 3 of the turn in which the bean pile ran out, or of the next one if that was in
phase 4. The score is in cents; a tie is lost by the starting player.
"""

from events import commands as c
from events.rules.definition.rule_system import Flow, Option, Phase, RuleSystem, Setup
from events.rules.errors.printed_rules import Topic, in_booklet
from events.rules.phases import any_time, planting, standard
from events.rules.phases.turn import begin_turn, end_or_draw
from events.rules.systems.the_duel import bonus_cards, gifts
from events.rules.systems.the_duel import turn as the_duel
from events.rules.table.addition import BONUS_PILE

OFFER_GIFT = Phase("offer_gift", {c.OfferGift: gifts.OFFER_GIFT})
ANSWER_GIFT = Phase("answer_gift", {c.AcceptGift: gifts.ACCEPT_GIFT, c.CounterGift: gifts.COUNTER_GIFT})
GIVE = Phase(
    "give",
    {c.GiveRevealed: gifts.GIVE_REVEALED, c.GiveFromHand: gifts.GIVE_FROM_HAND},
    only_talk=True,
)
PLANT_ASIDE = Phase(
    "plant_aside",
    {
        c.PlantRevealed: the_duel.PLANT_REVEALED,
        c.DiscardRevealed: the_duel.DISCARD_REVEALED,
        c.PlantAside: planting.PLANT_ASIDE,
    },
)
BONUS = Phase("bonus", {c.DiscardBonus: bonus_cards.DISCARD, c.KeepBonus: bonus_cards.KEEP})

THE_DUEL = RuleSystem(
    key="the-duel",
    title="Bohnanza: The Duel",
    version=1,
    booklet="Bohnanza: The Duel, two players",
    sections=in_booklet(
        "Bohnanza: The Duel",
        {
            Topic.PLAYERS: "Introduction",
            Topic.PREPARING: "Contenu et mise en place",
            Topic.TURN: "Déroulement de la partie",
            Topic.ENDING: "Fin de la partie",
            Topic.FIELDS: "Contenu et mise en place",
            Topic.VARIETIES: "Règles de plantation",
            Topic.GROWN_ALREADY: "Règles de plantation",
            Topic.PLANTING: "Planter une ou deux cartes de sa main",
            Topic.PLANTING_ASIDE: "Planter les cartes piochées et reçues",
            Topic.REVEALED: "Piocher trois cartes Haricot et offrir un haricot",
            Topic.HAND: "Offrir des cartes haricots",
            Topic.SELLING: "La récolte des haricots",
            Topic.PROTECTION: "Règle de protection",
            Topic.DRAWING: "Piocher deux cartes Haricot et éventuellement des cartes Bonus",
            Topic.GIFTS: "Offrir des cartes haricots",
            Topic.BLUFFS: "Bluff !",
            Topic.BONUS: "Les cartes Bohnus",
        },
    ),
    players=(2,),
    catalogue="the-duel",
    options={"start_seat": Option(0, ("seats", "random"))},
    setup=lambda _players: Setup(
        fields=3, reveal=3, draw=2, exhaustions=1, third_field_price=None, coins=3, bonus_hand=3
    ),
    flow=Flow(
        begin_turn=begin_turn,
        after_revealing=gifts.begin_offering,
        after_planting_aside=end_or_draw,
        after_drawing=bonus_cards.begin_deciding,
        before_hands=the_duel.deal_coins,
        after_hands=bonus_cards.shuffle_bonus_pile,
        before_final_harvest=bonus_cards.claim_all,
        after_shuffle={BONUS_PILE: bonus_cards.after_shuffle},
    ),
    phases=(
        standard.PLANT,
        standard.REVEAL,
        OFFER_GIFT,
        ANSWER_GIFT,
        GIVE,
        PLANT_ASIDE,
        standard.DRAW,
        BONUS,
    ),
    any_time={c.Harvest: any_time.HARVEST, c.ClaimBonus: bonus_cards.CLAIM, c.Say: any_time.SAY},
    break_tie=the_duel.starting_player_loses,
    fields_for=the_duel.rising_fields,
    score=the_duel.score_in_cents,
    unit="cents",
)
