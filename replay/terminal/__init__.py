"""What a terminal shows: tables, differences, knowledge and branches as text, and reading keys."""
