// The figures on the score sheet of a finished round.

import type { Table } from "../api/client";
import { viewOf } from "./messages";

export interface Score {
  result: Table["rounds"][number];
  /** The reader's column comes first. */
  columns: Column[];
}

export interface Column {
  seat: number;
  /** The seals after the round. */
  seals: number;
  /** The tokens that the player took, if the table at the end of the round is known. */
  tokens: { goods: number; bonus: number[] } | null;
}

/** The numbers of the rounds that have ended. */
export const finishedRounds = ({ rounds }: Table): number[] =>
  rounds.flatMap(({ ended }, index) => (ended ? [index + 1] : []));

/** The score of a finished round. `end` is the table at its end, if it is known. */
export function scoreOf(table: Table, number: number, end: Table | undefined): Score | null {
  const result = table.rounds[number - 1];
  if (!result) return null;
  const known = end ?? (number === table.rounds.length ? table : undefined);
  const view = known && viewOf(known);
  const first = viewOf(table)?.seat ?? 0;
  const columns = [first, 1 - first].map((seat): Column => {
    const player = seat === view?.seat ? view.own : view?.other;
    return {
      seat,
      seals: table.rounds.slice(0, number).filter(({ seal }) => seal === seat).length,
      tokens: player ? { goods: player.rupees, bonus: player.bonus_values ?? [] } : null,
    };
  });
  return { result, columns };
}
