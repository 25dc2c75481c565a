"""The shapes of what is answered about games, records and the log, and where a request cannot be met."""

from typing import Final

from replay.records.report import ClockReport, Report
from service.disputes.disputes import RuledResult
from service.http.schemas.shapes import (
    AT,
    INTEGER,
    OBJECT,
    PAGE,
    RULED,
    TEXT,
    Schema,
    describe_answer,
    describe_object,
    list_of,
    members_of,
    one_of,
    or_null,
    refer,
)
from service.http.schemas.table_views import (
    LEGAL_COMMAND,
    OF_CLOCKED_GAMES,
    OF_ROUNDS,
    OF_SOME_SYSTEMS,
    TABLE,
)
from service.projections.listed_games import Summary
from service.verification.receipts import PublishedReceipt
from service.verification.signing_keys import PublishedKey

_PROBLEM: Final = {"type": str, "title": str, "status": int, "code": str, "detail": str}

_ROWS: Final[Schema] = list_of(list_of(TEXT))
_DRAWN: Final = {
    "viewer": str,
    "language": str,
    "system": str,
    "status": TABLE["status"],
    "cards": {**_ROWS, "description": "Of each card its name, its short name, and the name of its colour."},
}
"""What is drawn: through whose eyes, in which language, and what its numbers of cards mean."""
_ALWAYS: Final = ("ok", "scope", "game", "findings")
"""What reports had from the beginning."""
ANSWERS: Final[dict[str, Schema]] = {
    # An error (RFC 9457): `type` and `code` are stable, `detail` is for people.
    "ProblemAnswer": describe_answer({"request_id": str}, **_PROBLEM),
    # A command that the rules refuse, or that follows one which may turn up hidden cards.
    "RefusalAnswer": describe_answer(
        {"request_id": str},
        **_PROBLEM,
        section=str,
        place=int,
        version=int,
        legal_commands=list_of(LEGAL_COMMAND),
    ),
    # A log entry as the caller may see it: hidden values are commitments, `salts` open those that are shown.
    # `text` says it in a sentence, where the request names a language; its wording may change with a release.
    "EventAnswer": describe_answer(
        {"text": str},
        entry=refer("LogEntry"),
        salts={"type": "object", "additionalProperties": {"type": "string"}},
        hash=str,
    ),
    # A page of events; `version` is the game's, `next` where to go on, `cursor` the same in this very history.
    # `clock`: whose time runs after the last of them, where that is the game's newest.
    "EventsAnswer": describe_answer(
        OF_CLOCKED_GAMES, **AT, events=list_of(refer("EventAnswer")), next=int, cursor=str
    ),
    # What commands brought about: how many count, why the next one does not, and what a dry run keeps to itself.
    "CommandAnswer": describe_answer(
        OF_CLOCKED_GAMES,
        **AT,
        dry_run=bool,
        withheld=bool,
        applied=int,
        stopped=or_null(refer("RefusalAnswer")),
        events=list_of(refer("EventAnswer")),
    ),
    # What was recorded in the name of a game's clock: how much at once, and the events as the caller sees them.
    "ExpiriesAnswer": describe_answer(**AT, recorded=int, events=list_of(refer("EventAnswer"))),
    # What the caller may send now: commands ready to send, or forms to fill in.
    "LegalCommandsAnswer": describe_answer(
        OF_CLOCKED_GAMES,
        **AT,
        status=one_of("open", "running", "ended", "finished"),
        seat=int,
        waiting_for=list[int],
        commands=list_of(LEGAL_COMMAND),
    ),
    # A catalogue in short: its name, where its figures come from, and the hash by which games pin it.
    "CatalogueSummary": describe_answer(catalogue=str, title=str, source=str, provenance=list[str], hash=str),
    # The catalogue that a game is played with, and the names of its cards in several languages.
    "GameCatalogueAnswer": describe_answer(game=str, hash=str, catalogue=OBJECT, names=OBJECT),
    # The table as the caller may see it.
    "StateAnswer": describe_answer(
        # The game after which it is played again, and the one that is played again after it.
        {**OF_SOME_SYSTEMS, **OF_CLOCKED_GAMES, **OF_ROUNDS, "previous": str, "next": str},
        **AT,
        visibility=str,
        spectator_delay=int,
        system=str,
        played_with=refer("CatalogueSummary"),
        # How often all agreed to go back, and how often of these a pile was dealt anew, since cards had been seen.
        take_backs=int,
        redealt=int,
        **TABLE,
    ),
    # The table as parts ready to be drawn. In `scene` a card is its place in `cards`; of a game and a language
    # that list is the same in every answer. `commands`: what the seat may send, where it looks at the newest version.
    # `knowledge`: what the viewer could know, as `fieldbook replay show --knows` has it.
    "SceneAnswer": describe_answer(
        {
            "commands": list_of(describe_object("A choice.", {"text": TEXT, "command": LEGAL_COMMAND})),
            "knowledge": OBJECT,
        },
        **AT,
        **_DRAWN,
        phase=str | None,
        card_keys=list[str],
        scene=OBJECT,
        table=refer("StateAnswer"),
    ),
    # All tables of a game in layers of parts, and a sentence for each event, as an exported page holds them; the
    # `statistics` of one that has finished, as `fieldbook replay stats` has them; of one that goes on the steps
    # between the versions at which something only lapsed.
    "HistoryAnswer": describe_answer(
        {"statistics": OBJECT, "lapses": list[int]},
        **AT,
        **_DRAWN,
        format=int,
        labels=OBJECT,
        summary=str,
        broken=str,
        facts=_ROWS,
        perspectives=list_of(
            describe_object("Whose view there is, and the seat; -1 for none.", {"key": TEXT, "seat": INTEGER})
        ),
        last=int,
        starts=OBJECT,
        at=list[int],
        actors=list[str],
        actor=list[int],
        texts=list[str],
        layers=OBJECT,
        notes=list_of(OBJECT),
    ),
    # A seat of a game with its token, which is shown only to who asked for it.
    "SeatAnswer": describe_answer({"name": str | None, "kind": str | None, "token": str}, seat=int),
    # A game that was set up, with the tokens of all seats but the bots'; its times, where it has any.
    "NewGameAnswer": describe_answer(
        {"clock": refer("ClockSettings"), "close_after": int},
        **AT,
        visibility=str,
        spectator_delay=int,
        patience=refer("Patience"),
        commitment=str,
        seats=list_of(refer("SeatAnswer")),
    ),
    # The table at which a game is played again, and the seat there of who asked, with its token.
    "RematchAnswer": describe_answer(
        game=str, previous=str, status=str, seat=int | None, token=str | None, waiting_for=list[int]
    ),
    # The seat that was taken.
    "TakenSeatAnswer": describe_answer(**AT, seat=int, token=str),
    # The result that a ruling gave a finished game instead of the one in its log; `scores` where it names them.
    "RuledAnswer": describe_answer(
        **members_of(RuledResult) | {"kind": one_of("annulled", "awarded", "replaced")}
    ),
    # A game in the list. One in quarantine cannot be read up to its end; what was known up to there is shown.
    "GameSummary": describe_answer(
        {"player_ids": list[str | None]},
        **members_of(Summary, "scores", "winners", "creator", "opened", "touched", "player_ids", "previous"),
        ruled=RULED,
    ),
    # A page of games, newest first.
    "GamesAnswer": describe_answer(games=list_of(refer("GameSummary")), **PAGE),
    # A rule system.
    "SystemAnswer": describe_answer(
        system=str,
        title=str,
        version=int,
        players=list[int],
        options=OBJECT,
        catalogue=OBJECT,
        names=OBJECT,
        catalogues=list_of(refer("CatalogueSummary")),
    ),
    # All rule systems, the clocks that a new game can name, and whether games are set up without a key.
    "SystemsAnswer": describe_answer(
        systems=list_of(refer("SystemAnswer")),
        clocks={"type": "object", "additionalProperties": refer("ClockSettings")},
        guests=bool,
    ),
    # A signed receipt: how one version of the rules answers to a game, asked by one version of the engine.
    "ReceiptAnswer": describe_answer(
        **members_of(PublishedReceipt) | {"result": one_of("agrees", "differs", "invalid")}
    ),
    # What came about by a game's clock: moves made for seats, how many were computed again, and time given back (ms).
    "ClockReport": describe_answer(**members_of(ClockReport) | {"settings": refer("ClockSettings")}),
    # What a verifier found in a record, `clock` in that of a game with one; `version` and `at` say when the validator
    # looked.
    "ReportAnswer": describe_answer(
        {**members_of(Report, *_ALWAYS), "clock": refer("ClockReport"), "version": int, "at": int},
        **{name: hint for name, hint in members_of(Report).items() if name in _ALWAYS},
    ),
    # The validator's reports on a game and the receipts of its audits, newest first.
    "ValidationsAnswer": describe_answer(
        game=str,
        validation=str,
        reports=list_of(refer("ReportAnswer")),
        receipts=list_of(refer("ReceiptAnswer")),
    ),
    # A game reserved: its commitment, signed, and until when it can be set up (milliseconds since the epoch).
    "ReservationAnswer": describe_answer(
        game=str, commitment=str, at=int, expires=int, reservation=str, note=str
    ),
    # A ticket for one stream of a game, and until when it is good (milliseconds since the epoch).
    "TicketAnswer": describe_answer(game=str, ticket=str, expires=int),
    # A public key, `<name>+<id>+<base 64>`, and from when until when it was in use; endorsed by the one before it.
    "SigningKeyAnswer": describe_answer(**members_of(PublishedKey)),
    # The keys of the service, the one in use last.
    "SigningKeysAnswer": describe_answer(name=str, keys=list_of(refer("SigningKeyAnswer"))),
    # The log as it stands: its name, its size and its signed checkpoint.
    "LogAnswer": describe_answer(origin=str, size=int, checkpoint=str),
    # Leaves of the log in order; `next` where to go on.
    "LogEntriesAnswer": describe_answer(**{"from": int}, entries=list[str], next=int),
    # What verifying a record found, with `audit` what the rules say of every command, with `text` its tables.
    "VerificationAnswer": describe_answer(
        {"history": or_null(OBJECT)}, ok=bool, signed_here=bool, verification=refer("ReportAnswer")
    ),
}
