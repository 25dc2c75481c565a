"""Dataset, report and screen over many simulated games: what they take, and what they hold in memory."""
