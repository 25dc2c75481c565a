"""`python -m service.bots`: the process that plays the bots' seats; the bots themselves are in `events/bots`."""

from service.bot_players import main

if __name__ == "__main__":
    main()
