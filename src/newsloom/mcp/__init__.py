"""A Model Context Protocol server: the use cases of one reader as tools of a language model.

It reads. What changes something is there only where the person allowed it, as tools of their own,
and nothing in an article can: texts are results, marked as words of strangers, and bounded. Needs
the extra `mcp`; nothing else imports this package before it is asked for.
"""
