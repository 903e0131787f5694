"""The games, one file each: rules, notation, picture."""
