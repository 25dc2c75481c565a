"""Talking to a server or a cluster: bounded in time, with a stated retry policy and errors of our own."""
