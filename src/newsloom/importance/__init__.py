"""How much an article matters to everyone: sources and signals."""
