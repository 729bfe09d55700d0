"""Citations of a site in AI answers, and the visits of the bots behind them."""
