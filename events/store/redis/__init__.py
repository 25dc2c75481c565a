"""The store on Redis or Valkey: keys, entries, and the functions that append in one atomic step."""
