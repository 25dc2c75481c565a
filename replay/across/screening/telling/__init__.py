"""A screen as text and as JSON, with what a person does next."""
