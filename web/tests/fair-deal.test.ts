import { beforeEach, describe, expect, test, vi } from "vitest";
import vectorFile from "../../tests/golden/fair_deals.json";
import type { Table } from "../src/api/client";
import { contribute, notedRounds } from "../src/noted-deals";
import { checkRound, type NotedRound } from "../src/table/fair-deal";
import { aTable } from "./fixtures";

type Round = Table["rounds"][number];
type Vector = { table: string; round: number; salt: string; commitment: string; starts: 0 | 1; deal: string } & {
  contributions: [string | null, string | null];
  bonus: Record<string, number[]>;
};

/** The tests in Python use the same test vectors. */
const vectors = vectorFile as unknown as Vector[];
const [first] = vectors as [Vector, ...Vector[]];

const revealed = ({ commitment, contributions, ...opened }: Vector): Round => ({ commitment, contributions, opened });

const check = (vector: Vector, noted?: NotedRound): Promise<string> =>
  checkRound(vector.table, vector.round, revealed(vector), noted);

const notes = (changes: Partial<NotedRound> = {}): NotedRound => ({
  commitment: first.commitment,
  contribution: first.contributions[1] ?? "",
  contributions: first.contributions,
  ...changes,
});

const swapped = (deal: string): string => deal.slice(1) + deal.charAt(0);

describe("the check of a deal", () => {
  test.each(vectors)("finds that a deal is derived (test vector %#)", async (vector) => {
    expect(await check(vector)).toBe("unnoted");
  });

  test.each<[string, Partial<Vector>]>([
    ["another order of the cards", { deal: swapped(first.deal) }],
    ["another order of bonus tokens", { bonus: { ...first.bonus, 5: [...(first.bonus[5] ?? [])].reverse() } }],
    ["another starting seat", { starts: first.starts ? 0 : 1 }],
    ["another salt", { salt: "0".repeat(64) }],
    ["another contribution", { contributions: [null, first.contributions[1]] }],
    ["another table", { table: "another" }],
    ["another round", { round: 2 }],
  ])("detects %s", async (_, change) => {
    expect(await check({ ...first, ...change })).toBe("broken");
  });

  test("proves that the deal contains the contribution of this browser", async () => {
    expect(await check(first, notes())).toBe("proven");
    expect(await check(first, notes({ contribution: "0".repeat(64) }))).toBe("late");
  });

  test("detects values that differ from the stored ones", async () => {
    expect(await check(first, notes({ commitment: "0".repeat(64) }))).toBe("broken");
    expect(await check(first, notes({ contributions: [null, first.contributions[1]] }))).toBe("broken");
  });

  test("checks the commitment to the deal at a table of version 0.1", async () => {
    const old: Round = {
      commitment: "fc9aad566b0b94893c1c445abc66f0418515dd575ede1d44ccfaefa048d386b2",
      contributions: null,
      opened: {
        salt: "bb968a437d5c8dfc5eda92d864ac5db9d707107e855c384429e821a4c74803e3",
        starts: 1,
        deal: "MLPDSGCLMPGCDSCSCMLCMCLGDPMMGPLMLLPGPSDPSMDDLPCCSLLG",
        bonus: { 3: [2, 1, 1, 2, 3, 3, 2], 4: [5, 6, 4, 6, 5, 4], 5: [10, 8, 8, 9, 10] },
      },
    };
    expect(await checkRound("old", 1, old)).toBe("kept");
    expect(await checkRound("old", 1, { ...old, commitment: "0" })).toBe("broken");
  });
});

describe("contributing", () => {
  const send = vi.fn<(id: string, round: number, value: string) => Promise<unknown>>();
  const waiting = (changes: Partial<Table> = {}): Table =>
    aTable({ rounds: [], upcoming: { round: 1, commitment: "promise", awaits: [0] }, ...changes });

  beforeEach(() => void send.mockReset().mockResolvedValue({}));

  test("stores the commitment and the contribution before it is sent", async () => {
    send.mockImplementation((id, round, value) => {
      expect(notedRounds(id)[round]).toEqual({ commitment: "promise", contribution: value });
      return Promise.resolve({});
    });
    const table = waiting();
    await contribute(table, send);
    expect(send).toHaveBeenCalledExactlyOnceWith(table.id, 1, expect.stringMatching(/^[0-9a-f]{64}$/));
  });

  test("keeps the first commitment and sends nothing twice", async () => {
    await contribute(waiting(), send);
    await contribute(waiting({ upcoming: { round: 1, commitment: "changed", awaits: [0] } }), send);
    expect(send).toHaveBeenCalledOnce();
    expect(notedRounds(waiting().id)[1]?.commitment).toBe("promise");
  });

  test("keeps the contributions that were shown at the deal", async () => {
    await contribute(waiting(), send);
    const dealt = (contributions: [string, string]): Table =>
      aTable({ rounds: [{ commitment: "promise", contributions }] });
    await contribute(dealt(["a", "b"]), send);
    await contribute(dealt(["a", "c"]), send);
    expect(notedRounds(waiting().id)[1]?.contributions).toEqual(["a", "b"]);
  });

  test.each<[string, Partial<Table>]>([
    ["for another seat", { you: 1 }],
    ["as a spectator", { you: null }],
    ["if nothing is awaited", { upcoming: { round: 1, commitment: "promise", awaits: [] } }],
    ["without a commitment", { upcoming: null }],
  ])("does not send anything %s", async (_, changes) => {
    await contribute(waiting(changes), send);
    expect(send).not.toHaveBeenCalled();
  });

  test("sends one value for both seats on one screen", async () => {
    await contribute(waiting({ one_screen: true, you: 1 }), send);
    expect(send).toHaveBeenCalledOnce();
  });

  test("sends the same value again after a failure", async () => {
    send.mockRejectedValueOnce(new Error("offline"));
    await contribute(waiting(), send);
    await contribute(waiting(), send);
    expect(send).toHaveBeenCalledTimes(2);
    expect(send.mock.calls[1]).toEqual(send.mock.calls[0]);
  });
});
