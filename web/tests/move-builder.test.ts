import { beforeEach, describe, expect, test } from "vitest";
import { MoveBuilder } from "../src/table/move-builder.svelte";
import { aMessage, aTable, aView, took, refilled } from "./fixtures";

const MOVES = ["+P", "+L", "+M", "+PL-DM", "+PL-MM", "-DD"];
const table = aTable({ moves: MOVES, sales: { "-DD": { tokens: [7, 7], bonus: null } } });

let builder: MoveBuilder;

beforeEach(() => {
  builder = new MoveBuilder(table, aView());
});

function toggleMarket(kind: string): void {
  const card = builder.layout.market.find((each) => each?.kind === kind && !builder.selection.has(each.id));
  if (card) builder.toggleMarketCard(card);
}

test("a legal move is named on the button", () => {
  toggleMarket("P");
  expect(builder.move).toBe("+P");
  expect(builder.legal).toBe(true);
  expect(builder.label).toBe("take 1 spice");
  expect(builder.questioned).toBeUndefined();
});

test("an incomplete exchange is questioned, and can be filled with camels", () => {
  toggleMarket("P");
  toggleMarket("L");
  expect(builder.questioned).toEqual({ move: "+PL" });
  expect(builder.incomplete).toBe(true);
  builder.selectFilled();
  expect(builder.move).toBe("+PL-MM");
  expect(builder.questioned).toBeUndefined();
});

test("a card that leads to no legal move is questioned but not selected", () => {
  toggleMarket("P");
  builder.addHandCard("G");
  expect(builder.move).toBe("+P");
  expect(builder.questioned).toEqual({ move: "+P-G" });
  expect(builder.incomplete).toBe(false);
});

test("all camels of the market are selected together, and replaced by a good", () => {
  toggleMarket("M");
  expect(builder.move).toBe("+M");
  expect(builder.selection.size).toBe(3);
  toggleMarket("P");
  expect(builder.move).toBe("+P");
});

describe("camels of the herd", () => {
  test("are added one by one and removed together", () => {
    toggleMarket("P");
    toggleMarket("L");
    builder.addHerdCamel();
    builder.addHerdCamel();
    expect(builder.selectedCamels).toBe(2);
    builder.addHerdCamel();
    expect(builder.selectedCamels).toBe(0);
  });

  test("are questioned even if the player has none", () => {
    builder = new MoveBuilder(table, aView({ herd: 0 }));
    builder.addHerdCamel();
    expect(builder.questioned).toEqual({ move: "-M" });
  });

  test("share their key with the camels of the market", () => {
    builder.pressCamelKey();
    expect(builder.move).toBe("+M");
    builder.pressCamelKey();
    expect(builder.move).toBe("");
    toggleMarket("P");
    toggleMarket("L");
    builder.pressCamelKey();
    expect(builder.selectedCamels).toBe(1);
  });
});

test("a token pile selects the largest sale of its good", () => {
  builder.selectSale("D");
  expect(builder.move).toBe("-DD");
  builder.clear();
  builder.selectSale("L");
  expect(builder.questioned).toEqual({ move: "-L" });
});

test("cards outside all legal moves are dimmed on the player's turn", () => {
  const [diamond, , gold] = builder.layout.hand;
  if (!diamond || !gold) throw new Error("no cards");
  expect([builder.isDimmed(diamond), builder.isDimmed(gold)]).toEqual([false, true]);
  builder.update({ ...table, version: 3, turn: 1 }, aView(), undefined);
  expect(builder.isDimmed(gold)).toBe(false);
  expect(builder.label).toBe("Waiting for Bo");
});

test("a move clears the selection, and other messages keep it", () => {
  toggleMarket("P");
  builder.update({ ...table, version: 3 }, aView(), aMessage(3, { kind: "left" }));
  expect(builder.move).toBe("+P");
  const message = aMessage(4, { seat: 0, happenings: [took(0, "P"), refilled("D")] });
  builder.update({ ...table, version: 4 }, aView({ market: "DLMMM", hand: "DDGSCP" }), message);
  expect(builder.move).toBe("");
  expect(builder.layout.hand).toHaveLength(6);
});

test("the first move of a game comes with a hint", () => {
  builder = new MoveBuilder(table, aView({ moves_played: 0 }));
  expect(builder.hint).toBe(true);
  expect(builder.label).toMatch(/^Choose a card in the market/);
  toggleMarket("P");
  expect(builder.hint).toBe(false);
});
