x = f'{(lambda x: x)}', f'{(lambda: 0)()}', f'{a if b else c}', f'{(a := b)}', f'{a:=b}', f'{a, b}', f'{(yield_)}', f'{a != b}', f'{a == b}'
x = f'{f"{a}"}', f"{f'{a}' + f'''{b}'''}", f'{a:{f"{b}"}}', f"{'{'}", f"{a}{'}'}", f'{"it" "s"}', f"{a:{'>'}{10}}", f'{*a, b}', f'{-a}', f'{not a}'
