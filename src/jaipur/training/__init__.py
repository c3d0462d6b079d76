"""Self-play training of a value network with JAX, on a GPU or, for small networks, on the CPU.

One iteration: `self_play.py` plays and makes a training batch, `loss.py` defines the loss, `step.py` applies gradient
steps to the train state, `match.py` compares the result with the best network so far. `trainer.py` runs the iterations.
"""

try:
    import jax as jax
    import optax as optax
except ImportError as error:
    raise ImportError(
        'Training needs JAX and optax: install them with pip install "jaipur[train]".'
    ) from error

from jaipur.training.config import Config, read_config
from jaipur.training.trainer import Trainer

__all__ = ["Config", "Trainer", "read_config"]
