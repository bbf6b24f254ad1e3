"""One module per external format, each turning foreign records into domain values once, at the border.

What a format is known by stands apart, in `sniffers`.
"""
