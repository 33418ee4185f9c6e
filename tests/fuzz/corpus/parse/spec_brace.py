f'{x:\x7b}'
