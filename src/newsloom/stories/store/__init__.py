"""Stories: what they are made of, who decided it, what readers said of them.

A membership, the centroids it changes and its row of the audit are one transaction. The number of
the last row of the audit is the generation of the stories: who holds some in memory reads those
that were decided on since, and is in step again.
"""
