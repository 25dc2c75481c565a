"""Who may do what: keys, tokens, tickets, rights, quotas, and the trail of operators' acts."""
