"""The laws of this room say what is read, not how fast: a busy machine must not fail them."""

from hypothesis import settings

settings.register_profile("parse", deadline=None)
settings.load_profile("parse")
