"""Pictures as pure functions: values in, text and SVG out."""
