"""Teaching a network by self-play, on a GPU or, as a toy, on the CPU."""

try:
    import jax as jax
except ImportError as missing:
    raise ImportError(
        'Training needs JAX: install it with pip install "jaipur[train]".'
    ) from missing

from jaipur.training.config import Config, read_config
from jaipur.training.trainer import Training

__all__ = ["Config", "Training", "read_config"]
