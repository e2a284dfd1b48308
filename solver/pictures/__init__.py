"""Pictures on paper and screen: positions with their verdicts, posters of whole strategies, plots of tables."""
