"""Endurance: half of the highest load for a long time, while every process is restarted in turn."""
