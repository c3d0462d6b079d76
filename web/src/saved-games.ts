// The games in which this browser has a seat, most recent first, for the list on the home page. The score is stored too, so
// that the list appears before the server responds. The seats themselves are identified by the cookie.

import type { Table } from "./api/client";
import { t } from "./i18n.svelte";
import { readJson, writeJson } from "./storage";

type Seat = Table["seats"][number];

export interface SavedGame {
  id: string;
  other: Pick<Seat, "player" | "name">;
  at: number;
  /** The state at the last visit. The first number of seals is the player's. */
  stands?: { phase: Table["phase"]; round: number; seals: [number, number] };
}

const LIMIT = 12;

export function savedGames(): SavedGame[] {
  const stored = readJson("tables");
  return Array.isArray(stored) ? stored.filter(isSavedGame) : [];
}

function isSavedGame(value: unknown): value is SavedGame {
  const game = value as Partial<SavedGame> | null;
  return typeof game?.id === "string" && typeof game.other === "object";
}

/** The name of a seat: the name of the person, the level of the computer, or empty. */
export const seatName = (seat: SavedGame["other"] | undefined): string =>
  seat?.player === "computer" ? levelName(seat.name) : (seat?.name ?? "");

export const levelName = (level: string): string => t(`level.name.${level}` as "level.name.greedy");

/** The entry of a table in the list. */
export function toSavedGame(table: Table, at = Date.now()): SavedGame {
  const { id, seats, you, one_screen, phase, rounds, seals } = table;
  const other = one_screen || you === 0 ? 1 : 0;
  const { player, name } = seats[other];
  const own = seals[1 - other] ?? 0;
  return { id, other: { player, name }, at, stands: { phase, round: rounds.length, seals: [own, seals[other]] } };
}

/** Put a table at the top of the list, or remove it if its game is over. */
export function saveGame(table: Table): void {
  if (table.phase === "over") return forgetGame(table.id);
  store([toSavedGame(table), ...savedGames().filter(({ id }) => id !== table.id)]);
}

export const forgetGame = (id: string): void => store(savedGames().filter((game) => game.id !== id));

const store = (games: SavedGame[]): void => writeJson("tables", games.slice(0, LIMIT));
