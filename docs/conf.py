"""Sphinx configuration. `scripts/docs` builds the site into build/docs and treats warnings as errors."""

from jaipur import __version__

project = "Jaipur"
author = "The Jaipur maintainers"
copyright = author  # noqa: A001  # the name is Sphinx's
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["conf.py"]
html_theme = "furo"
html_title = "Jaipur"
html_logo = "../web/public/icon.svg"
html_copy_source = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

# Docstrings are Markdown-like prose: `name` is code, not a cross-reference.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_class_signature = "mixed"
autodoc_mock_imports: list[str] = []
