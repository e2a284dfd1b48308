"""Pictures of games on paper and screen: positions with their verdicts, posters of strategies, plots of tables."""
