// The tables this browser has sat at, the last one first, to go on with them later. Only their names are kept here; the
// seat itself is the cookie's.

import type { Table } from "../api/client";
import { say } from "../words.svelte";

type Seat = Table["seats"][number];

export interface Mine {
  id: string;
  other: Pick<Seat, "player" | "name">;
  at: number;
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

export function remember({ id, seats, you }: Table): void {
  const { player, name } = seats[you === 0 ? 1 : 0];
  keep([{ id, other: { player, name }, at: Date.now() }, ...tables().filter((each) => each.id !== id)]);
}

export const forget = (id: string): void => keep(tables().filter((each) => each.id !== id));

const keep = (list: Mine[]): void => localStorage.setItem(KEPT, JSON.stringify(list.slice(0, MOST)));
