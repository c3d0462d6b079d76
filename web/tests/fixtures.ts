// Tables, views and messages with only the fields that a test sets.

import type { Message, Table, View } from "../src/api/client";

const player: View["own"] = {
  hand: 5,
  herd: 2,
  rupees: 0,
  bonuses: {},
  bonus_values: [],
  seals: 0,
  shown: "",
  goods_tokens: "",
};

export function aView(fields: Partial<View> = {}): View {
  return {
    seat: 0,
    starter: 0,
    hand: "DDGSC",
    herd: 2,
    market: "PLMMM",
    deck: 40,
    discard: "",
    discard_top: null,
    moves_played: 2,
    tokens: {},
    bonus: { "3": 7, "4": 6, "5": 5 },
    own: player,
    other: player,
    ...fields,
  } as View;
}

export function aTable(fields: Partial<Table> = {}): Table {
  return {
    id: "0123456789abcdef",
    version: 2,
    phase: "running",
    you: 0,
    one_screen: false,
    turn: 0,
    seats: [
      { player: "person", name: "Ann", away: false },
      { player: "person", name: "Bo", away: false },
    ],
    seals: [0, 0],
    rounds: [{ commitment: "0", contributions: [null, null] }],
    upcoming: null,
    moves: [],
    exchanges_left: null,
    sales: {},
    helps: null,
    over: null,
    next: null,
    offers: [false, false],
    clock: null,
    view: aView(),
    public: null,
    market_places: "PLMMM",
    ...fields,
  } as Table;
}

type Event = Message["happenings"][number];

/** A message with its table at the same version. */
export function aMessage(version: number, fields: Partial<Message> = {}, table: Partial<Table> = {}): Message {
  return {
    version,
    kind: "played",
    seat: 1,
    happenings: [],
    table: aTable({ version, ...table }),
    ...fields,
  } as Message;
}

export const took = (seat: number, cards: string): Event => ({ what: "took", seat, cards });
export const gave = (seat: number, cards: string): Event => ({ what: "gave", seat, cards });
export const sold = (seat: number, cards: string, tokens: number[]): Event => ({ what: "sold", seat, cards, tokens });
export const refilled = (cards: string): Event => ({ what: "refilled", cards });
export const bonus = (seat: number, pile: string, value: number | null): Event => ({
  what: "bonus",
  seat,
  pile,
  value,
});
export const ended = (reason: "deck" | "goods" | "exchanges"): Event => ({
  what: "ended",
  ended: reason,
  camel_token: null,
  rupees: [0, 0],
  seal: 0,
});
