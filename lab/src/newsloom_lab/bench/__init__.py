"""Timed figures: each module measures one thing beside its peers and returns a frozen result."""
