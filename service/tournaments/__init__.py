"""Tournaments: their logs in the store, what is asked of them, and what drives them from round to round.

What a tournament is, and what may happen to it, `events.tournaments` says; here it is kept and moved on. The log is
the truth: a list of what is to be looked at, and the feeds, only say when. It lives in the projector, which follows
the feeds and watches the time already: a table's end is heard of there first, and a late one is a matter of time.
"""
