"""`python -m service.bots`: the process that plays the bots' seats; the bots themselves are in `events/bots`."""

from service.bot_seats.bot_players import BotPlayers
from service.server.service_process import run_process


def main() -> None:
    """Play until SIGTERM or SIGINT."""
    run_process("bots", lambda _, store: BotPlayers(store))


if __name__ == "__main__":
    main()
