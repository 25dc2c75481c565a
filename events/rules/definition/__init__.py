"""What a rule system is made of: its numbers, phases and answers, its forms and its sections in the booklet."""
