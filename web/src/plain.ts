// The table and what happened on it in plain sentences, as the terminal tells them to a screen reader.

import type { Message, Table, View } from "./api/client";
import { cards, GOODS } from "./cards";
import { say, type Key } from "./words.svelte";

/** What a seat is called; null is the seat of whoever reads. */
export type Names = (seat: number) => string | null;

/** Everything that lies on the table. */
export function described(table: Table, view: View, name: string): string[] {
  const { own, other } = view;
  const bonus = sum(own.bonus_values ?? []);
  const left = view.bonus;
  return [
    say("plain.round", { number: table.rounds.length, own: own.seals, name, other: other.seals }),
    say("plain.market", { cards: cards(view.market) }),
    say("plain.hand", { cards: cards(view.hand) }),
    say("plain.herd", { cards: say("cards.M", { n: view.herd }) }),
    say("plain.own", { rupees: say("rupees", { n: own.rupees + bonus }), goods: own.rupees, bonus }),
    say("plain.other", {
      name,
      hand: say("goods", { n: other.hand }),
      herd: other.herd === null ? say("plain.hidden_herd") : say("cards.M", { n: other.herd }),
      rupees: say("rupees", { n: other.rupees }),
      bonuses: say("bonuses", { n: sum(Object.values(other.bonuses)) }),
    }),
    ...GOODS.map((good) => {
      const values = view.tokens[good] ?? [];
      const key: Key = values.length ? "plain.tokens" : "plain.no_tokens";
      return say(key, { kind: say(`kind.${good}`), values: values.join(" ") });
    }),
    say("plain.bonus", { three: left["3"] ?? 0, four: left["4"] ?? 0, five: left["5"] ?? 0 }),
    say("plain.deck", { deck: say("goods", { n: view.deck }), discard: say("goods", { n: view.discard.length }) }),
  ];
}

/** What a message tells. */
export function happened(message: Message, names: Names): string {
  const told: string[] = [];
  const gave = message.happenings.find((each) => each.what === "gave");
  for (const each of message.happenings) {
    if (each.what === "took" && gave) {
      told.push(by(names(each.seat), "exchanged", { taken: cards(each.cards), given: cards(gave.cards) }));
    } else if (each.what === "took") {
      told.push(by(names(each.seat), "took", { cards: cards(each.cards) }));
    } else if (each.what === "sold") {
      const parts = each.tokens.length > 1 ? ` (${each.tokens.join("+")})` : "";
      const rupees = say("rupees", { n: sum(each.tokens) });
      told.push(by(names(each.seat), "sold", { cards: cards(each.cards), rupees, sum: parts }));
    } else if (each.what === "bonus") {
      const size = say("goods", { n: Number(each.pile) });
      told.push(each.value === null ? say("bonus.hidden", { size }) : say("bonus.seen", { size, value: each.value }));
    } else if (each.what === "refilled" && each.cards) {
      told.push(say("came", { cards: cards(each.cards) }));
    } else if (each.what === "ended") {
      told.push(say(`ended.${each.ended}`));
    }
  }
  return told.join(" ");
}

function by(name: string | null, key: "took" | "exchanged" | "sold", values: Record<string, string>): string {
  return name === null ? say(`${key}.you`, values) : say(`${key}.they`, { name, ...values });
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
