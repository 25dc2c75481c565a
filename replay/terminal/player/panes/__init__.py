"""The parts of the player's screen: table, log, knowledge, bar and dialogs, each as lines."""
