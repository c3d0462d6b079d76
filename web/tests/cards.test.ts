import { describe, expect, test } from "vitest";
import { containsCards, countKinds, formatMove, isGood, KINDS, parseMove, sortCards } from "../src/game/cards";

test("cards are sorted in the order of the notation, camels last", () => {
  expect(KINDS.join("")).toBe("DGSCPLM");
  expect(sortCards("MLPCSGD")).toBe("DGSCPLM");
});

test("the kinds of a pile are counted in order", () => {
  expect(countKinds("MGDGM")).toEqual([
    { kind: "D", n: 1 },
    { kind: "G", n: 2 },
    { kind: "M", n: 2 },
  ]);
  expect(countKinds("")).toEqual([]);
});

test("a pile contains cards only as often as it has them", () => {
  expect(containsCards("DDG", "DG")).toBe(true);
  expect(containsCards("DDG", "GG")).toBe(false);
  expect(containsCards("", "")).toBe(true);
});

test("a camel is not a good", () => {
  expect(isGood("D")).toBe(true);
  expect(isGood("M")).toBe(false);
  expect(isGood("X")).toBe(false);
});

describe("moves", () => {
  test.each([
    ["+P", { taken: "P", given: "" }],
    ["+PL-DM", { taken: "PL", given: "DM" }],
    ["-DD", { taken: "", given: "DD" }],
    ["+M", { taken: "M", given: "" }],
  ])("%s is parsed and formatted", (text, move) => {
    expect(parseMove(text)).toEqual(move);
    expect(formatMove(move)).toBe(text);
  });

  test("camels taken alone are all the camels of the market", () => {
    expect(formatMove({ taken: "MMM", given: "" })).toBe("+M");
    expect(formatMove({ taken: "MM", given: "DG" })).toBe("+MM-DG");
  });

  test("the cards of a move are sorted", () => {
    expect(formatMove({ taken: "LP", given: "MD" })).toBe("+PL-DM");
  });

  test("no cards are no move, and other text is not parsed", () => {
    expect(formatMove({ taken: "", given: "" })).toBe("");
    expect(parseMove("take gold")).toEqual({ taken: "", given: "" });
  });
});
