"""What a reader does with articles: lists, search, marks, tags, notes, saved lists."""
