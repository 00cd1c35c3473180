"""What comes from elsewhere: readers that marks are exchanged with, and labelled articles."""
