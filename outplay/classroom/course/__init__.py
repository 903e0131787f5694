"""The assignments that come with Outplay, one a module."""
