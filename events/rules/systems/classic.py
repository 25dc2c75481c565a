"""`classic`: Bohnanza with 104 cards of 8 varieties, 3 to 5 players.

In the booklet's order: everyone starts with two fields and a hand of five cards. In a turn, (1) the front card
of the hand is planted, the second may be; (2) two cards are revealed, then there is trading and giving;
everybody plants what they received; (3) three cards are drawn. Selling, and buying the third field for three
coins, are open to everyone at any time. The game ends when the draw pile is exhausted for the third time. The
booklet has no tie rule: most coins win, a tie is a shared victory.
"""

from types import MappingProxyType

from events import commands as c
from events.rules.phases import any_time, drawing, planting, setting_up, trading
from events.rules.phases.any_time import protect_single_beans
from events.rules.rule_system import Option, Phase, RuleSystem, Setup

PLANT = Phase("plant", MappingProxyType({c.Plant: planting.PLANT, c.Reveal: drawing.REVEAL}))
REVEAL = Phase("reveal", MappingProxyType({c.Reveal: drawing.REVEAL}))
TRADE = Phase(
    "trade",
    MappingProxyType(
        {
            c.Offer: trading.OFFER,
            c.Counter: trading.COUNTER,
            c.Accept: trading.ACCEPT,
            c.Decline: trading.DECLINE,
            c.Withdraw: trading.WITHDRAW,
            c.EndTrading: trading.END_TRADING,
        }
    ),
)
PLANT_ASIDE = Phase("plant_aside", MappingProxyType({c.PlantAside: planting.PLANT_ASIDE}))
DRAW = Phase("draw", MappingProxyType({c.Draw: drawing.DRAW}))

CLASSIC = RuleSystem(
    key="classic",
    title="Bohnanza",
    version=1,
    booklet="Bohnanza, 104 cards, 8 varieties, 3 to 5 players",
    players=(3, 4, 5),
    catalogue="bohnanza-104",
    options=MappingProxyType(
        {
            "bean_protection": Option("lenient", ("lenient", "strict")),
            "start_seat": Option(0, ("seats", "random")),
        }
    ),
    setup=lambda _players: Setup(),
    phases=(PLANT, REVEAL, TRADE, PLANT_ASIDE, DRAW),
    any_time=MappingProxyType(
        {c.Harvest: any_time.HARVEST, c.BuyField: any_time.BUY_FIELD, c.Say: any_time.SAY}
    ),
    dealer=MappingProxyType(
        {
            c.Shuffle: drawing.shuffle,
            c.ChooseStartingSeat: drawing.choose_starting_seat,
            c.RevealSecret: setting_up.reveal_secret,
        }
    ),
    host=MappingProxyType({c.CreateGame: setting_up.create_game, c.TakeSeat: setting_up.take_seat}),
    may_harvest=protect_single_beans,
)
