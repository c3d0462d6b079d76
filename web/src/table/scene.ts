// Where every card lies on the screen, so that it keeps its place and can be seen moving. The server tells piles; which of
// two equal cards lies where is decided here, and is nobody's secret.

import type { Message, View } from "../api/client";

/** Places that are seen as a whole, and into which or out of which a card can fly. */
export type Zone = "deck" | "discard" | "herd" | "own" | "other";

export interface Lying {
  id: number;
  kind: string;
  /** Where it comes from, when it was not seen before. */
  from: Zone;
}

export interface Scene {
  /** The five places of the market, which never move; one may be empty when the deck is. */
  market: (Lying | null)[];
  hand: Lying[];
  herd: Lying[];
  discard: Lying | null;
}

const PLACES = 5;
const ORDER = "DGSCPLM";

let ids = 0;
const laid = (kind: string, from: Zone = "deck"): Lying => ({ id: ++ids, kind, from });
const byKind = (one: Lying, other: Lying): number => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind);

/** What lies in each place of the market, a letter each; a dot where nothing does. */
export const places = ({ market }: Scene): string => market.map((card) => card?.kind ?? ".").join("");

/** A table laid out anew. What lay in a place of the market before, and still lies in the market, lies there again. */
export function layOut(view: View, before = ""): Scene {
  const rest = [...view.market];
  const still = Array.from({ length: PLACES }, (_, place) => {
    const found = rest.indexOf(before.charAt(place));
    return found < 0 ? undefined : rest.splice(found, 1)[0];
  });
  const kinds = still.map((kind) => kind ?? rest.shift());
  return {
    market: kinds.map((kind) => (kind ? laid(kind) : null)),
    hand: [...view.hand].map((kind) => laid(kind)),
    herd: Array.from({ length: view.herd }, () => laid("M", "herd")),
    discard: view.discard_top === null ? null : laid(view.discard_top),
  };
}

/** The scene as it is, where it still shows what lies on the table. */
export const keep = (scene: Scene, view: View): Scene => (fits(scene, view) ? scene : layOut(view, places(scene)));

/** Where a hand that is not seen is: below for the seat the table is seen from, above for the other. */
export const handOf = (seat: number | null, view: View): Zone => (seat === view.seat ? "own" : "other");

/** The scene after a message: the same cards where they went, those chosen first. What does not fit is laid out anew.
 * Whoever watches sees no hand. */
export function goOn(scene: Scene, { happenings }: Message, view: View, chosen: ReadonlySet<number>, watching: boolean): Scene {
  const mine = (seat: number): boolean => seat === view.seat && !watching;
  const market = [...scene.market];
  const hand = [...scene.hand];
  const herd = [...scene.herd];
  let { discard } = scene;

  const pick = (from: Lying[], kind: string): Lying => {
    const found = from.find((card) => card.kind === kind && chosen.has(card.id)) ?? from.find((card) => card.kind === kind);
    if (found) from.splice(from.indexOf(found), 1);
    return found ?? laid(kind);
  };
  const leave = (kind: string): Lying => {
    const card = pick(market.filter((each) => each !== null), kind);
    const place = market.indexOf(card);
    if (place >= 0) market[place] = null;
    return card;
  };
  const come = (card: Lying): void => {
    const place = market.indexOf(null);
    if (place >= 0) market[place] = card;
  };

  for (const each of happenings) {
    if (each.what === "took") {
      for (const kind of each.cards) {
        const card = leave(kind);
        if (mine(each.seat)) (kind === "M" ? herd : hand).push({ ...card, from: "herd" });
      }
    } else if (each.what === "gave") {
      for (const kind of each.cards) {
        come(mine(each.seat) ? pick(kind === "M" ? herd : hand, kind) : laid(kind, handOf(each.seat, view)));
      }
    } else if (each.what === "refilled") {
      for (const kind of each.cards) come(laid(kind));
    } else if (each.what === "sold") {
      for (const kind of each.cards) discard = mine(each.seat) ? pick(hand, kind) : laid(kind, handOf(each.seat, view));
    }
  }
  const next = { market, hand: hand.sort(byKind), herd, discard };
  return fits(next, view) ? next : layOut(view, places(next));
}

function fits(scene: Scene, view: View): boolean {
  const written = (cards: (Lying | null)[]): string =>
    cards.filter((card) => card !== null).sort(byKind).map((card) => card.kind).join("");
  return written(scene.market) === view.market && written(scene.hand) === view.hand && scene.herd.length === view.herd;
}

/** Where a card went that no longer lies for itself: to whoever moved, unless it was in the hand one sees. */
export function whereabouts(scene: Scene, mine: ReadonlySet<number>, id: number, mover: Zone): Zone {
  if (scene.herd.some((camel) => camel.id === id)) return "herd";
  return mine.has(id) ? "discard" : mover;
}
