"""The pages: pure parts, routes without JavaScript, doors, and a real browser."""
