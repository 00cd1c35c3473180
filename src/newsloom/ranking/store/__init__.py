"""What models learn from, what they became, and what language models were asked."""
