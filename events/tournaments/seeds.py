"""What pairings and deals follow from, and that nobody could choose it.

commitment   = SHA-256(secret), published when the tournament is announced
pairing key  = HMAC-SHA256(secret, canonical JSON of {"players", "tournament"})
round's seed = HMAC-SHA256(pairing key, "round/<number>"), in hex
deal's seed  = HMAC-SHA256(pairing key, "deal/<number>"), in hex
lot          = the players, sorted by id, shuffled by `events.game.dealing` under the round's seed, purpose `lot`

`players` are the pairs [id, seed] of all who registered, in that order. Who knows the secret has committed to it
before the first player came, and so before any seed was known; who gives a seed does not know the secret. Only
somebody who knows the secret *and* registers last could try seeds: what a service holds, its organiser does not know.
"""

import hmac

from events.chain.canonical import canonical
from events.game.dealing import commitment_to, shuffled
from events.tournaments.state import Player, Tournament


def pairing_key(secret: str, tournament: str, players: tuple[Player, ...]) -> str:
    """The key of all pairings of a tournament, in hex."""
    bound = {"players": [[each.player, each.seed] for each in players], "tournament": tournament}
    return hmac.digest(bytes.fromhex(secret), canonical(bound), "sha256").hex()


def round_seed(tournament: Tournament, number: int) -> str:
    """The seed that the pairing of a round follows from."""
    return _derive(tournament, f"round/{number}")


def deal_seed(tournament: Tournament, number: int) -> str:
    """The seed that all tables of a duplicate round are dealt by, besides the round's secret."""
    return _derive(tournament, f"deal/{number}")


def draw_lots(seed: str, players: tuple[str, ...]) -> tuple[str, ...]:
    """The players in the order of this round's lot, whatever order they are given in."""
    return shuffled(bytes.fromhex(seed), "lot", tuple(sorted(players)))


def is_committed(secret: str, commitment: str) -> bool:
    """Whether this is the secret that was committed to."""
    return commitment_to(secret) == commitment


def _derive(tournament: Tournament, purpose: str) -> str:
    return hmac.digest(bytes.fromhex(tournament.key), purpose.encode(), "sha256").hex()
