// The position of every card on the screen, so that a card keeps its place and its movement can be animated. The server
// decides the places in the market, which both players see alike. It sends all other cards as piles.

import type { Message, View } from "../api/client";
import { CAMEL, compareKinds, sortCards } from "../game/cards";

/** The areas that cards move into or out of. */
export type Zone = "deck" | "discard" | "herd" | "own" | "other";

export interface PlacedCard {
  id: number;
  kind: string;
  /** The zone from which the card comes, if it was not visible before. */
  from: Zone;
}

export interface Layout {
  /** The five places of the market. A place is null if the deck had no card for it. */
  market: (PlacedCard | null)[];
  hand: PlacedCard[];
  herd: PlacedCard[];
  discard: PlacedCard | null;
}

let lastId = 0;
const place = (kind: string, from: Zone = "deck"): PlacedCard => ({ id: ++lastId, kind, from });

const isCard = (card: PlacedCard | null): card is PlacedCard => card !== null;

/** An empty place of the market, in the text that the server sends. */
const EMPTY = ".";

const marketText = (market: Layout["market"]): string => market.map((card) => card?.kind ?? EMPTY).join("");

/** A new layout. `places` are the places of the market as the server sends them. */
export function createLayout(view: View, places: string): Layout {
  return {
    market: [...places].map((kind) => (kind === EMPTY ? null : place(kind))),
    hand: [...view.hand].map((kind) => place(kind)),
    herd: Array.from({ length: view.herd }, () => place(CAMEL, "herd")),
    discard: view.discard_top === null ? null : place(view.discard_top),
  };
}

/** The same layout if it still shows the view, else a new one. */
export const keepLayout = (layout: Layout, view: View, places: string): Layout =>
  shows(layout, view, places) ? layout : createLayout(view, places);

/** The zone of a hand that is not shown as cards. */
export const handZone = (seat: number | null, view: View): Zone => (seat === view.seat ? "own" : "other");

/** The layout after a move. Cards that the player selected move first. Spectators see no hand. */
export function applyMove(
  layout: Layout,
  { happenings, table }: Message,
  view: View,
  selected: ReadonlySet<number>,
  spectator: boolean,
): Layout {
  const isOwn = (seat: number): boolean => seat === view.seat && !spectator;
  const market = [...layout.market];
  const hand = [...layout.hand];
  const herd = [...layout.herd];
  let { discard } = layout;

  function remove(cards: PlacedCard[], kind: string): PlacedCard {
    const same = cards.filter((card) => card.kind === kind);
    const card = same.find(({ id }) => selected.has(id)) ?? same[0];
    if (card) cards.splice(cards.indexOf(card), 1);
    return card ?? place(kind);
  }
  /** The server empties the leftmost place of a kind. Another card of that kind may be the one that the player chose. */
  function removeFromMarket(kind: string): PlacedCard {
    const card = remove(market.filter(isCard), kind);
    const [left, from] = [market.findIndex((other) => other?.kind === kind), market.indexOf(card)];
    if (left >= 0) [market[from], market[left]] = [market[left] ?? null, null];
    return card;
  }
  function addToMarket(card: PlacedCard): void {
    const index = market.indexOf(null);
    if (index >= 0) market[index] = card;
  }

  for (const each of happenings) {
    if (each.what === "took") {
      for (const kind of each.cards) {
        const card = removeFromMarket(kind);
        if (isOwn(each.seat)) (kind === CAMEL ? herd : hand).push({ ...card, from: "herd" });
      }
    } else if (each.what === "gave") {
      for (const kind of each.cards) {
        const own = kind === CAMEL ? herd : hand;
        addToMarket(isOwn(each.seat) ? remove(own, kind) : place(kind, handZone(each.seat, view)));
      }
    } else if (each.what === "refilled") {
      for (const kind of each.cards) addToMarket(place(kind));
    } else if (each.what === "sold") {
      for (const kind of each.cards) {
        discard = isOwn(each.seat) ? remove(hand, kind) : place(kind, handZone(each.seat, view));
      }
    }
  }
  hand.sort((a, b) => compareKinds(a.kind, b.kind));
  return keepLayout({ market, hand, herd, discard }, view, table.market_places);
}

function shows({ market, hand, herd }: Layout, view: View, places: string): boolean {
  const held = sortCards(hand.map(({ kind }) => kind));
  return marketText(market) === places && held === view.hand && herd.length === view.herd;
}

/** The zone of a card that is no longer shown: the herd, the discard pile (from the own hand), or the mover's zone. */
export function destination(layout: Layout, ownHand: ReadonlySet<number>, id: number, mover: Zone): Zone {
  if (layout.herd.some((camel) => camel.id === id)) return "herd";
  return ownHand.has(id) ? "discard" : mover;
}
