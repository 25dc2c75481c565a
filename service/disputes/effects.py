"""What a ruling would do to a game, a sentence for each thing, in the language of whoever is to rule."""

from events.disputes.state import AWARDED, DISMISSED, REPLACED, Ruling
from events.rules.table.state import GameState
from replay.commentary import Commentary


def describe_ruling(tell: Commentary, state: GameState, ruling: Ruling) -> list[str]:
    """What a ruling does that puts no game back; `state` is the table as it is."""
    running = state.status == "running"
    if ruling.kind == DISMISSED:
        return [_effect(tell, "dismissed_running" if running else "dismissed")]
    end = [_effect(tell, "ends" if running else "log_stays")]
    winners = tell.players(state, sorted(ruling.winners))
    if ruling.kind == AWARDED:
        return [*end, _effect(tell, "winners", winners=winners)]
    if ruling.kind == REPLACED:
        scores = tell.listed(
            _effect(tell, "score", player=tell.player(state, seat), score=score)
            for seat, score in enumerate(ruling.scores)
        )
        return [*end, _effect(tell, "scores", scores=scores), _effect(tell, "winners", winners=winners)]
    return [*end, _effect(tell, "annulled")]


def describe_rewinding(
    tell: Commentary, earlier: GameState, version: int, head: int, redeal: tuple[str, ...]
) -> list[str]:
    """What it does to go from `head` back to a version, whose table is `earlier`, with these piles shuffled anew."""
    turn, phase = earlier.turn, tell.phase(earlier.phase)
    player = tell.player(earlier, earlier.active)
    return [
        _effect(tell, "put_back", version=version, turn=turn, player=player, phase=phase),
        _effect(tell, "not_counted", first=version + 1, last=head),
        *(_effect(tell, "shuffled", pile=tell.pile(pile)) for pile in redeal),
    ]


def _effect(tell: Commentary, key: str, **values: object) -> str:
    return tell.messages.say("effect", key, **values)
