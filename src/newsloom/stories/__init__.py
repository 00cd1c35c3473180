"""Which articles report one event, and the stories that they make. Pure: no clock, no database."""
