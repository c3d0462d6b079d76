// The games this browser sits at, the last one first, to go on with them later. How they stood is kept here, so that it is
// shown at once; the seat itself is the cookie's.

import type { Table } from "../api/client";
import { say } from "../words.svelte";

type Seat = Table["seats"][number];

export interface Mine {
  id: string;
  other: Pick<Seat, "player" | "name">;
  at: number;
  /** How it stood when it was seen last; the first seal count is one's own. */
  stands?: { phase: Table["phase"]; round: number; seals: [number, number] };
  /** Which card lay in which place of the market. */
  market?: string;
}

const KEPT = "jaipur.tables";
const MOST = 12;

export function tables(): Mine[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? (kept as Mine[]).filter((each) => typeof each.id === "string" && typeof each.other === "object") : [];
  } catch {
    return [];
  }
}

/** What somebody is called: a person as they like, a computer by its level; empty where nobody says. */
export const nameOf = (seat: Mine["other"] | undefined): string =>
  seat?.player === "computer" ? levelName(seat.name) : (seat?.name ?? "");

export const levelName = (level: string): string => say(`level.name.${level}` as "level.name.greedy");

/** A table as it is kept here. */
export function noted({ id, seats, you, one_screen, phase, rounds, seals }: Table, at = Date.now()): Mine {
  const other = one_screen || you === 0 ? 1 : 0;
  const { player, name } = seats[other];
  const stands: Mine["stands"] = { phase, round: rounds.length, seals: [seals[1 - other]!, seals[other]] };
  return { id, other: { player, name }, at, stands };
}

/** Keep where a game stands, as long as it goes on. */
export function remember(table: Table): void {
  if (table.phase === "over") forget(table.id);
  else keep([{ ...found(table.id), ...noted(table) }, ...tables().filter((each) => each.id !== table.id)]);
}

const found = (id: string): Mine | undefined => tables().find((each) => each.id === id);

/** How the market of a table was laid out when it was seen last; empty where nobody knows. */
export const marketOf = (id: string): string => found(id)?.market ?? "";

export const rememberMarket = (id: string, market: string): void =>
  keep(tables().map((each) => (each.id === id ? { ...each, market } : each)));

export const forget = (id: string): void => keep(tables().filter((each) => each.id !== id));

const keep = (list: Mine[]): void => localStorage.setItem(KEPT, JSON.stringify(list.slice(0, MOST)));
