"""Digests: when readers want them, those that were made, and what is still to be sent.

A digest, what is remembered of it, its sendings, and the next time of its schedule are one
transaction: it is made once, whoever makes it, and nothing of it is lost after that.
"""
