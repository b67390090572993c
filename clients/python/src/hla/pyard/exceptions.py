"""``pyard.exceptions`` of py-ard."""
from . import DRBXBlenderError, InvalidAlleleError, InvalidMACError, InvalidTypingError, PyArdError

__all__ = ["DRBXBlenderError", "InvalidAlleleError", "InvalidMACError", "InvalidTypingError", "PyArdError"]
