"""How polite and how sturdy a feed reader is: numbered cases, for Newsloom and any other."""
