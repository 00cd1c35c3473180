"""Nearest vectors of a model: by numpy over a memory-mapped file, or by PostgreSQL's pgvector.

`block` is the file, `sketch` what is looked at first of many rows, `cache` keeps a file in step
with the table by what `log` says was changed, `pgvector` asks the server. The one contract is
`store.articles.nearest`.
"""
