"""Webhooks: telling integrators' own servers that something has happened, signed, and never what is hidden.

`webhook` and `registry` are what is registered, `webhook_events` what a step of a log means, `audience` who hears of
it, `fanout` follows the feeds, `deliveries` is the list of what has to be sent, `senders` and `delivering` send it
(`addresses`, `posting`, `signing`).
"""
