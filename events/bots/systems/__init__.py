"""What the greedy bot does in one rule system only, each under the name of its system."""
