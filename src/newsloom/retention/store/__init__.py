"""The aggregate of retention: what piles up, what of it goes when, and how large it all is."""
