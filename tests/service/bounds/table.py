"""What may be asked of the service, and how much of it: one row for each thing that comes from outside.

The figures are the product's own constants, so the page cannot say anything else than what holds. With each row
stand the tests that go one step beyond it, some of them with small figures in place of large ones.
`python -m tests.service.bounds` writes docs/limits.md anew.
"""

from collections.abc import Iterable
from typing import Final

from events.disputes.facts import (
    KEPT_FOR_APPEALS,
    KEPT_FOR_ARBITERS,
    LARGEST_OF_PARTIES,
    LARGEST_OF_PARTY,
    MOST_CASES,
    MOST_CLAIMS,
    MOST_EVIDENCE,
    MOST_OF_PARTY,
    MOST_OPEN,
)
from events.rules.definition.forms import TEXT_LENGTH
from events.tournaments.limits import MOST_PLAYERS, MOST_ROUNDS, MOST_RULINGS, most_entries
from replay.annotations.book import LARGEST, MOST_ENTRIES, MOST_SETS
from replay.annotations.content import LONGEST_COMMENT
from replay.annotations.files import LARGEST_FILE
from replay.branches.branch import MOST_COMMANDS as MOST_BRANCHED
from replay.branches.saved.tokens import LONGEST_TOKEN
from service.access.game_tokens import MOST_OF_SEAT, MOST_REPLACED, MOST_SPECTATORS
from service.access.rate_limits import BYTES_OF_ONE
from service.annotations.store import CACHED_BYTES as CACHED_ANNOTATIONS
from service.annotations.store import (
    CREATORS_BYTES,
    CREATORS_SETS,
    KEPT_BYTES,
    KEPT_SETS,
    LARGEST_OF_ARBITER,
    LARGEST_OF_SPECTATORS,
    LARGEST_OWN,
    MOST_OF_ARBITER,
    MOST_OWN,
)
from service.archive.files import CACHED_BYTES
from service.disputes.disputes import KEPT_BYTES as CACHED_DISPUTES
from service.disputes.evidence import MOST_AT_ONCE
from service.disputes.kept_packs import LARGEST_OF_A_GAME, NEWEST_OF_A_CASE
from service.http.context import turns
from service.http.context.limits import WAITS
from service.http.context.services import KEPT_ANSWERS
from service.http.context.turns import LONG
from service.http.context.turns import MOST_WAITING as MOST_TURNS
from service.http.messages.reading import LARGEST_BODY
from service.http.push.feed_notifier import MOST_WAITING
from service.http.push.stream_limits import (
    LEAST_OF_ONE,
    MOST_CONNECTIONS,
    MOST_OF_ONE,
    MOST_STREAMS,
    PART_OF_ONE,
    STALLED_SECONDS,
)
from service.http.resources import exports, verifications
from service.http.resources.game import annotation_forms, branches, histories, records
from service.http.schemas.commands import MOST_COMMANDS
from service.http.schemas.disputes import LONGEST_TEXT
from service.http.schemas.queries import MOST_TABULATED
from service.jobs.dispatching import JOB_SECONDS, JOINED_SECONDS
from service.jobs.dispatching import MOST_WAITING as MOST_JOBS
from service.jobs.jobs import ARCHIVING_PART_SECONDS
from service.play import budgets
from service.play.snapshots import AT_ONCE as MOST_FOLDED
from service.play.snapshots import LONG_AT_ONCE
from service.players.store import MOST_MERGED, MOST_NAMED
from service.projections.game_list import MOST_CALLS, MOST_LISTED, MOST_LOOKED_AT
from service.server import incoming_body, outgoing_answers
from service.server.fair_queue import (
    MAX_LIVENESS_PROBES,
    MAX_PROBES,
    MAX_READS,
    MAX_READS_OF_ONE,
    MAX_WAITING_OF_ONE,
    MAX_WRITES_OF_ONE,
)
from service.server.incoming_body import MOST_ARRIVING
from service.server.web_connection import (
    BODY_SECONDS,
    HEAD_SECONDS,
    LONGEST_HEADER,
    LONGEST_LINE,
    MOST_HEADERS,
)
from service.server.web_process import THREADS
from service.server.wsgi_bridge import PART_OF_PIECES
from service.storage.kept_readings import AT_ONCE
from service.storage.life_marks import MOST_GAPS
from service.timekeeping.sweeper import MOST_AT_ONCE as MOST_GAMES
from service.tournaments.driving import MOST_STEPS
from service.tournaments.listing import LARGEST_SHOWN
from service.tournaments.running import MOST_AT_ONCE as MOST_AT_ONCE_DRIVEN
from service.verification import confined, drawing
from service.verification.store import MOST_REPORTS
from service.webhooks.store import MOST_WAITING as MOST_DELIVERIES
from service.webhooks.webhook import MOST_WEBHOOKS
from tests.service.bounds.bound import Bound
from tests.service.bounds.bound import write_bytes as _bytes
from tests.service.bounds.bound import write_seconds as _seconds
from tests.service.bounds.further_rows import FURTHER

