"""``pyard.blender`` of py-ard."""
from . import DRBXBlenderError, dr_blender

#: DRB3, DRB4 and DRB5 as the DRB1 genotype implies.
blender = dr_blender

__all__ = ["DRBXBlenderError", "blender"]
