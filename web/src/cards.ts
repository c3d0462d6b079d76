// Cards and moves in words. Cards are letters and moves are text, as docs/notation.md has them.

import type { View } from "./api/client";
import { type Key, listed, say } from "./words.svelte";

export const GOODS = ["D", "G", "S", "C", "P", "L"] as const;
const KINDS = [...GOODS, "M"] as const;
const SMALLEST_BONUS = 3;

/** Cards, counted: “2 gold and 1 camel”. */
export function cards(pile: string): string {
  return listed(
    KINDS.map((kind) => ({ kind, n: [...pile].filter((card) => card === kind).length }))
      .filter(({ n }) => n)
      .map(({ kind, n }) => say(`cards.${kind}`, { n })),
  );
}

/** What a move does, told before it is played. */
export function told(move: string, view: View): string {
  const [, taken = "", given = ""] = /^\+?(\w*)-?(\w*)$/.exec(move) ?? [];
  if (move.startsWith("-")) return sale(given || taken, view);
  if (given) return say("moves.exchange", { taken: cards(taken), given: cards(given) });
  return say("moves.take", { cards: cards(move === "+M" ? camels(view) : taken) });
}

function sale(sold: string, view: View): string {
  const tokens = view.tokens[sold.charAt(0)] ?? [];
  const n = tokens.slice(0, sold.length).reduce((sum, value) => sum + value, 0);
  const key: Key = sold.length < SMALLEST_BONUS ? "moves.sell" : "moves.sell.bonus";
  return say(key, { cards: cards(sold), rupees: say("rupees", { n }) });
}

const camels = (view: View): string => view.market.replaceAll(/[^M]/g, "");
