"""Settings of the documentation, which `scripts/docs` builds with Sphinx."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent), str(Path(__file__).resolve().parent)]

from directives import list_parameters
from parts import with_links_to_pages
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

from solver import __version__

project = "mnk-tablebase"
author = "the mnk-tablebase authors"
copyright = author
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton", "directives", "atlas_results"]
autodoc_typehints_format = "short"
toc_object_entries_show_parents = "hide"
autodoc_member_order = "bysource"
autodoc_default_options = {"undoc-members": True}  # fields with a plain name and a type
default_role = "code"
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4

html_static_path = ["_static"]
html_css_files = ["cells.css", "tables.css"]
html_theme = "furo"
html_title = f"mnk-tablebase {version}"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
smartquotes = False  # a reader pastes what stands there
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True


def link_to_pages(app: Sphinx, page: str, texts: list[str]) -> None:
    """Let links to files that pages include lead to these pages."""
    texts[:] = [with_links_to_pages(Path(app.env.doc2path(page)), text) for text in texts]


def setup(app: Sphinx) -> None:
    """Leave commands and their output uncoloured: the lexer of Bash colours `3` in `3,3,3` as a number."""
    app.add_lexer("console", TextLexer)
    app.connect("source-read", link_to_pages)
    app.connect("autodoc-process-docstring", list_parameters)
