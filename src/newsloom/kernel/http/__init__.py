"""What talks to the network: a conditional HTTP client for feeds, one for services named in the
settings, one for large files, the address guard, the bounded decoder, a client of a mail server."""
