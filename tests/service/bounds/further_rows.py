"""What callers name and are given, what leaves the service, and what is read from files: more rows of the table."""

from typing import Final

from events.game.limits import MOST_ENTRIES
from events.game.record import LONGEST_LINE, MOST_ANNOTATED, MOST_ATTACHED
from events.rules.catalogues.catalogue import LARGEST_FILE
from events.rules.definition.names import LONGEST_NAME
from replay.client.sources import LARGEST as LARGEST_RECORD
from service.access import tickets
from service.access.audit_log import LOOKING_SECONDS
from service.access.game_access import LONGEST_DELAY
from service.access.guests import MOST_OF_ADDRESS, MOST_OF_CUSTOMER, MOST_OF_SITE, PART_OF_ONE
from service.access.keys import LONGEST_NAME as LONGEST_KEY_NAME
from service.access.rate_limits import QUOTAS, SPECTATORS_TOGETHER, TOGETHER
from service.bot_seats.bot_memories import GAMES as REMEMBERED
from service.bot_seats.bot_players import COMMANDS_AT_ONCE
from service.catalogues.files import MOST_FILES
from service.disputes.queue import MOST_LISTED as MOST_CASES_LISTED
from service.disputes.queue import MOST_LOOKED_AT as MOST_CASES_LOOKED_AT
from service.http.context.counting import LONGEST_TOKEN
from service.http.context.identity import LONGEST_KEY
from service.http.schemas.keys import MOST_LISTED as MOST_KEYS_LISTED
from service.http.schemas.new_games import LONGEST_SEED, LONGEST_VALUE, MOST_OPTIONS
from service.http.schemas.queries import MOST_EVENTS
from service.platform.configuration import GUEST_GAMES, UNFINISHED_GAMES, UNTOUCHED_AFTER
from service.platform.setting_kinds import MOST_WITNESSES
from service.play import reservations
from service.startup.request_log import EARLIER_FILES, FILE_BYTES
from service.storage.server import NEARLY_FULL
from service.verification.witness_client import MOST_READ as MOST_READ_OF_WITNESSES
from service.verification.witness_client import SECONDS as WITNESS_SECONDS
from service.webhooks.delivery.posting import MOST_READ
from service.webhooks.delivery.posting import SECONDS as POSTING_SECONDS
from service.webhooks.webhook import LONGEST_URL
from tests.service.bounds.bound import Bound, write_bytes, write_seconds

_LIMITED: Final = "service/http/context/test_limited_requests.py"
_BEYOND: Final = "service/bounds/test_one_step_beyond.py"
_MANY_GAMES: Final = "service/http/resources/test_too_many_games.py"
_GUESTS: Final = "service/http/resources/test_guests.py"
_NETWORKS: Final = "process/test_guests_of_one_network.py"
_HOSTILE: Final = "replay/verification/test_hostile_records.py"
_DELIVERING: Final = "service/webhooks/test_delivering.py"
_WITNESSING: Final = "service/verification/test_witnessing.py"

