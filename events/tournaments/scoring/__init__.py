"""What a round brings each player, and who is ahead: computed from all outcomes as they count today."""
