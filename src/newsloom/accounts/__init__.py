"""Accounts, decided purely: names, passwords, tokens, lifetimes, how fast one may guess.

No clock, no randomness, no database: what is random, and now, are given.
"""
