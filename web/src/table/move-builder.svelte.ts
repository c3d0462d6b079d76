// The state of the board while a player builds a move: the layout of the cards, the selected cards, and an explanation if
// the selection is not a legal move (yet).

import type { Message, Table, View } from "../api/client";
import { CAMEL, formatMove, parseMove, TAKE_CAMELS } from "../game/cards";
import { describeMove } from "../game/describe";
import { t } from "../i18n.svelte";
import { finishAnimations } from "./animations";
import { applyMove, createLayout, keepLayout, type Layout, type PlacedCard } from "./layout";
import {
  EMPTY,
  fillWithCamels,
  isPartOfLegalMove,
  selectedCards,
  selectedMove,
  toggle,
  type Selection,
} from "./selection";
import { panelName } from "./wording";

export class MoveBuilder {
  /** The table and the view that the layout shows. */
  table = $state.raw() as Table;
  view = $state.raw() as View;
  layout = $state.raw() as Layout;
  selection = $state.raw(EMPTY);
  /** A move that is not legal; the server explains why. */
  questioned = $state.raw<{ move: string }>();

  readonly move = $derived(selectedMove(this.layout, this.selection));
  readonly legal = $derived(this.table.moves.includes(this.move));
  readonly spectator = $derived(this.table.you === null);
  readonly myTurn = $derived(this.table.turn === this.view.seat && !this.spectator);
  readonly selectedCamels = $derived(this.layout.herd.filter(({ id }) => this.selection.has(id)).length);
  /** The selection completed with camels, if that makes a legal move. */
  readonly filled = $derived(
    this.move && !this.legal ? fillWithCamels(this.table.moves, this.layout, this.selection) : null,
  );
  /** Whether the selection is part of a legal move, and more cards are needed. */
  readonly incomplete = $derived(this.questioned?.move === this.move && this.#leadsOn(this.selection));
  /** Whether the player to move has not made a move in this game yet. */
  readonly #firstTurn = $derived(this.table.rounds.length === 1 && this.view.moves_played < 2);
  /** Whether the button explains how to select a move. */
  readonly hint = $derived(this.myTurn && this.#firstTurn && !this.legal && !this.questioned);
  /** The text of the button that plays the move. */
  readonly label = $derived.by(() => {
    const { table } = this;
    if (this.legal) return describeMove(this.move, table);
    if (!this.myTurn) return table.turn === null ? "" : t("web.wait", { name: panelName(table, table.turn) });
    if (this.questioned) return t(this.incomplete ? "web.choose.on" : "web.choose.not");
    return t(this.#firstTurn ? "web.choose.first" : "web.choose");
  });

  constructor(table: Table, view: View) {
    [this.table, this.view, this.layout] = [table, view, createLayout(view, table.market_places)];
  }

  /** Show a new state of the table. Cards keep their places; the selection is cleared if cards moved or the game is over. */
  update(table: Table, view: View, message: Message | undefined): void {
    const sameRound = this.table.rounds.length === table.rounds.length && this.table.you === table.you;
    const layout = sameRound ? this.#nextLayout(table, view, message) : createLayout(view, table.market_places);
    if (layout !== this.layout || table.over) this.selection = EMPTY;
    [this.table, this.view, this.layout] = [table, view, layout];
    this.questioned = undefined;
  }

  #nextLayout(table: Table, view: View, message: Message | undefined): Layout {
    if (message?.kind !== "played" || message.version !== table.version)
      return keepLayout(this.layout, view, table.market_places);
    return applyMove(this.layout, message, view, this.selection, table.you === null);
  }

  clear(): void {
    this.#select(EMPTY);
  }

  /** Select a card of the market, or deselect it. Camels are selected together, and never with goods. */
  toggleMarketCard(card: PlacedCard): void {
    if (card.kind === CAMEL) return this.toggleMarketCamels();
    const camelsSelected = this.#marketCamels().some(({ id }) => this.selection.has(id));
    this.#select(camelsSelected ? new Set([card.id]) : toggle(this.selection, card));
  }

  toggleMarketCamels(): void {
    this.#select(this.#withMarketCamels());
  }

  toggleHandCard(card: PlacedCard): void {
    this.#select(toggle(this.selection, card));
  }

  /** Select the next card of a good in the hand. */
  addHandCard(good: string): void {
    const next = this.layout.hand.find(({ id, kind }) => kind === good && !this.selection.has(id));
    if (next) this.toggleHandCard(next);
  }

  /** Select one more camel of the herd; deselect all when no more can be given. */
  addHerdCamel(): void {
    const next = this.layout.herd.find(({ id }) => !this.selection.has(id));
    const { taken, given } = selectedCards(this.layout, this.selection);
    const more = next && new Set([...this.selection, next.id]);
    if (more && this.#leadsOn(more)) this.#select(more);
    else if (this.selectedCamels) this.#select(this.#withoutHerd());
    // The server explains why a camel cannot be given, even if the player has none.
    else this.questioned = { move: formatMove({ taken, given: given + CAMEL }) };
  }

  /** The M key: takes the camels of the market if nothing else is selected, otherwise gives a camel. */
  pressCamelKey(): void {
    const takesCamels = this.move === TAKE_CAMELS || (!this.selection.size && this.#marketCamels().length > 0);
    if (takesCamels) this.toggleMarketCamels();
    else this.addHerdCamel();
  }

  /** Select the largest possible sale of a good. */
  selectSale(good: string): void {
    const sizes = Object.keys(this.table.sales)
      .map((sale) => parseMove(sale).given)
      .filter((cards) => cards.startsWith(good))
      .map((cards) => cards.length);
    const cards = this.layout.hand.filter(({ kind }) => kind === good).slice(0, Math.max(1, ...sizes));
    if (cards.length) this.#select(new Set(cards.map(({ id }) => id)));
    else this.questioned = { move: formatMove({ taken: "", given: good }) };
  }

  selectFilled(): void {
    if (this.filled) this.#select(this.filled);
  }

  /** Whether no legal move contains the selection together with this card. */
  isDimmed(card: PlacedCard): boolean {
    if (!this.myTurn || this.selection.has(card.id)) return false;
    const marketCamel = card.kind === CAMEL && !this.layout.herd.includes(card);
    return !this.#leadsOn(marketCamel ? this.#withMarketCamels() : toggle(this.selection, card));
  }

  #select(wanted: Selection): void {
    finishAnimations();
    const added = wanted.size > this.selection.size;
    if (added && this.myTurn && !this.#leadsOn(wanted)) return this.#question(wanted);
    this.selection = wanted;
    if (this.legal || !this.move) this.questioned = undefined;
    else this.#question(wanted);
  }

  #question(selection: Selection): void {
    this.questioned = { move: selectedMove(this.layout, selection) };
  }

  #leadsOn(selection: Selection): boolean {
    return isPartOfLegalMove(this.table.moves, this.layout, selection);
  }

  #marketCamels(): PlacedCard[] {
    return this.layout.market.filter((card) => card?.kind === CAMEL) as PlacedCard[];
  }

  #withMarketCamels(): Selection {
    const camels = this.#marketCamels().map(({ id }) => id);
    return camels.every((id) => this.selection.has(id)) ? EMPTY : new Set(camels);
  }

  #withoutHerd(): Selection {
    const herd = new Set(this.layout.herd.map(({ id }) => id));
    return new Set([...this.selection].filter((id) => !herd.has(id)));
  }
}