_BUDGETS: Final = "service/play/test_budgets.py"
_LIMITED: Final = "service/http/context/test_limited_requests.py"
_OPERATING: Final = "service/server/test_operating.py"
_BAD_INPUT: Final = "service/http/messages/test_bad_input.py"
_NOTES: Final = "service/http/resources/test_annotations.py"
_VERIFYING: Final = "service/http/resources/test_verifications.py"
_REVIEWING: Final = "service/http/resources/test_reviewing.py"
_SHARES: Final = "service/server/test_shares_of_addresses.py"
_TURNS: Final = "service/http/context/test_turns.py"
_BRANCHES: Final = "service/http/resources/test_branches.py"
_BEYOND: Final = "service/bounds/test_one_step_beyond.py"
_LOST: Final = "process/test_requests_of_lost_connections.py"
_BURSTS: Final = "process/test_bursts_do_not_delay_players.py"
_WAITING: Final = "service/timekeeping/test_many_waiting.py"


REQUESTS: Final = (
    Bound(
        "a JSON body",
        _bytes(LARGEST_BODY),
        "413 `body_too_large`",
        f"{_BEYOND}::test_a_json_body_has_so_many_bytes",
    ),
    Bound(
        "an uploaded record; a file of annotations",
        f"{_bytes(verifications.LARGEST_RECORD)}; {_bytes(LARGEST_FILE)}",
        "413 `body_too_large`",
        f"{_VERIFYING}::test_an_upload_is_bounded",
    ),
    Bound(
        "first line; number of headers; one header",
        f"{LONGEST_LINE:,} bytes; {MOST_HEADERS}; {LONGEST_HEADER:,} bytes",
        "414 `address_too_long`; 431 `headers_too_large`",
        f"{_OPERATING}::test_what_is_no_request_gets_a_problem_document",
    ),
    Bound(
        "time for the headers, from their first byte; for the body",
        f"{_seconds(HEAD_SECONDS)}; {_seconds(BODY_SECONDS)}",
        "408 `request_too_slow`; 400 `body_cut_off`",
        f"{_OPERATING}::test_slow_senders_do_not_hold_the_service"
        " and service/server/test_bounded_connections.py::test_a_body_that_takes_too_long_is_cut_off",
    ),
    Bound(
        "time in which a client takes some more of an answer",
        _seconds(STALLED_SECONDS),
        "the connection is closed",
        "service/http/push/test_sending.py::test_a_client_that_takes_nothing_is_given_up",
    ),
    Bound(
        "bytes of all bodies of a process that are on their way, but for those up to 8 KiB",
        _bytes(MOST_ARRIVING),
        "they wait",
        "service/server/test_connections.py::test_bodies_have_so_much_room_together",
    ),
    Bound(
        "of these of one address, where none is a proxy's (`FIELDBOOK_TRUSTED_PROXIES`)",
        _bytes(incoming_body.MOST_OF_ONE),
        "they wait",
        f"{_SHARES}::test_an_upload_of_one_address_waits_while_others_of_it_have_its_share",
    ),
    Bound(
        "bytes of answers of a process that wait for their clients; of one address, where none is a proxy's",
        f"{_bytes(outgoing_answers.MOST_LEAVING)}; {_bytes(outgoing_answers.MOST_OF_ONE)}",
        "the connections that hold most are ended",
        f"{_SHARES}::test_answers_that_one_address_does_not_take_have_a_share_of_the_room",
    ),
    Bound(
        "connections of a process besides its streams; requests worked on at once",
        f"{MOST_CONNECTIONS:,}; {THREADS}",
        "they wait",
        "service/server/test_bounded_connections.py::test_one_connection_more_waits_until_another_ends"
        f" and {_OPERATING}::test_two_hundred_at_once_are_all_answered",
    ),
    Bound(
        "of these, reads; reads of one address; other requests of one address",
        f"{MAX_READS}; {MAX_READS_OF_ONE}; {MAX_WRITES_OF_ONE}",
        "they wait; addresses take turns",
        f"{_BURSTS}::test_commands_and_health_checks_do_not_wait_for_reads"
        f" and {_BURSTS}::test_addresses_take_turns"
        f" and {_BURSTS}::test_writes_and_health_checks_of_one_address_take_turns_too",
    ),
    Bound(
        "reads, or other requests, of one address that wait for their turn",
        f"{MAX_WAITING_OF_ONE:,}",
        "503 `too_many_waiting`",
        f"{_LOST}::test_a_full_queue_is_refused_with_retry_after",
    ),
    Bound(
        "readiness checks and scrapes worked on at once, by dedicated threads; of one address; liveness checks",
        f"{MAX_PROBES}; 1; {MAX_LIVENESS_PROBES}",
        "they wait; addresses take turns",
        f"{_BURSTS}::test_writes_and_health_checks_of_one_address_take_turns_too",
    ),
    Bound(
        "connections of one address, where none is a proxy's",
        "three in four",
        "further ones are closed",
        f"{_SHARES}::test_one_address_has_three_quarters_of_the_connections",
    ),
    Bound(
        "commands in one array",
        str(MOST_COMMANDS),
        "422 `schema_violation`",
        f"{_BAD_INPUT}::test_a_bad_body",
    ),
    Bound(
        "what counts for the quota `commands`: a request, each further command of an array, and a body for every",
        _bytes(BYTES_OF_ONE),
        "429 `quota_exceeded`",
        f"{_LIMITED}::test_each_command_of_an_array_counts_and_so_does_every_4_kib_of_a_body",
    ),
    Bound(
        "games in a page of the list",
        str(MOST_LISTED),
        "a page has no more; `next` leads on",
        f"{_BEYOND}::test_a_page_has_so_many_entries",
    ),
    Bound(
        "players with a name to show, and ids that were merged",
        f"{MOST_NAMED:,}; {MOST_MERGED:,}",
        "422 `too_many_players`; 409 `merge_leads_back`",
        "service/players/test_players.py::test_names_have_so_much_room",
    ),
    Bound(
        "games that are looked at for a page of the list, in each partition along each way that leads to some",
        f"{MOST_CALLS * MOST_LOOKED_AT:,}",
        "the page has fewer games, or none; `next` leads on",
        "service/projections/test_bounded_pages.py::test_a_page_ends_where_enough_games_were_looked_at",
    ),
)
FOLLOWING: Final = (
    Bound(
        "streams of a process; of one caller; of one game or one address",
        f"{MOST_STREAMS:,}; one in {PART_OF_ONE}, but {LEAST_OF_ONE} to {MOST_OF_ONE}; three in four",
        "503, 429 `too_many_streams`",
        "service/http/push/test_streams.py::test_more_streams_than_there_are_places_are_refused"
        f" and {_LIMITED}::test_one_caller_does_not_take_all_places_for_streams",
    ),
    Bound(
        "long polls of a process; of one caller; of one game; of one address",
        f"{MOST_WAITING}; {WAITS.caller}; {WAITS.game}; {WAITS.address}",
        "503, 429 `too_many_streams`",
        "service/http/push/test_streams.py::test_more_long_polls_than_there_are_places_are_refused"
        f" and {_LIMITED}::test_tokens_that_a_seat_gives_out_do_not_take_all_places",
    ),
    Bound(
        "what waits for a stream's client; how long it may take nothing",
        f"about 256 KiB; {_seconds(STALLED_SECONDS)}",
        "it goes on from the log when the client has read; the connection is closed",
        "service/http/push/test_shared_streams.py::test_who_does_not_read_falls_behind_alone_and_misses_nothing",
    ),
    Bound(
        "events missed that stand in 412 `stale_version`, `history_lost` and `history_forked`",
        str(LONG),
        "the answer has no more; `next` leads on",
        "service/play/test_repeated_commands.py::test_what_was_missed_is_told_in_a_short_page",
    ),
    Bound(
        "spectators' tokens of one game, revoked ones not counted; those that one seat has given",
        f"{MOST_SPECTATORS}; {MOST_OF_SEAT}",
        "422 `too_many_spectators`",
        "service/http/context/test_visibility.py::test_there_are_only_so_many_spectators_tokens"
        " and service/http/context/test_visibility.py::test_one_seat_gives_only_its_share_of_spectators_tokens",
    ),
    Bound(
        "how often the tokens of a game's seats are replaced",
        str(MOST_REPLACED),
        "422 `too_many_replacements`",
        "service/http/context/test_visibility.py::test_tokens_are_not_replaced_for_ever",
    ),
)
GAMES: Final = (
    Bound(
        "messages of one seat in one game; characters of one",
        f"{budgets.MOST_TALK:,}; {TEXT_LENGTH}",
        "422 `talk_budget_spent`",
        f"{_BUDGETS}::test_short_messages_are_counted",
    ),
    Bound(
        "offers, answers that trade nothing, and swaps of a hand, of one seat in one game",
        f"{budgets.MOST_TRADING:,}",
        "422 `trading_budget_spent`; accepting goes on",
        f"{_BUDGETS}::test_offers_and_what_is_made_of_them_are_counted",
    ),
    Bound(
        "bytes of all these entries of one seat",
        _bytes(budgets.LARGEST_TALK),
        "the same",
        f"{_BUDGETS}::test_what_the_service_accepts_every_verifier_reads",
    ),
    Bound(
        "questions of one seat, to take back or to end the game; take-backs; of these over cards turned up before",
        f"{budgets.MOST_QUESTIONS}; {budgets.MOST_TAKE_BACKS}; {budgets.MOST_REDEALT}",
        "422 `take_back_budget_spent`, `question_budget_spent`",
        f"{_BUDGETS}::test_cards_are_not_turned_up_again_and_again",
    ),
    Bound(
        "a log that takes more than what brings the game to its end",
        f"{budgets.ROOMY_ENTRIES:,} entries, {_bytes(budgets.ROOMY_BYTES)}, {budgets.ROOMY_HIDDEN:,} hidden values",
        "422 `log_full` for talk, offers, take-backs and rulings that go back",
        f"{_BUDGETS}::test_a_full_log_has_room_to_play_to_the_end",
    ),
    Bound(
        "a log",
        f"{budgets.MOST_ENTRIES:,} entries, {_bytes(budgets.MOST_BYTES)}, {budgets.MOST_HIDDEN:,} hidden values",
        "422 `log_full`",
        f"{_BUDGETS}::test_a_full_log_takes_what_ends_the_game_and_then_nothing",
    ),
)
BESIDE: Final = (
    Bound(
        "annotations: sets of a game; of one owner; entries of a set",
        f"{MOST_SETS}; {MOST_OWN}; {MOST_ENTRIES:,}",
        "422 `annotations_full`",
        f"{_BEYOND}::test_a_game_has_so_many_sets_of_annotations and {_NOTES}::test_annotations_are_bounded",
    ),
    Bound(
        "bytes of them: of a game; of one owner; of all spectators; kept for its creator and for arbiters",
        f"{LARGEST:,}; {LARGEST_OWN:,}; {LARGEST_OF_SPECTATORS:,}; {KEPT_BYTES:,} and {KEPT_SETS} sets",
        "422 `annotations_full`; drafts that were withdrawn make room",
        f"{_NOTES}::test_nobody_fills_the_room_of_a_game_for_everybody",
    ),
    Bound(
        "bytes and sets of them: of one arbiter; kept for the creator, also from arbiters",
        f"{LARGEST_OF_ARBITER:,} and {MOST_OF_ARBITER}; {CREATORS_BYTES:,} and {CREATORS_SETS}",
        "422 `annotations_full`",
        "service/annotations/test_kept_annotations.py::test_one_arbiter_leaves_room_to_others_and_to_the_creator",
    ),
    Bound(
        "characters of a comment",
        f"{LONGEST_COMMENT:,}",
        "422 `bad_annotation`",
        f"{_NOTES}::test_what_cannot_be_written_is_refused_and_leaves_no_trace",
    ),
    Bound(
        "disputes: open cases of one party in a game; all of its cases; cases of a game",
        f"{MOST_OPEN}; {MOST_OF_PARTY}; {MOST_CASES}",
        "409 `too_many_disputes`",
        "events/disputes/test_refusals.py::test_a_party_has_three_open_cases_at_most"
        " and events/disputes/test_shares.py::test_a_party_has_so_many_cases_and_leaves_the_others_theirs"
        " and events/disputes/test_shares.py::test_a_game_has_a_limited_number_of_cases",
    ),
    Bound(
        "pieces of evidence of one person in a case; characters of one",
        f"{MOST_EVIDENCE}; {LONGEST_TEXT:,}",
        "409 `too_much_evidence`",
        "events/disputes/test_shares.py::test_short_pieces_of_one_party_leave_the_others_theirs",
    ),
    Bound(
        "bytes of what one person says in the cases of a game, with appeals; of what all parties say, with arbiters",
        f"{LARGEST_OF_PARTY:,}, {LARGEST_OF_PARTY + KEPT_FOR_APPEALS:,};"
        f" {LARGEST_OF_PARTIES:,}, {LARGEST_OF_PARTIES + KEPT_FOR_ARBITERS:,}",
        "409 `too_much_evidence`; rulings always have room",
        "events/disputes/test_shares.py::test_all_parties_leave_room_for_arbiters",
    ),
    Bound(
        "claims of a case by one arbiter",
        str(MOST_CLAIMS),
        "409 `too_many_claims`",
        "events/disputes/test_shares.py::test_an_arbiter_claims_a_case_so_often_and_leaves_it_to_others",
    ),
    Bound(
        "evidence packs of a game in one job; jobs of a game",
        f"{MOST_AT_ONCE}; one in {_seconds(JOINED_SECONDS)}",
        "what is said meanwhile is in the next one",
        "service/disputes/test_evidence_packs.py::test_what_is_said_soon_after_one_another_is_in_one_pack",
    ),
    Bound(
        "evidence packs that are kept of a case; bytes of those of a game",
        f"{NEWEST_OF_A_CASE} and those that a ruling was given on; {_bytes(LARGEST_OF_A_GAME)}",
        "the oldest go, but for those that a ruling was given on and the newest of an open case",
        "service/disputes/test_kept_packs.py::test_packs_do_not_pile_up_and_that_of_a_ruling_stays",
    ),
    Bound(
        "webhooks of a key; deliveries that wait for one",
        f"{MOST_WEBHOOKS}; {MOST_DELIVERIES:,}",
        "409 `too_many_webhooks`; it is disabled (`too_far_behind`)",
        "service/webhooks/test_registering.py::test_a_key_has_its_own_webhooks_and_a_bounded_number"
        " and service/webhooks/test_delivering.py::test_what_waits_is_bounded",
    ),
    Bound(
        "reports of a game that are kept",
        str(MOST_REPORTS),
        "the oldest goes",
        f"{_BEYOND}::test_so_many_reports_of_a_game_are_kept",
    ),
    Bound(
        "gaps in the watch over time that are kept of a partition",
        str(MOST_GAPS),
        "the two oldest become one, with the time between them",
        "service/timekeeping/test_sweeper.py::test_of_many_gaps_none_is_forgotten",
    ),
)
WORK: Final = (
    Bound(
        "verifications of uploads in a process; of one caller or one address",
        f"{verifications.AT_ONCE}; {verifications.OF_ONE}",
        "503 `too_many_verifications`",
        f"{_VERIFYING}::test_who_sends_slowly_holds_no_place",
    ),
    Bound(
        "time and memory of one; it gives way to everything else",
        f"{_seconds(verifications.SECONDS)}; {_bytes(confined.MEMORY)}",
        "422 `verification_too_long`",
        f"{_VERIFYING}::test_an_upload_is_bounded"
        " and service/verification/test_confined.py::test_a_record_that_needs_more_memory_harms_nobody"
        " and service/verification/test_confined.py::test_the_child_gives_way_to_everything_else",
    ),
    Bound(
        "bytes of the tables of an upload (`text`), drawn within the same time and memory",
        _bytes(drawing.LARGEST),
        "422 `verification_too_long`",
        f"{_VERIFYING}::test_the_tables_of_an_upload_are_bounded",
    ),
    Bound(
        "branches being played in a process; of one caller or one address",
        f"{branches.AT_ONCE}; {branches.OF_ONE}",
        "503 `too_many_branches`",
        f"{_BEYOND}::test_so_many_branches_are_played_at_once"
        f" and {_BRANCHES}::test_one_caller_does_not_take_all_places_for_branches",
    ),
    Bound(
        "entries of a game that is branched; time of playing one; its commands; its token",
        f"{branches.MOST_ENTRIES:,}; {_seconds(branches.SECONDS)}; {MOST_BRANCHED:,}; {LONGEST_TOKEN:,} characters",
        "422 `game_too_long`, `branch_too_long`, `branch_too_large`",
        f"{_BRANCHES}::test_a_long_game_is_branched_elsewhere",
    ),
    Bound(
        "branches that are drawn (`text`): as branches; after each of their events",
        f"they rest {branches.GIVES_WAY:g} times as long as they have worked",
        "commands of others come in between",
        f"{_REVIEWING}::test_drawing_a_branch_gives_way_after_each_event",
    ),
    Bound(
        "long pages and pieces of records made at once in a process; those that wait; entries of a short page",
        f"1; {MOST_TURNS}; {LONG}",
        "503 `too_many_pages`",
        f"{_TURNS}::test_so_many_wait_for_their_turn_and_no_more",
    ),
    Bound(
        "annotations drawn for a page (`text`): as long pages; characters of their comments, but for a single one",
        f"{annotation_forms.MOST_DRAWN:,}",
        "503 `too_many_pages`; the page has fewer, `next` leads on",
        f"{_REVIEWING}::test_a_page_of_drawn_notes_ends_where_their_comments_are_long",
    ),
    Bound(
        "of those that wait, of one caller or one address",
        str(turns.OF_ONE),
        "503 `too_many_pages`",
        f"{_TURNS}::test_one_caller_and_one_address_have_a_share_of_the_turns",
    ),
    Bound(
        f"earlier tables for which more than {MOST_FOLDED:,} entries are folded, at once in a process",
        str(LONG_AT_ONCE),
        "they wait",
        "service/play/test_snapshots.py::test_so_many_long_folds_are_under_way_at_once",
    ),
    Bound(
        "downloads of records in a process; of one caller or one address",
        f"{records.AT_ONCE}; {records.OF_ONE}",
        "503 `too_many_pages`",
        f"{_TURNS}::test_one_caller_does_not_take_all_places_for_downloads",
    ),
    Bound(
        "histories being made in a process; of one caller or one address; time after which one gives way to others",
        f"{histories.AT_ONCE}; {histories.OF_ONE}; {_seconds(turns.LONGEST_TURN_SECONDS)}",
        "503 `too_many_pages`; it goes on when the next one has had its turn",
        f"{_TURNS}::test_one_caller_does_not_take_all_places_for_histories"
        f" and {_TURNS}::test_work_in_pieces_gives_way_between_them",
    ),
    Bound(
        "packed bytes of finished games' histories that a process keeps",
        _bytes(histories.KEPT_BYTES),
        "what was asked for longest ago is made again",
        f"{_TURNS}::test_a_finished_game_s_history_is_made_once"
        " and service/http/messages/test_kept_answers.py::test_what_was_asked_for_longest_ago_goes",
    ),
    Bound(
        "what somebody could know for certain at a version (`knowledge=true` of a scene)",
        "as histories",
        "503 `too_many_pages`",
        f"{_TURNS}::test_what_a_seat_could_know_takes_a_place_among_histories",
    ),
    Bound(
        "threads that make the next piece of an answer in parts",
        f"{THREADS // PART_OF_PIECES} of {THREADS}",
        "the answer goes on when one is free",
        f"{_SHARES}::test_answers_in_parts_leave_threads_to_others",
    ),
    Bound(
        "archived logs being read at once in a process; bytes of them, and of what is beside games, in its memory",
        f"{AT_ONCE}; {_bytes(CACHED_BYTES)}, {CACHED_ANNOTATIONS:,} of annotations, {CACHED_DISPUTES:,} of disputes",
        "they wait; what was used longest ago is read again",
        "service/archive/test_kept_readings.py::test_many_who_ask_for_one_entry_read_the_file_once",
    ),
    Bound(
        "exports, with tables of the dataset, in a process; of one caller or one address",
        f"{exports.AT_ONCE}; {exports.OF_ONE}",
        "503 `too_many_exports`",
        "service/http/resources/test_exports.py::test_one_caller_has_one_export_under_way",
    ),
    Bound(
        "games whose rows one call for a table of the dataset makes",
        f"{MOST_TABULATED:,}",
        "422 `schema_violation`; `after` leads on",
        "service/http/resources/test_dataset.py::test_a_call_reads_so_many_games_and_goes_on_behind_them",
    ),
    Bound(
        "players of a tournament; its rounds; rulings about one of its tables",
        f"{MOST_PLAYERS}; {MOST_ROUNDS}; {MOST_RULINGS}",
        "422 `tournament_refused`",
        "events/tournaments/test_refusals.py::test_a_field_has_a_largest_size"
        " and events/tournaments/test_refusals.py::test_nobody_could_play_or_check_such_a_tournament",
    ),
    Bound(
        "entries of a tournament's log; bytes of what `GET` of one answers: all that the limits above allow",
        f"{most_entries(MOST_PLAYERS, MOST_ROUNDS):,}; {LARGEST_SHOWN:,}",
        "422 `tournament_refused`, as above",
        "service/tournaments/test_largest.py::test_a_log_has_no_more_entries_than_the_limits_allow"
        " and service/tournaments/test_largest.py::test_the_largest_tournament_is_no_larger_than_is_said",
    ),
    Bound(
        "bytes of such answers that a process keeps",
        f"{KEPT_ANSWERS:,}",
        "the least recently used is made again; requests for one that is being made wait for it",
        "service/http/resources/test_tournaments.py::test_one_answer_is_made_however_many_ask",
    ),
    Bound(
        "steps of one tournament, and tournaments of a partition, that are taken at once",
        f"{MOST_STEPS}; {MOST_AT_ONCE_DRIVEN}",
        "the next ones follow at once",
        "service/tournaments/test_driving.py::test_a_large_round_is_set_up_a_part_at_a_time",
    ),
    Bound(
        "jobs that a sweep leaves in a queue; time of one; of one that archives",
        f"{MOST_JOBS:,}; {_seconds(JOB_SECONDS)}; {_seconds(ARCHIVING_PART_SECONDS)}",
        "the next sweep tops it up; it is tried again; another job goes on",
        "service/jobs/test_order_of_jobs.py::test_so_many_jobs_beside_games_wait_and_no_more"
        f" and {_BEYOND}::test_a_job_has_so_much_time",
    ),
    Bound(
        "games of a partition in which a sweep looks whether time is over; games to which it gives time back",
        f"{MOST_GAMES}; {MOST_GAMES}",
        "the next sweep within a second; another one at once",
        f"{_WAITING}::test_of_what_is_due_at_once_a_part_is_done_and_nobody_else_is_held_up"
        f" and {_WAITING}::test_after_an_outage_everybody_has_the_time_back_before_any_is_over",
    ),
)
CHAPTERS: Final = {
    "Requests": REQUESTS,
    "Following a game": FOLLOWING,
    "A game and its log": GAMES,
    "Beside a game": BESIDE,
    "Work that a request causes": WORK,
    **FURTHER,
}
ROWS: Final = tuple(row for rows in CHAPTERS.values() for row in rows)
_HEAD: Final = """# Limits

What one client may use of everything, and what it is told beyond that. `python -m tests.service.bounds` makes this
page of the service's own constants, and its source names with each row the tests that try it.
How many requests a caller has in a minute stands in [operating.md](operating.md#limits); what a code means in
[problems.md](problems.md).

A caller is a seat or a key by its token, and everybody else an address (of IPv6 its first 64 bits). Figures of a
process hold for each process of the HTTP interface (`WEB_PROCESSES`), and for the one of what takes long by itself.
"""
_MEMORY: Final = """
## Memory

The embedded store takes half of the machine's memory (`FIELDBOOK_STORE_MEMORY`). When it is nearly full no key sets
games up any more, and what is left is for games that have begun. Beyond it the store refuses to write, with 503
`store_refused`, and everything can still be read.

A game that is archived gives most of its room back, and not all of it. What stays in the store for ever:

- of its log: an entry in its partition's feed for each request that appended something, the tombstone with what was
  answered to each command, its private fields, with the hashes of its tokens, its reports, its rows in the list
- its annotations, its cases and their evidence packs
- its entries in the transparency log, and what witnesses have co-signed of that

Of 20 games of four that were played over HTTP, a request for each command, with 15,293 events and without annotations
and cases (`python -m tests.benchmarks.studies.stored --games 20`):

| bytes an event | of a game in the store | of one in the archive |
|---|---|---|
| memory of the store | 495 | 127 |
| its append-only file, once it is written anew | 371 | 107 |
| a backup | 186 | 85 |
| the archive | | 132 |

Of the 127 there are some 72 for the feed and 50 for the tombstone; the rest is 4,500 bytes a game.
`tests/service/archive/test_what_stays.py` holds that it is less than a third. So a store fills in the end, however
much is archived: 10,000 such games, of 770 events each, leave a gigabyte. Keys and the trail of operators' acts stay
too. The append-only file has 869 bytes an event as it is appended to; the server writes it anew when it has doubled,
which takes room for the new one beside it.
"""


def document() -> str:
    """The page."""
    return _HEAD + "".join(_chapter(title, rows) for title, rows in CHAPTERS.items()) + _MEMORY


def _chapter(title: str, rows: Iterable[Bound]) -> str:
    lines = [f"| {each.what} | {each.most} | {each.beyond} |" for each in rows]
    return "\n".join(["", f"## {title}", "", "| what | at most | beyond |", "|---|---|---|", *lines, ""])
