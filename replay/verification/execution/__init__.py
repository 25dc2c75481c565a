"""What follows from the rules and the dealer's secret, derived again: events, shuffles, draws and salts."""
