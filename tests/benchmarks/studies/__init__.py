"""Studies: commands that print other tables of the documentation."""
