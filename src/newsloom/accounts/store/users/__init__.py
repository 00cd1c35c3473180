"""Who reads here, and the half-lives each has chosen."""
