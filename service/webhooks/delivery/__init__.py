"""Sending what is to be delivered: signed, to addresses that were checked, again until it is taken."""
