"""How feeds are: reliability, states, moves, and whether one has changed hands. Pure."""
