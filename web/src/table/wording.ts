// Names and headlines of a table. Sentences address a player who has their own device ("You win"). For spectators and on a
// shared screen, they name both players.

import type { Message, Table } from "../api/client";
import { sentenceAbout } from "../game/describe";
import { t } from "../i18n.svelte";
import { seatName } from "../saved-games";

/** Whether a seat belongs only to the reader. */
export const isOwnSeat = ({ you, one_screen }: Table, seat: number | null): boolean =>
  seat !== null && you === seat && !one_screen;

/** The name of a seat in the third person. */
export const playerName = ({ seats }: Table, seat: number): string =>
  seatName(seats[seat]) || t(seat ? "label.traders.1" : "label.traders.0");

/** The name on a player's panel: "You" for a reader without a name. */
export const panelName = (table: Table, seat: number): string =>
  isOwnSeat(table, seat) && !table.seats[seat]?.name ? t("label.you") : playerName(table, seat);

/** The name for sentences about a seat, or null if the seat is the reader's. */
export const addressee = (table: Table, seat: number): string | null =>
  isOwnSeat(table, seat) ? null : playerName(table, seat);

/** Whose turn it is, or who won; empty before the game. */
export function headline(table: Table): string {
  const { over, turn, phase, rounds } = table;
  if (over)
    return over.winner === null ? t("web.over.nobody") : sentenceAbout(addressee(table, over.winner), "web.over");
  if (phase === "open") return "";
  if (turn === null) return roundResult(table, rounds.at(-1), rounds.length);
  return isOwnSeat(table, turn) ? t("your_turn") : t("web.turn.they", { name: playerName(table, turn) });
}

function roundResult(table: Table, round: Table["rounds"][number] | undefined, number: number): string {
  if (!round?.ended) return "";
  if (round.seal == null) return t("web.round.nobody", { number });
  return sentenceAbout(addressee(table, round.seal), "web.round", { number });
}

/** Who starts the round. */
export const roundStart = (table: Table, starter: number): string =>
  sentenceAbout(addressee(table, starter), "round.begins", { number: table.rounds.length });

/** A sentence: the other player left or returned. */
export function presenceText(table: Table, { kind, seat }: Message): string {
  if (seat === null || isOwnSeat(table, seat)) return "";
  return t(kind === "left" ? "told.left" : "told.returned", { name: playerName(table, seat) });
}
