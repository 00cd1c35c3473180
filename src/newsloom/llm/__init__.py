"""Questions put to a language model: one runner, and one module per purpose in `purposes`.

To add a purpose, see docs/work/language-model-purposes.md.
"""
