// The move of the selected cards. This code does not check rules: a move is legal if it is in the server's list of legal
// moves.

import { containsCards, formatMove, parseMove, TAKE_CAMELS, type Move } from "../game/cards";
import type { Layout, PlacedCard } from "./layout";

/** The ids of the selected cards. */
export type Selection = ReadonlySet<number>;

export const EMPTY: Selection = new Set();

/** The cards to take and to give. */
export function selectedCards(layout: Layout, selection: Selection): Move {
  const kinds = (cards: (PlacedCard | null)[]): string =>
    cards.map((card) => (card && selection.has(card.id) ? card.kind : "")).join("");
  return { taken: kinds(layout.market), given: kinds([...layout.hand, ...layout.herd]) };
}

/** The text of the selected move; empty if nothing is selected. */
export const selectedMove = (layout: Layout, selection: Selection): string =>
  formatMove(selectedCards(layout, selection));

/** Whether the selection is part of a legal move. */
export function isPartOfLegalMove(moves: readonly string[], layout: Layout, selection: Selection): boolean {
  const { taken, given } = selectedCards(layout, selection);
  if (formatMove({ taken, given }) === TAKE_CAMELS) return moves.includes(TAKE_CAMELS);
  return moves.map(parseMove).some((move) => containsCards(move.taken, taken) && containsCards(move.given, given));
}

/** The selection, completed with camels of the herd; null if that is not a legal move. */
export function fillWithCamels(moves: readonly string[], layout: Layout, selection: Selection): Selection | null {
  const filled = new Set(selection);
  for (const camel of layout.herd) {
    if (filled.has(camel.id)) continue;
    filled.add(camel.id);
    if (moves.includes(selectedMove(layout, filled))) return filled;
  }
  return null;
}

/** The selection with a card added, or removed if it was selected. */
export function toggle(selection: Selection, { id }: PlacedCard): Selection {
  const changed = new Set(selection);
  if (!changed.delete(id)) changed.add(id);
  return changed;
}
