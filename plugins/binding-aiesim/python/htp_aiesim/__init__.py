"""What of the simulated array is Python: `htp_aiesim.agree` holds functions in C++ against their bodies."""
