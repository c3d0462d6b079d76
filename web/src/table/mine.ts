// The tables this browser has sat at, the last one first, to go on with them later. Only their names are kept here; the
// seat itself is the cookie's.

import type { Table } from "../api/client";

export interface Mine {
  id: string;
  other: string;
  at: number;
}

const KEPT = "jaipur.tables";
const MOST = 12;

export function tables(): Mine[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? (kept as Mine[]).filter((each) => typeof each.id === "string") : [];
  } catch {
    return [];
  }
}

export function remember({ id, seats, you }: Table): void {
  const other = seats[1 - (you ?? 0)]?.name ?? "";
  keep([{ id, other, at: Date.now() }, ...tables().filter((each) => each.id !== id)]);
}

export const forget = (id: string): void => keep(tables().filter((each) => each.id !== id));

const keep = (list: Mine[]): void => localStorage.setItem(KEPT, JSON.stringify(list.slice(0, MOST)));
