"""What readers of other makers speak: the Google Reader, Fever and Miniflux APIs, each a package.

In a package, modules that parse and format are pure; `routes.py` alone asks the reader. Who asks
is told by app passwords alone, never by a session of the pages.
"""
