"""What readers add to articles: tags, notes, highlights."""
