import { expect, test } from "vitest";
import { applyMove, createLayout, keepLayout, type Layout } from "../src/table/layout";
import { fillWithCamels, isPartOfLegalMove, selectedMove, toggle, type Selection } from "../src/table/selection";
import { aMessage, aView, gave, refilled, took } from "./fixtures";

const layout = createLayout(aView(), "PLMMM");

/** The ids of the first unselected cards of these kinds: market, then hand and herd. */
function select(taken: string, given = "", { market, hand, herd }: Layout = layout): Selection {
  const ids = new Set<number>();
  for (const [kinds, cards] of [[taken, market] as const, [given, [...hand, ...herd]] as const]) {
    for (const kind of kinds) {
      const card = cards.find((each) => each?.kind === kind && !ids.has(each.id));
      if (!card) throw new Error(`no ${kind}`);
      ids.add(card.id);
    }
  }
  return ids;
}

test("the selected cards are written as a move", () => {
  expect(selectedMove(layout, select(""))).toBe("");
  expect(selectedMove(layout, select("P"))).toBe("+P");
  expect(selectedMove(layout, select("LP", "MD"))).toBe("+PL-DM");
  expect(selectedMove(layout, select("", "DD"))).toBe("-DD");
  expect(selectedMove(layout, select("MMM"))).toBe("+M");
});

test("a selection is part of a legal move if one contains all its cards", () => {
  const moves = ["+P", "+M", "+PL-DM", "-DD"];
  expect(isPartOfLegalMove(moves, layout, select("PL"))).toBe(true);
  expect(isPartOfLegalMove(moves, layout, select("P", "D"))).toBe(true);
  expect(isPartOfLegalMove(moves, layout, select("P", "DD"))).toBe(false);
  expect(isPartOfLegalMove(moves, layout, select("MMM"))).toBe(true);
  expect(isPartOfLegalMove(["+P", "+PL-DM"], layout, select("MMM"))).toBe(false);
});

test("camels of the herd complete an exchange", () => {
  const filled = fillWithCamels(["+PL-MM"], layout, select("PL"));
  expect(filled && selectedMove(layout, filled)).toBe("+PL-MM");
  expect(fillWithCamels(["+PL-DG"], layout, select("PL"))).toBeNull();
});

test("toggling a card twice changes nothing", () => {
  const [card] = layout.hand;
  if (!card) throw new Error("empty hand");
  expect([...toggle(toggle(select("P"), card), card)]).toEqual([...select("P")]);
});

const places = ({ market }: Layout): string => market.map((card) => card?.kind ?? ".").join("");

test("cards keep their place in the market, and the selected one of two equal cards moves", () => {
  const before = createLayout(aView(), "MPCPM");
  const [, first, , second] = before.market;
  if (!first || !second) throw new Error("no card");
  const view = aView({ hand: "DDGSCP" });
  const message = aMessage(3, { happenings: [took(0, "P"), refilled("D")] }, { market_places: "MDCPM" });
  const after = applyMove(before, message, view, new Set([second.id]), false);
  expect(places(after)).toBe("MDCPM");
  expect(after.hand.map(({ id }) => id)).toContain(second.id);
  // The other one takes the place of the selected one, because both players see the leftmost place change.
  expect(after.market[3]).toBe(first);
});

test("a layout that no longer fits the view is created anew", () => {
  expect(keepLayout(layout, aView(), "PLMMM")).toBe(layout);
  expect(places(keepLayout(layout, aView(), "PGS.C"))).toBe("PGS.C");
  const message = aMessage(3, { happenings: [took(1, "PL"), gave(1, "DD")] }, { market_places: "PGSDC" });
  expect(places(applyMove(layout, message, aView(), new Set(), false))).toBe("PGSDC");
});
