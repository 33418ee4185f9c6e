import htp

N = htp.dim("N")

# kind: a module; no function
# expect: pipeline.no-entry 0
# text: `fail_no_entry.py` has no entry point
