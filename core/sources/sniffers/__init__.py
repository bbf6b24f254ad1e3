"""What each format is known by, a module for each, so that asking all of them about a folder is cheap.

A module has the `Format` with all that is said of it, and `locate`: what of the format lies in a folder, by the names
of files and how they begin. It imports no reader and nothing heavy; readers import it. Its name is in the table of
`core.sources.registry`. `json_heads`, `tfrecord_shards` and `navi_plus_keys` are what some of them share with readers.
"""
