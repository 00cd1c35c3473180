"""Quality measured on labelled articles; each module returns a frozen report."""
