"""How Sphinx builds the documentation that `stage.py` has put together."""

from stepscope.app.services.version import VERSION

project = "Stepscope"
release = VERSION
copyright = "the Stepscope contributors"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"Stepscope {release}"
html_copy_source = False
html_show_sphinx = False
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
default_role = "code"
html_theme_options = {"footer_icons": []}
