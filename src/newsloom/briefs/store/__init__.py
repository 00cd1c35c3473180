"""Spoken briefs: when readers want them, their scripts, what is to be sent, where one listened."""
