"""How good the ranking is, measured on labels: for the Model page, and for `newsloom eval`."""
