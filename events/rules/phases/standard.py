"""The standard turn of Bohnanza: the phases and tables that several rule systems share."""

from collections.abc import Mapping

from events import commands as c
from events.rules.definition.rule_system import Decision, Flow, Phase, Rule
from events.rules.interventions.ending import close_game
from events.rules.phases import any_time, drawing, planting, setting_up, trading, turn
from events.rules.table.waiting import PLANT_ASIDE as PLANTING_ASIDE

PLANT = Phase("plant", {c.Plant: planting.PLANT, c.Reveal: drawing.REVEAL})
REVEAL = Phase("reveal", {c.Reveal: drawing.REVEAL})
TRADE = Phase(
    "trade",
    {
        c.Offer: trading.OFFER,
        c.Counter: trading.COUNTER,
        c.Accept: trading.ACCEPT,
        c.Decline: trading.DECLINE,
        c.Withdraw: trading.WITHDRAW,
        c.Ready: trading.READY,
        c.EndTrading: trading.END_TRADING,
    },
)
PLANT_ASIDE = Phase(PLANTING_ASIDE, {c.PlantAside: planting.PLANT_ASIDE})
DRAW = Phase("draw", {c.Draw: drawing.DRAW})

FLOW = Flow(
    begin_turn=turn.begin_turn,
    after_revealing=drawing.begin_trading,
    after_planting_aside=turn.end_or_draw,
    after_drawing=turn.end_or_pass,
)
PHASES = (PLANT, REVEAL, TRADE, PLANT_ASIDE, DRAW)
ANY_TIME: Mapping[type[c.Command], Rule] = {
    c.Harvest: any_time.HARVEST,
    c.BuyField: any_time.BUY_FIELD,
    c.Say: any_time.SAY,
}
DEALER: Mapping[type[c.Command], Decision] = {
    c.Shuffle: drawing.shuffle,
    c.ChooseStartingSeat: drawing.choose_starting_seat,
    c.RevealSecret: setting_up.reveal_secret,
}
"""What chance may be asked for, in every rule system."""
HOST: Mapping[type[c.Command], Decision] = {
    c.CreateGame: setting_up.create_game,
    c.TakeSeat: setting_up.take_seat,
    c.CloseGame: close_game,
}
"""What whoever sets up the table may do, likewise; and closing it where nobody plays."""
