"""The pages on which people play, watch, review and judge, in their own browsers.

A page is a shell: markup with words in the reader's language, and plain ES modules that do the rest with the public
API alone. The table is drawn by the modules of an exported page (`replay/exports/page/script`), the very same files.
"""
