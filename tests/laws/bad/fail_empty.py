

# kind: a module; nothing
# expect: pipeline.no-entry 0
# text: `fail_empty.py` has no entry point
