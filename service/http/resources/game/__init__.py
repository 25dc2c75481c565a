"""What is asked of one game, below `/v1/games`: a module for each resource."""
