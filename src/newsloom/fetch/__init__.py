"""The only room that talks to the network: a conditional HTTP client for feeds, one for services
named in the settings, one for large files, the address guard, the bounded decoder, a client of a
mail server."""

from newsloom.fetch.api import HttpApi
from newsloom.fetch.blocking import BlockingApi
from newsloom.fetch.client import HttpFetcher
from newsloom.fetch.download import HttpDownloader
from newsloom.fetch.smtp import SmtpMailer

__all__ = ["BlockingApi", "HttpApi", "HttpDownloader", "HttpFetcher", "SmtpMailer"]
