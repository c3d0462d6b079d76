// Sentences about cards, moves, the table and events, for the action button, the news line, the log and screen readers.

import type { Message, Table, View } from "../api/client";
import { joinList, t, type Key, type Values } from "../i18n.svelte";
import { CAMEL, countKinds, GOODS, parseMove, TAKE_CAMELS } from "./cards";

/** The name of a seat in sentences about it; null if the sentence addresses the reader ("You took …"). */
export type Addressee = (seat: number) => string | null;

/** Cards with their numbers: "2 gold and 1 camel". */
export const describeCards = (pile: string): string =>
  joinList(countKinds(pile).map(({ kind, n }) => t(`cards.${kind}`, { n })));

/** The name of one card. */
export const cardName = (kind: string): string => t(`card.${kind}` as "card.D");

/** The tooltip of a card's letter, which is also its key on the keyboard. */
export const letterHint = (letter: string): string => t("web.letter", { letter, card: cardName(letter) });

/** The effect of a legal move. */
export function describeMove(move: string, { view, sales }: Table): string {
  const { taken, given } = parseMove(move);
  const sale = sales[move];
  if (sale) return describeSale(given, sale);
  if (given) return t("moves.exchange", { taken: describeCards(taken), given: describeCards(given) });
  const market = view?.market ?? "";
  const camels = CAMEL.repeat(market.split(CAMEL).length - 1);
  return t("moves.take", { cards: describeCards(move === TAKE_CAMELS ? camels : taken) });
}

function describeSale(given: string, { tokens, bonus }: Table["sales"][string]): string {
  const total = t("rupees", { n: sum(tokens) });
  const rupees = tokens.length > 1 ? `${total} (${tokens.join("\u00a0+\u00a0")})` : total;
  return t(bonus === null ? "moves.sell" : "moves.sell.bonus", { cards: describeCards(given), rupees });
}

/** Everything on the table, as a list of sentences. */
export function describeTable(table: Table, view: View, nameOf: (seat: number) => string): string[] {
  const { own, other } = view;
  const [first, name] = [nameOf(view.seat), nameOf(1 - view.seat)];
  const spectator = table.you === null;
  const bonus = sum(own.bonus_values ?? []);
  const round = { number: table.rounds.length, first, own: own.seals, name, other: other.seals };
  return [
    t(spectator ? "plain.round.watched" : "plain.round", round),
    t("plain.market", { cards: describeCards(view.market) }),
    ...(spectator
      ? [describePlayer(first, own)]
      : [
          t("plain.hand", { cards: describeCards(view.hand) }),
          t("plain.herd", { cards: t("cards.M", { n: view.herd }) }),
          t("plain.own", { rupees: t("rupees", { n: own.rupees + bonus }), goods: own.rupees, bonus }),
        ]),
    describePlayer(name, other),
    ...knownHands(table, view, nameOf).map(({ name, shown }) =>
      t("plain.known", { name, cards: describeCards(shown) }),
    ),
    ...(table.helps ? [t("plain.unseen", { cards: describeCards(table.helps.unseen) })] : []),
    ...GOODS.map((good) => describeTokens(good, view.tokens[good] ?? [])),
    t("plain.bonus", { three: view.bonus["3"] ?? 0, four: view.bonus["4"] ?? 0, five: view.bonus["5"] ?? 0 }),
    t("plain.deck", { deck: t("goods", { n: view.deck }), discard: t("goods", { n: view.discard.length }) }),
  ];
}

/** The remaining tokens of a good. */
export function describeTokens(good: string, values: number[]): string {
  const key: Key = values.length ? "plain.tokens" : "plain.no_tokens";
  return t(key, { kind: t(`kind.${good}` as "kind.D"), values: values.join(" ") });
}

function describePlayer(name: string, player: View["other"]): string {
  return t("plain.other", {
    name,
    hand: t("goods", { n: player.hand }),
    herd: player.herd === null ? t("plain.hidden_herd") : t("cards.M", { n: player.herd }),
    rupees: t("rupees", { n: player.rupees }),
    bonuses: t("bonuses", { n: sum(Object.values(player.bonuses)) }),
  });
}

export interface KnownHand {
  name: string;
  shown: string;
  /** The number of other cards in the hand. */
  hidden: number;
}

/** The known cards of the hands that the reader does not see, if the table has the memory aid. */
export function knownHands({ helps, you }: Table, view: View, nameOf: (seat: number) => string): KnownHand[] {
  const hands = [{ seat: 1 - view.seat, size: view.other.hand }];
  if (you === null) hands.push({ seat: view.seat, size: view.own.hand });
  if (!helps) return [];
  return hands.map(({ seat, size }) => {
    const shown = helps.shown[seat] ?? "";
    return { name: nameOf(seat), shown, hidden: size - shown.length };
  });
}

/** The event of a message, in one or more sentences. */
export function describeMessage(message: Message, addressee: Addressee): string {
  const { kind, seat } = message;
  if (kind === "abandoned") return t("told.abandoned");
  if (kind === "drawn") return t("told.drawn", { n: message.table.rounds.length });
  if (seat !== null && (kind === "resigned" || kind === "flagged"))
    return sentenceAbout(addressee(seat), `told.${kind}`);
  const gave = message.happenings.find((each) => each.what === "gave");
  const sentences = message.happenings.map((each): string => {
    switch (each.what) {
      case "took":
        return gave
          ? sentenceAbout(addressee(each.seat), "exchanged", {
              taken: describeCards(each.cards),
              given: describeCards(gave.cards),
            })
          : sentenceAbout(addressee(each.seat), "took", { cards: describeCards(each.cards) });
      case "sold": {
        const parts = each.tokens.length > 1 ? ` (${each.tokens.join("+")})` : "";
        const rupees = t("rupees", { n: sum(each.tokens) });
        return sentenceAbout(addressee(each.seat), "sold", { cards: describeCards(each.cards), rupees, sum: parts });
      }
      case "bonus": {
        const size = t("goods", { n: Number(each.pile) });
        return each.value === null ? t("bonus.hidden", { size }) : t("bonus.seen", { size, value: each.value });
      }
      case "refilled":
        return each.cards && t("came", { cards: describeCards(each.cards) });
      case "ended":
        return t(`ended.${each.ended}`);
      default:
        return "";
    }
  });
  return sentences.filter(Boolean).join(" ");
}

type SentenceKey =
  "took" | "exchanged" | "sold" | "told.resigned" | "told.flagged" | "round.begins" | "web.round" | "web.over";

/** A sentence about a named player, or addressed to the reader if the name is null. */
export function sentenceAbout(name: string | null, key: SentenceKey, values: Values = {}): string {
  return name === null ? t(`${key}.you`, values) : t(`${key}.they`, { name, ...values });
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
