"""The command palette.

`view.CommandPalette`: lies over a window, emits chosen(kind, id); `palette_row.PaletteRow`: what it offers;
`field.PaletteField`: opens it. Each is imported from its own module: the field is there long before the palette.
"""
