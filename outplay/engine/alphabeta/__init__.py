"""The alpha-beta family: two kernels made of the same steps, the windows they are asked in, exact solving and proofs of wins."""
