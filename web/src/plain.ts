// The table and what happened on it in plain sentences, as the terminal tells them to a screen reader.

import type { Message, Table, View } from "./api/client";
import { cards, GOODS } from "./cards";
import { say, type Key, type Values } from "./words.svelte";

/** What a seat is called; null is the seat of whoever reads. */
export type Names = (seat: number) => string | null;

/** Everything that lies on the table, to whoever sits there or watches. */
export function described(table: Table, view: View, names: (seat: number) => string): string[] {
  const { own, other } = view;
  const [first, name] = [names(view.seat), names(1 - view.seat)];
  const watching = table.you === null;
  const bonus = sum(own.bonus_values ?? []);
  const left = view.bonus;
  const round = { number: table.rounds.length, first, own: own.seals, name, other: other.seals };
  return [
    say(watching ? "plain.round.watched" : "plain.round", round),
    say("plain.market", { cards: cards(view.market) }),
    ...(watching
      ? [seenOf(first, own)]
      : [
          say("plain.hand", { cards: cards(view.hand) }),
          say("plain.herd", { cards: say("cards.M", { n: view.herd }) }),
          say("plain.own", { rupees: say("rupees", { n: own.rupees + bonus }), goods: own.rupees, bonus }),
        ]),
    seenOf(name, other),
    ...known(table, view, names).map(({ name, shown }) => say("plain.known", { name, cards: cards(shown) })),
    ...(table.helps ? [say("plain.unseen", { cards: cards(table.helps.unseen) })] : []),
    ...GOODS.map((good) => {
      const values = view.tokens[good] ?? [];
      const key: Key = values.length ? "plain.tokens" : "plain.no_tokens";
      return say(key, { kind: say(`kind.${good}`), values: values.join(" ") });
    }),
    say("plain.bonus", { three: left["3"] ?? 0, four: left["4"] ?? 0, five: left["5"] ?? 0 }),
    say("plain.deck", { deck: say("goods", { n: view.deck }), discard: say("goods", { n: view.discard.length }) }),
  ];
}

function seenOf(name: string, trader: View["other"]): string {
  return say("plain.other", {
    name,
    hand: say("goods", { n: trader.hand }),
    herd: trader.herd === null ? say("plain.hidden_herd") : say("cards.M", { n: trader.herd }),
    rupees: say("rupees", { n: trader.rupees }),
    bonuses: say("bonuses", { n: sum(Object.values(trader.bonuses)) }),
  });
}

export interface KnownHand {
  name: string;
  shown: string;
  /** How many more cards the hand holds. */
  hidden: number;
}

/** What is known of the hands one does not see, where the table counts it. */
export function known({ helps, you }: Table, view: View, names: (seat: number) => string): KnownHand[] {
  const hands = [{ seat: 1 - view.seat, held: view.other.hand }];
  if (you === null) hands.push({ seat: view.seat, held: view.own.hand });
  if (!helps) return [];
  return hands.map(({ seat, held }) => {
    const shown = helps.shown[seat] ?? "";
    return { name: names(seat), shown, hidden: held - shown.length };
  });
}

/** What a message tells. */
export function happened(message: Message, names: Names): string {
  const { kind, seat } = message;
  if (kind === "abandoned") return say("told.abandoned");
  if (seat !== null && (kind === "resigned" || kind === "flagged")) return by(names(seat), `told.${kind}`);
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

type Done = "took" | "exchanged" | "sold" | "told.resigned" | "told.flagged" | "round.begins" | "web.round" | "web.over";

/** What somebody did, said to them where there is no name. */
export function by(name: string | null, key: Done, values: Values = {}): string {
  return name === null ? say(`${key}.you`, values) : say(`${key}.they`, { name, ...values });
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
