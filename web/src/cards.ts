// Cards and moves in words. Cards are letters and moves are text, as docs/reference/notation.md has them.

import type { Table } from "./api/client";
import { type Key, listed, say } from "./words.svelte";

export const GOODS = ["D", "G", "S", "C", "P", "L"] as const;
export const KINDS = [...GOODS, "M"] as const;

/** The kinds of a pile, each with its number. */
export const counted = (pile: string): { kind: (typeof KINDS)[number]; n: number }[] =>
  KINDS.map((kind) => ({ kind, n: [...pile].filter((card) => card === kind).length })).filter(({ n }) => n);

/** Cards, counted: “2 gold and 1 camel”. */
export const cards = (pile: string): string => listed(counted(pile).map(({ kind, n }) => say(`cards.${kind}`, { n })));

/** What a legal move does, told before it is played. */
export function told(move: string, { view, sales }: Table): string {
  const [, taken = "", given = ""] = /^(?:\+(\w+))?(?:-(\w+))?$/.exec(move) ?? [];
  const sale = sales[move];
  if (sale) return sold(given, sale);
  if (given) return say("moves.exchange", { taken: cards(taken), given: cards(given) });
  return say("moves.take", { cards: cards(move === "+M" ? camels(view?.market ?? "") : taken) });
}

function sold(given: string, { tokens, bonus }: Table["sales"][string]): string {
  const key: Key = bonus === null ? "moves.sell" : "moves.sell.bonus";
  const rupees = say("rupees", { n: tokens.reduce((sum, each) => sum + each, 0) });
  return say(key, { cards: cards(given), rupees: tokens.length > 1 ? `${rupees} (${tokens.join("\u00a0+\u00a0")})` : rupees });
}

const camels = (market: string): string => market.replaceAll(/[^M]/g, "");
