"""Rules of a reader, decided: what is asked of an article, and what is done to it. Pure."""
