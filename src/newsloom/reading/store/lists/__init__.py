"""What a reader looks at: ranked lists, pages of them, search, feeds with what is unread."""
