"""What a reader looks at: ranked lists, pages of them, and search."""
