"""Webhooks: telling integrators' own servers that something has happened, signed, and never what is hidden.

`webhook` and `registry` are what is registered, `webhook_events` what a step of a log means, `fanout` follows the
feeds and decides who hears of it, `low_time` follows the moments that come of no step, `deliveries` and `store` are
the list of what has to be sent, `senders` and `delivering` send it (`addresses`, `posting`, `signing`).
"""
