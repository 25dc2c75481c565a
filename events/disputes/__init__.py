"""Disputes: a case is a small event-sourced aggregate of its own beside the game that it is about.

    open -> claimed -> ruled -> final
                         |
                         +--> appealed -> appeal_claimed -> ruled -> final

A case that is open or claimed may also be `withdrawn`, and one that nobody claims is `lapsed`. As everywhere in
`events`, a command is a wish: `decide` refuses it, or says which events it brings about, and `evolve` adds one event
to the case. What has to be known about the game comes in as one value, `facts.GameFacts`; the time comes in with the
command. All cases of a game stand in one chained log, `entries`.
"""
