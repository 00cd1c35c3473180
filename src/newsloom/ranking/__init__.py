"""How much one reader wants an article, and how fast it expires: encoders, models, training."""
