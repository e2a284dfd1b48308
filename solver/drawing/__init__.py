"""Draw plain data as SVG, HTML and text: boards, trees of boards, charts and tables, without rules or values."""
