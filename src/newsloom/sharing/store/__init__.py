"""Services to which readers save articles, and what is still to be saved."""
