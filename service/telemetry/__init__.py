"""Traces for OpenTelemetry: what a request led to, over all processes; while that is off, next to nothing.

`spans` is what the rest of the service calls, and imports nothing; `recording` has the library behind it, and
`starting` switches it on; `store` takes a trace from an append to whoever follows the feeds, beside the log.
"""
