"""The JSON API below /api/v1: the use cases of the pages for programs, typed and documented.

Each module has the shapes and the routes of one matter; `document.py` tells of all of them. Who
asks is found out, and changes are guarded, as for the pages, but that an app password does in the
place of a session (`web/api_access.py`).
"""
