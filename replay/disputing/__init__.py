"""`fieldbook disputes`: settling the disputes of a service on the command line, as an arbiter or a party."""
