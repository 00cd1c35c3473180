"""The only room that talks HTTP: a conditional client, its address guard, its bounded decoder."""

from newsloom.fetch.client import HttpFetcher

__all__ = ["HttpFetcher"]
