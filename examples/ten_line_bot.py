"""A bot in ten lines. It makes the largest possible sale, or the first legal move. See docs/reference/bot-protocol.md.

jaipur arena --players "cmd:python examples/ten_line_bot.py" random --pairs 50 --out results
"""

import json
import sys

for line in sys.stdin:
    moves = json.loads(line)["moves"]
    sales = [move for move in moves if move.startswith("-")]
    print(max(sales, key=len) if sales else moves[0], flush=True)
