"""Several servers on one store: which are running, and which one leads."""
