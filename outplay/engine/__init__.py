"""The same algorithms at native speed: kernels over arrays of states."""
