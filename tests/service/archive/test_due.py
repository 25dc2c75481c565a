"""What is due: the feeds tell, not the list of games; what stays though it is old enough is said."""

from service.archive.due import INVALID, NOT_VALIDATED, review_games
from service.projections.generations import generation_name
from service.projections.store import Generations
from service.verification.store import Validations
from tests.support.archiving import NOW, Installation


def looked(installation: Installation) -> dict[str, str]:
    """Every game that is old enough, with why it stays."""
    return {each.game: each.stays for each in review_games(installation.store, NOW, 0)}


def test_nothing_due_is_missed_because_the_list_is_behind(in_folder: Installation) -> None:
    """A projector that was down since, or a list that is being built anew, hides no game."""
    game = in_folder.finished()
    partition = in_folder.store.partition_of(game.id)
    generations = Generations(in_folder.store)
    generations.remove(partition, generation_name(generations.in_use(partition)))
    assert in_folder.api.get("/v1/games")["games"] == []

    assert in_folder.due(NOW, 0) == [game.id]
    in_folder.archiving.archive(game.id, NOW)
    assert list(in_folder.archiving.archived()) == [game.id]


def test_a_game_that_stays_is_named_with_the_reason(in_folder: Installation) -> None:
    """Invalid, not validated, its log damaged or gone: each is said, and the game beside them is due."""
    due, invalid, stale = (in_folder.finished(seed) for seed in (1, 2, 3))
    pending, damaged, gone = (in_folder.api.stored(seed) for seed in (4, 5, 6))
    in_folder.api.stored(7, stop_at=60)
    validations = Validations(in_folder.store)
    validations.add(invalid.id, {**validations.reports(invalid.id)[0], "ok": False})
    validations.add(stale.id, {**validations.reports(stale.id)[0], "head": "0" * 64})
    for game, parts in ((damaged, ["log"]), (gone, ["log", "head", "commands", "private"])):
        tag = f"{{p{in_folder.store.partition_of(game.id):02}}}:game:{game.id}"
        in_folder.store.connection.command("DEL", *(f"{tag}:{part}" for part in parts))

    found = looked(in_folder)

    assert {found[each.id] for each in (due, invalid, stale, pending)} == {"", INVALID, NOT_VALIDATED}
    assert (found[invalid.id], found[stale.id]) == (INVALID, NOT_VALIDATED)
    assert "its stream ends" in found[damaged.id]
    assert "its log is gone" in found[gone.id]
    assert len(found) == 6


def test_a_poisoned_game_does_not_stop_the_next_one(in_folder: Installation) -> None:
    """A game whose secret is lost cannot be archived; it is said, nothing of it is touched, the others go."""
    game, other = in_folder.finished(1), in_folder.finished(2)
    tag = f"{{p{in_folder.store.partition_of(game.id):02}}}:game:{game.id}"
    in_folder.store.connection.command("HDEL", f"{tag}:private", "secret")

    outcomes = {each.game: each for each in in_folder.run()}

    assert (outcomes[game.id].what, outcomes[other.id].what) == ("failed", "archived")
    assert "lost the game's secret" in outcomes[game.id].detail
    assert in_folder.store.read(game.id) == game.recorded.log
