"""``import pyard.ard`` of py-ard."""
from . import ARD

__all__ = ["ARD"]
