"""Rules of readers, and what they did."""
