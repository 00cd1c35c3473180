"""What several `serve`s of one store tell each other. Decides nothing."""
