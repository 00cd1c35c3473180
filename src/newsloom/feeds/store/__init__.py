"""Feeds: which are due, what their polls brought, their health, pushes and moves."""
