"""Sends what is due by mail, webhook or file, and retries until it is delivered."""
