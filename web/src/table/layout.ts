// The position of every card on the screen, so that a card keeps its place and its movement can be animated. The server
// sends only piles. This code chooses the place of each card, so the places reveal no hidden information.

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

const MARKET_PLACES = 5;

let lastId = 0;
const place = (kind: string, from: Zone = "deck"): PlacedCard => ({ id: ++lastId, kind, from });

const isCard = (card: PlacedCard | null): card is PlacedCard => card !== null;

/** The market as text, one letter for each place and a dot for an empty one. */
export const marketPlaces = ({ market }: Layout): string => market.map((card) => card?.kind ?? ".").join("");

/** A new layout. A card of `market` (see `marketPlaces`) that is still in the market keeps its place. */
export function createLayout(view: View, market = ""): Layout {
  const rest = [...view.market];
  const unchanged = Array.from({ length: MARKET_PLACES }, (_, index) => {
    const found = rest.indexOf(market.charAt(index));
    return found < 0 ? undefined : rest.splice(found, 1)[0];
  });
  const kinds = unchanged.map((kind) => kind ?? rest.shift());
  return {
    market: kinds.map((kind) => (kind ? place(kind) : null)),
    hand: [...view.hand].map((kind) => place(kind)),
    herd: Array.from({ length: view.herd }, () => place(CAMEL, "herd")),
    discard: view.discard_top === null ? null : place(view.discard_top),
  };
}

/** The same layout if it still shows the view, else a new one. */
export const keepLayout = (layout: Layout, view: View): Layout =>
  shows(layout, view) ? layout : createLayout(view, marketPlaces(layout));

/** The zone of a hand that is not shown as cards. */
export const handZone = (seat: number | null, view: View): Zone => (seat === view.seat ? "own" : "other");

/** The layout after a move. Cards that the player selected move first. Spectators see no hand. */
export function applyMove(
  layout: Layout,
  { happenings }: Message,
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
  function removeFromMarket(kind: string): PlacedCard {
    const card = remove(market.filter(isCard), kind);
    const index = market.indexOf(card);
    if (index >= 0) market[index] = null;
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
  return keepLayout({ market, hand, herd, discard }, view);
}

function shows({ market, hand, herd }: Layout, view: View): boolean {
  const text = (cards: (PlacedCard | null)[]): string => sortCards(cards.filter(isCard).map(({ kind }) => kind));
  return text(market) === view.market && text(hand) === view.hand && herd.length === view.herd;
}

/** The zone of a card that is no longer shown: the herd, the discard pile (from the own hand), or the mover's zone. */
export function destination(layout: Layout, ownHand: ReadonlySet<number>, id: number, mover: Zone): Zone {
  if (layout.herd.some((camel) => camel.id === id)) return "herd";
  return ownHand.has(id) ? "discard" : mover;
}
