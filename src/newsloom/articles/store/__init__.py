"""What the stages made of every article: texts, vectors, ratings, scores."""
