"""How good the ranking is, measured on labels: for `/you`, and for `newsloom eval`."""
