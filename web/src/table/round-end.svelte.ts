// The end of a round: its score sheet, and the table that stays on the screen until the player asks for the next round. The
// server deals the next round at once, so the messages about it wait.

import type { Table } from "../api/client";

export class RoundEnd {
  /** The tables at the ends of rounds, by the number of the round. Rounds from long before the session are missing. */
  tables = $state.raw<ReadonlyMap<number, Table>>(new Map());
  /** The number of the round whose score sheet is open. */
  sheet = $state<number>();
  /** Whether the next round waits for this player. */
  waiting = $state(false);
  /** Whether the player closed the score sheet to look at the table before the next round. */
  looking = $state(false);

  #startNextRound = (): void => {};

  /** Keep the table of a round that has just ended, for its score sheet. */
  record(table: Table): void {
    this.tables = new Map(this.tables).set(table.rounds.length, table);
  }

  /** Open the score sheet of the last round. Between two rounds, wait until the player asks for the next one. */
  async show(table: Table): Promise<void> {
    this.sheet = table.rounds.length;
    if (table.over) return;
    this.waiting = true;
    await new Promise<void>((resolve) => (this.#startNextRound = resolve));
  }

  openSheet(number: number): void {
    this.sheet = number;
  }

  /** Close the score sheet and show the table below it. */
  closeSheet(): void {
    this.sheet = undefined;
    this.looking = this.waiting;
  }

  /** Show the messages about the next round. */
  nextRound(): void {
    this.sheet = undefined;
    this.waiting = this.looking = false;
    this.#startNextRound();
  }
}
