"""Sites of feeds and articles: turns at hosts, pauses, robots.txt, icons, pages."""
