"""Feeds: parsing, schedule, health, discovery, polling, page visits."""
