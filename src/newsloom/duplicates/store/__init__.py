"""Which articles are the same, and the clusters they form."""
