// The contributions of this browser to deals, and the commitments and contributions that the server showed. They are stored
// before and during a round, so that the check after the round (table/fair-deal.ts) does not depend on the server.

import type { Table } from "./api/client";
import { readJson, writeJson } from "./storage";
import { toHex, type NotedRound } from "./table/fair-deal";

interface NotedTable {
  id: string;
  /** By the number of the round, from 1. */
  rounds: Record<number, NotedRound>;
}

/** The contributions that this page has sent. Older messages that still await them do not send them again. */
const sent = new Set<string>();

const LIMIT = 24;
const BYTES = 32;

/** The stored values of a table's rounds, by number. */
export const notedRounds = (id: string): NotedTable["rounds"] =>
  stored().find((table) => table.id === id)?.rounds ?? {};

/** Store what the server shows of a table's deals. Then send a contribution if the table awaits one from this browser. */
export async function contribute(
  table: Table,
  send: (id: string, round: number, value: string) => Promise<unknown>,
): Promise<void> {
  const { id, you, one_screen, upcoming } = table;
  if (you === null) return;
  noteContributions(table);
  if (!upcoming?.awaits.some((seat) => one_screen || seat === you)) return;
  const { round, commitment } = upcoming;
  const rounds = notedRounds(id);
  const { contribution } = (rounds[round] ??= { commitment, contribution: newContribution() });
  store(id, rounds);
  if (sent.has(contribution)) return;
  sent.add(contribution);
  // After a failure the next message of the table sends the contribution again. If none of them arrives in time, the deal
  // does not contain the contribution, and the check after the round shows this.
  await send(id, round, contribution).catch(() => sent.delete(contribution));
}

/** Store the contributions of the dealt rounds. The stored value of a round never changes. */
function noteContributions({ id, rounds }: Table): void {
  const noted = notedRounds(id);
  let changed = false;
  for (const [index, { contributions }] of rounds.entries()) {
    const round = noted[index + 1];
    if (!round || round.contributions || !contributions) continue;
    round.contributions = contributions;
    changed = true;
  }
  if (changed) store(id, noted);
}

const newContribution = (): string => toHex(crypto.getRandomValues(new Uint8Array(BYTES)));

function stored(): NotedTable[] {
  const tables = readJson("deals");
  return Array.isArray(tables) ? (tables as NotedTable[]) : [];
}

const store = (id: string, rounds: NotedTable["rounds"]): void =>
  writeJson("deals", [{ id, rounds }, ...stored().filter((table) => table.id !== id)].slice(0, LIMIT));
