"""Readers elsewhere: their labels come in, our ranking goes out. Ranks nothing itself."""
