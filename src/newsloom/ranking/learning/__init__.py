"""Two judgements of an article: how much one reader wants it, and how fast it expires.

Pure: vectors and facts in, frozen values out; no clock, no store, no files except in `shipped`,
which reads what is inside the package.
"""
