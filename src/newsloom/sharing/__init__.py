"""Saving articles to services elsewhere, decided purely: what each is asked, and what it answered.

One tuple, `services.SERVICES`. Nothing here asks anybody.
"""
