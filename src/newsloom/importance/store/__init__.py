"""What was measured of sources, and the tiers that readers set. Knows no request's time."""
