"""A small witness for transparency logs (C2SP tlog-witness): it sees a log grow, and says when it saw what.

`witness` decides, `state` keeps the key and what was co-signed last in a folder, and `server` answers over HTTP.
"""
