"""Processes that read hostile bytes and may be killed for it: no files, no network, little memory.

Knows how to ask them (pool) and what they may be asked (tasks); no store, no fetching. Imports
nothing here: a worker is to know no more than its task.
"""
