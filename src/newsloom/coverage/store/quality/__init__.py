"""What came of the candidates of each domain, blocks that followed, and rules of the reader."""
