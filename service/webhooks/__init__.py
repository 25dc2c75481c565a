"""Webhooks: telling integrators' own servers that something has happened, signed, and never what is hidden.

`webhook` and `registry` are what is registered, `doorbells` what a step of a log means, `hearing` who hears of it,
`ringing` follows the feeds, `deliveries` is the list of what has to be sent, `delivering` sends it (`addresses`,
`posting`, `signing`).
"""