CALLERS: Final = (
    Bound(
        "what all spectators' tokens of a game ask for together, of any quota",
        f"{SPECTATORS_TOGETHER} times that of a seat",
        "429 `quota_exceeded`",
        f"{_LIMITED}::test_spectators_of_a_game_are_bounded_together",
    ),
    Bound(
        "games of one integrator's key that are open or running; how long after its last event one counts",
        f"{int(UNFINISHED_GAMES.default):,} (`{UNFINISHED_GAMES.name}`); {UNTOUCHED_AFTER.default}"
        f" (`{UNTOUCHED_AFTER.name}`)",
        "409 `too_many_games`",
        f"{_MANY_GAMES}::test_a_key_has_so_many_unfinished_games"
        f" and {_MANY_GAMES}::test_a_game_that_nobody_touches_makes_room_until_somebody_does",
    ),
    Bound(
        "games set up without a key: that are open or running, of one address; of all; set up by one address",
        f"{MOST_OF_ADDRESS}; {int(GUEST_GAMES.default):,} (`{GUEST_GAMES.name}`);"
        f" {QUOTAS['guests']['address'].most} in {write_seconds(QUOTAS['guests']['address'].seconds)}",
        "409 `too_many_games`; 429 `quota_exceeded`",
        f"{_GUESTS}::test_guests_of_one_address_have_so_many_unfinished_games"
        f" and {_GUESTS}::test_all_guests_together_have_so_many_unfinished_games"
        f" and {_GUESTS}::test_an_address_sets_up_so_many_games_in_an_hour",
    ),
    Bound(
        "of games set up without a key that are open or running: of a /56 of IPv6; of a /48 of IPv6 or a /24 of IPv4;"
        " of any address or network",
        f"{MOST_OF_CUSTOMER}; {MOST_OF_SITE}; one in {PART_OF_ONE} of all",
        "409 `too_many_games`",
        f"{_NETWORKS}::test_guests_of_one_network_leave_room_for_others",
    ),
    Bound(
        "games set up without a key in an hour: by a /56 of IPv6; by a /48 of IPv6 or a /24 of IPv4",
        f"{TOGETHER['customer'][1]}; {TOGETHER['site'][1]} times those of an address",
        "429 `quota_exceeded`",
        f"{_NETWORKS}::test_guests_of_one_network_share_an_hourly_quota",
    ),
    Bound(
        "part of the store's memory that is filled while games are set up",
        f"{NEARLY_FULL:.0%}",
        "503 `store_nearly_full`; games that have begun go on",
        f"{_MANY_GAMES}::test_a_store_that_is_nearly_full_keeps_its_room_for_games_that_have_begun",
    ),
    Bound(
        "reservations: how long one is good; what is stored of it",
        f"{write_seconds(reservations.SECONDS)}; nothing",
        "422 `bad_reservation`",
        "service/http/resources/test_creating_games.py::test_a_reservation_is_good_for_an_hour",
    ),
    Bound(
        "tickets: how long one is good, for one stream; how many a caller has at once",
        f"{write_seconds(tickets.SECONDS)}; as many as the quota `commands` allows in that time",
        "401 `bad_ticket`; 429 `quota_exceeded`",
        "service/http/follow/test_following.py::test_a_ticket_lapses_and_is_not_stored_as_it_is",
    ),
    Bound(
        "keys that one operator makes and revokes in a minute; all are kept for ever",
        str(QUOTAS["keys"]["key"].most),
        "429 `quota_exceeded`",
        "service/access/test_rate_limits.py::test_one_process_allows_exactly_the_quota",
    ),
    Bound(
        "acts of a key that looks at hidden cards of one game through the same eyes; the trail is kept for ever",
        f"one in {write_seconds(LOOKING_SECONDS)}",
        "the cards are shown, and no further act is written down",
        "service/access/test_keys.py::test_an_act_is_one_however_often_it_is_asked_for",
    ),
    Bound(
        "characters of an `Idempotency-Key`; of a token",
        f"{LONGEST_KEY}; {LONGEST_TOKEN}",
        "400 `bad_idempotency_key`; 401 `bad_token`",
        f"{_BEYOND}::test_keys_of_requests_and_tokens_are_bounded",
    ),
    Bound(
        "characters of the name of a player or a program; of a key or a spectator",
        f"{LONGEST_NAME}; {LONGEST_KEY_NAME}",
        "422 `schema_violation`",
        f"{_BEYOND}::test_what_a_new_game_is_given_is_bounded"
        f" and {_BEYOND}::test_names_of_keys_and_spectators_are_bounded",
    ),
    Bound(
        "characters of a seat's seed; options of a game; characters of a value; versions that spectators are behind",
        f"{LONGEST_SEED}; {MOST_OPTIONS}; {LONGEST_VALUE}; {LONGEST_DELAY:,}",
        "422 `schema_violation`",
        f"{_BEYOND}::test_what_a_new_game_is_given_is_bounded",
    ),
    Bound(
        "a page: of events, and of the transparency log; of the queue of cases; of keys and acts",
        f"{MOST_EVENTS:,}; {MOST_CASES_LISTED}; {MOST_KEYS_LISTED}",
        "a page has no more; `next` leads on",
        f"{_BEYOND}::test_a_page_has_so_many_entries",
    ),
    Bound(
        "cases that are looked at for a page of the queue",
        f"{MOST_CASES_LOOKED_AT:,}",
        "the page has fewer cases, or none; `next` leads on",
        "service/disputes/test_bounded_queue.py::test_a_page_of_the_queue_looks_at_so_many_cases",
    ),
)
ELSEWHERE: Final = (
    Bound(
        "characters of a webhook's address; time of a request to it; bytes of its answer that are read",
        f"{LONGEST_URL}; {write_seconds(POSTING_SECONDS)}; {write_bytes(MOST_READ)}",
        "422 `schema_violation`; it is tried again; the rest is not read",
        f"{_BEYOND}::test_a_webhooks_address_has_so_many_characters"
        f" and {_DELIVERING}::test_nobody_waits_for_an_endpoint_that_hangs"
        f" and {_DELIVERING}::test_a_huge_answer_is_not_read",
    ),
    Bound(
        "witnesses; time of a request to one; bytes of its answer that are read",
        f"{MOST_WITNESSES}; {write_seconds(WITNESS_SECONDS)}; {write_bytes(MOST_READ_OF_WITNESSES)}",
        "no process starts; it is asked again; the rest is not read",
        f"{_WITNESSING}::test_a_setting_that_cannot_be_understood_is_refused"
        f" and {_WITNESSING}::test_a_witness_that_is_away_holds_up_nobody"
        f" and {_WITNESSING}::test_what_is_no_cosignature_is_not_kept",
    ),
    Bound(
        "commands of the bots of a game in one turn; games whose bots' memories a process keeps",
        f"{COMMANDS_AT_ONCE}; {REMEMBERED}",
        "the next game has its turn; the log is read again",
        f"{_BEYOND}::test_bots_have_so_many_commands_in_a_turn"
        f" and {_BEYOND}::test_the_memories_of_so_many_games_are_kept",
    ),
    Bound(
        "catalogues in a folder; bytes of one",
        f"{MOST_FILES}; {write_bytes(LARGEST_FILE)}",
        "no process starts, and says which file it is",
        f"{_BEYOND}::test_a_folder_has_so_many_catalogues"
        " and service/catalogues/test_catalogue_files.py::test_what_is_no_readable_file_is_refused",
    ),
    Bound(
        "`requests.log`: bytes of the file; earlier files that are kept",
        f"{FILE_BYTES:,}; {EARLIER_FILES}",
        "another one is begun, and the oldest goes",
        "service/server/test_request_log.py::test_the_file_does_not_grow_for_ever",
    ),
    Bound(
        "a record, for whoever verifies it: bytes of a line; entries; bytes in all, decompressed",
        f"{LONGEST_LINE:,}; {MOST_ENTRIES:,}; {write_bytes(LARGEST_RECORD)}",
        "a finding",
        f"{_HOSTILE}::test_a_line_without_an_end_is_not_read_into_memory"
        f" and {_HOSTILE}::test_a_record_with_too_many_entries_is_not_read_on"
        f" and {_HOSTILE}::test_a_record_that_is_too_large_is_not_read_on",
    ),
    Bound(
        "the same: bytes that are attached; bytes of annotations",
        f"{MOST_ATTACHED:,}; {MOST_ANNOTATED:,}",
        "a finding",
        f"{_BEYOND}::test_what_a_record_brings_along_is_bounded",
    ),
)
FURTHER: Final = {"Callers, and what they name": CALLERS, "Elsewhere": ELSEWHERE}
