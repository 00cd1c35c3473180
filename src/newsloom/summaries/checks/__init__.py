"""Holding what a language model wrote against the articles it was given. Asks no model."""
