"""Drawing plain data, as SVG, HTML and text: boards, trees, charts and tables. Nothing here knows rules or values."""
