"""Written news as it is to be spoken: numbers, dates, units and names in words. Pure."""
