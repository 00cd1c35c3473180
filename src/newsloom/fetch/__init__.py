"""The only room that talks HTTP: a conditional client for feeds, a client for services named in the
settings, the address guard, the bounded decoder."""

from newsloom.fetch.api import HttpApi
from newsloom.fetch.blocking import BlockingApi
from newsloom.fetch.client import HttpFetcher

__all__ = ["BlockingApi", "HttpApi", "HttpFetcher"]
