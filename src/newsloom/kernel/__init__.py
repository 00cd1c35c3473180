"""Infrastructure that every package may use and that knows nothing about news."""
