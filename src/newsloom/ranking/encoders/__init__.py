"""Models behind the ports: what reads the articles. Knows no store and no network."""
