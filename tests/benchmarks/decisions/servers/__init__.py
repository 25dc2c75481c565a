"""Servers for the web process beside each other, in all that decision 0021 asks of one."""
