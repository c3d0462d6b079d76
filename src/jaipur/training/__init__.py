"""Self-play training of a value network with JAX, on a GPU or, for small networks, on the CPU.

`trainer.py` runs the iterations. In each iteration, `self_play.py` plays rounds and creates a training batch, and
`step.py` minimises the loss of `loss.py`. From time to time, `match.py` compares the network with the best network so
far.
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
