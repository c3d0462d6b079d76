import { describe, expect, test } from "vitest";
import { describeCards, describeMessage, describeMove, describeTable, knownHands } from "../src/game/describe";
import { aMessage, aTable, aView, bonus, ended, gave, refilled, sold, took } from "./fixtures";

const names = (seat: number): string => ["Ann", "Bo"][seat] ?? "";
/** Seat 0 reads. */
const addressee = (seat: number): string | null => (seat ? "Bo" : null);

test("cards are listed with their numbers", () => {
  expect(describeCards("MGG")).toBe("2 gold and 1 camel");
});

describe("a legal move", () => {
  const table = aTable({
    sales: { "-DD": { tokens: [7, 7], bonus: null }, "-CCC": { tokens: [5, 3, 3], bonus: "3" } },
  });

  test("taking all camels names how many there are", () => {
    expect(describeMove("+M", table)).toBe("take 3 camels");
  });

  test("an exchange names both sides", () => {
    expect(describeMove("+PL-DM", table)).toBe("take 1 spice and 1 leather for 1 diamond and 1 camel");
  });

  test("a sale names the rupees of each token and the bonus", () => {
    expect(describeMove("-DD", table)).toBe("sell 2 diamonds for 14 rupees (7\u00a0+\u00a07)");
    expect(describeMove("-CCC", table)).toBe("sell 3 cloth for 11 rupees (5\u00a0+\u00a03\u00a0+\u00a03) and a bonus");
  });
});

describe("a message", () => {
  test("addresses the reader and names the other player", () => {
    const message = aMessage(3, { happenings: [took(0, "P"), refilled("D")] });
    expect(describeMessage(message, addressee)).toBe("You took 1 spice. From the deck: 1 diamond.");
    expect(describeMessage(message, names)).toMatch(/^Ann took 1 spice\./);
  });

  test("an exchange is one sentence", () => {
    const message = aMessage(3, { happenings: [took(1, "PL"), gave(1, "DM")] });
    expect(describeMessage(message, addressee)).toBe("Bo took 1 spice and 1 leather for 1 diamond and 1 camel.");
  });

  test("a hidden bonus has no value", () => {
    const sale = (value: number | null): string =>
      describeMessage(aMessage(3, { happenings: [sold(1, "CCC", [5, 3, 3]), bonus(1, "3", value)] }), addressee);
    expect(sale(2)).toContain("2");
    expect(sale(null)).toMatch(/^Bo sold 3 cloth for 11 rupees \(5\+3\+3\)\./);
    expect(sale(null)).not.toBe(sale(2));
  });

  test("the end of a round and of a game are announced", () => {
    expect(describeMessage(aMessage(3, { happenings: [ended("deck")] }), addressee)).not.toBe("");
    expect(describeMessage(aMessage(3, { kind: "resigned", seat: 1 }), addressee)).toBe("Bo resigned.");
    expect(describeMessage(aMessage(3, { kind: "flagged", seat: 0 }), addressee)).toBe("You ran out of time.");
    expect(describeMessage(aMessage(3, { kind: "abandoned", seat: null }), addressee)).toMatch(/^Nobody has played/);
    const stopped = aMessage(3, { kind: "stopped", seat: null, happenings: [ended("exchanges")] });
    expect(describeMessage(stopped, addressee)).toBe("The round is over: there were too many exchanges in a row.");
    expect(describeMessage(aMessage(3, { kind: "drawn", seat: null }), addressee)).toMatch(
      /without a winner after \d+/,
    );
  });
});

describe("the table in sentences", () => {
  test("a player reads their own hand, a spectator reads no hand", () => {
    const own = describeTable(aTable(), aView(), names);
    expect(own.join(" ")).toContain("2 diamonds, 1 gold, 1 silver and 1 cloth");
    const spectator = describeTable(aTable({ you: null }), aView({ hand: "", herd: 0 }), names);
    expect(spectator[0]).toBe("Round 1. Seals: Ann 0, Bo 0.");
    expect(spectator.join(" ")).not.toMatch(/\byou/i);
  });

  test("known cards are listed only with the memory aid", () => {
    expect(knownHands(aTable(), aView(), names)).toEqual([]);
    const helps = { shown: ["", "PL"], unseen: "DDD" } as never;
    expect(knownHands(aTable({ helps }), aView(), names)).toEqual([{ name: "Bo", shown: "PL", hidden: 3 }]);
    expect(knownHands(aTable({ helps, you: null }), aView(), names)).toHaveLength(2);
  });
});
