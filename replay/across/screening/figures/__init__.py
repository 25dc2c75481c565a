"""What one game says about every two seats, by the published value function."""
