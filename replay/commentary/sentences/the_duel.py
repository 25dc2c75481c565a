"""What happens in `the-duel`, some of it in `bean-duel` too."""

from events import domain_events as e

KEYS = {
    e.GiftGiven: lambda event: "gift_given.revealed" if event.revealed else "gift_given.hand",
}
VARIABLES = {
    e.DiscardsJoined: lambda _tell, _, event: {"count": len(event.cards)},
    e.BonusDrawn: lambda tell, _, event: {"bonus": tell.names.bonus_cards(event.cards)},
    e.GiftOffered: lambda tell, _, event: {"card": tell.names.one(event.variety)},
    e.GiftAccepted: lambda tell, _, event: {"card": tell.names.one(event.variety)},
}
