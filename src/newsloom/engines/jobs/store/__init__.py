"""Jobs over everything that is stored: what is wanted, how far it is, who works on it.

A step is added (`advance_job`) in the transaction that keeps its results. A kind that one worker at
a time does is claimed with a token; who has lost it adds nothing.
"""
