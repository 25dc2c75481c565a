"""Who asks: tokens and keys become callers, viewers and rights, and requests are known again."""
