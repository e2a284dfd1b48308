"""Forecast what building a table needs: positions, memory, disk, time.

For any game that has a name: boards too large for a table get bounds and orders of magnitude.
"""

from solver.solve.forecast.fits import require_fits
from solver.solve.forecast.model import Forecast, forecast
from solver.solve.forecast.speed import Speed, measure_speed

__all__ = ["Forecast", "Speed", "forecast", "measure_speed", "require_fits"]
