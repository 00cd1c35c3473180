"""Work of the stages: what is pending, who holds which part of it, what was set aside.

What is left to do is a left join; a result and its done-mark share one transaction. A worker takes
a lease (`store.work.claim_work`), reads under it (`store.articles.leased_...`: those of its
articles that are still pending, the versions of their texts, and what could be leased next),
computes, and puts. A put with a batch ends its lease and keeps nothing when that was lost; it keeps
only results of texts that are still what they were, and takes the following lease, if there is one.
A put without a batch is of what is there now.
"""
