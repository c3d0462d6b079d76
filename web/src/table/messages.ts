// Functions that read information from the tables and messages of the server.

import type { Message, Table, View } from "../api/client";

/** The kinds of messages that the log shows. */
const LOGGED: Message["kind"][] = ["played", "stopped", "drawn", "resigned", "flagged", "abandoned"];

/** The view of the visitor's seat; for spectators the public part of the round, seen from seat 0. */
export function viewOf({ view, public: shown }: Table): View | null {
  if (view || !shown) return view;
  const [own, other] = shown.traders;
  return { ...shown, seat: 0, hand: "", herd: 0, own, other };
}

export const isLogged = ({ kind }: Message): boolean => LOGGED.includes(kind);

export const endsRound = ({ happenings }: Message): boolean => happenings.some(({ what }) => what === "ended");

/** On one screen both players read the log, so the value of a bonus token is removed. */
export function withoutSecrets(message: Message): Message {
  if (!message.table.one_screen) return message;
  const happenings = message.happenings.map((each) => (each.what === "bonus" ? { ...each, value: null } : each));
  return { ...message, happenings };
}

/** Whether this player asked for a rematch, or agreed to one. */
export const askedForRematch = ({ you, offers }: Table): boolean => you !== null && offers[you] === true;

/** Whether a person on another device is waiting for this player. */
export const isAwaited = ({ phase, you, one_screen, seats }: Table): boolean =>
  phase === "running" && you !== null && !one_screen && seats[1 - you]?.player === "person";
