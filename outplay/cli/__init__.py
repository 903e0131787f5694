"""The command line: the front door that wires everything."""
