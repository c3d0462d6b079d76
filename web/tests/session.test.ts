import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Message, Table } from "../src/api/client";
import { ApiError, UnreachableError } from "../src/api/errors";
import type { StreamOptions } from "../src/api/stream";
import { TableSession, type SessionDependencies } from "../src/table/session.svelte";
import { aMessage, aTable, aView, bonus, ended, sold, took } from "./fixtures";

const INTERVAL = 600;
const BONUS_INTERVAL = 1_500;
const SHEET_DELAY = 400;

/** A server whose answers and streams a test controls. */
class FakeServer {
  table = aTable();
  history: Message[] = [];
  streams: (StreamOptions & { stopped: boolean })[] = [];

  readonly deps = {
    getTable: vi.fn((_id: string, seat?: number) => Promise.resolve(this.viewFrom(seat))),
    getHistory: vi.fn(() => Promise.resolve(this.history)),
    playMove: vi.fn(() => Promise.resolve({})),
    takeSeat: vi.fn(() => Promise.resolve({})),
    resign: vi.fn(() => Promise.resolve({})),
    askRematch: vi.fn((): Promise<{ next: string | null }> => Promise.resolve({ next: null })),
    leaveTable: vi.fn(() => Promise.resolve()),
    followTable: vi.fn((_id: string, options: StreamOptions) => {
      const stream = { ...options, stopped: false };
      this.streams.push(stream);
      return () => void (stream.stopped = true);
    }),
    saveGame: vi.fn(),
    contribute: vi.fn(),
    readingTime: ({ happenings }: Message) =>
      happenings.some(({ what }) => what === "bonus") ? BONUS_INTERVAL : INTERVAL,
    sheetDelay: () => SHEET_DELAY,
    cardsLanded: vi.fn(() => Promise.resolve()),
  } satisfies SessionDependencies;

  viewFrom(seat = this.table.turn ?? 0): Table {
    return this.table.one_screen ? { ...this.table, you: seat, view: seen(seat) } : this.table;
  }

  /** Send a message to the streams of all seats, each with its own view. */
  send(message: Message, ...seats: number[]): void {
    for (const stream of this.streams) {
      if (stream.stopped || (seats.length && !seats.includes(stream.seat ?? 0))) continue;
      const { one_screen } = message.table;
      const table = one_screen ? { ...message.table, you: stream.seat ?? 0, view: seen(stream.seat) } : message.table;
      stream.onMessage({ ...message, table });
    }
  }
}

/** Each seat has a hand of its own, so that a test sees whose view is shown. */
const seen = (seat = 0): NonNullable<Table["view"]> => aView({ seat, hand: seat ? "LLLLL" : "DDDDD" });

async function entered(server: FakeServer): Promise<TableSession> {
  const session = new TableSession(server.table.id, server.deps);
  await session.enter();
  return session;
}

const settle = (milliseconds = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

let server: FakeServer;

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
});
afterEach(() => void vi.useRealTimers());

describe("entering", () => {
  test("shows the table, follows it from its version and stores the game", async () => {
    const session = await entered(server);
    expect(session.table).toBe(server.table);
    expect(server.streams.map(({ after, seat }) => [after, seat])).toEqual([[2, undefined]]);
    expect(server.deps.saveGame).toHaveBeenCalledWith(server.table);
    expect(session.busy).toBe(false);
  });

  test("does not store a game of others", async () => {
    server.table = aTable({ you: null });
    await entered(server);
    expect(server.deps.saveGame).not.toHaveBeenCalled();
  });

  test("fills the log with the current round only", async () => {
    server.table = aTable({ version: 9 });
    server.history = [aMessage(6), aMessage(7, { kind: "dealt" }), aMessage(8), aMessage(9, { kind: "left" })];
    const session = await entered(server);
    expect(session.log.map(({ version }) => version)).toEqual([8]);
    expect(session.lastMessage?.version).toBe(8);
  });

  test("lets the player move while the history is fetched", async () => {
    server.deps.getHistory.mockReturnValueOnce(new Promise<Message[]>(() => {}));
    const session = new TableSession(server.table.id, server.deps);
    void session.enter();
    await settle();
    expect(session.table).toBe(server.table);
    expect(session.busy).toBe(false);
  });

  test("puts the history before messages that arrived meanwhile", async () => {
    let answer: (messages: Message[]) => void = () => {};
    server.deps.getHistory.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const session = new TableSession(server.table.id, server.deps);
    const entering = session.enter();
    await settle();
    server.send(aMessage(3));
    await settle(INTERVAL);
    answer([aMessage(2)]);
    await entering;
    expect(session.log.map(({ version }) => version)).toEqual([2, 3]);
    expect(session.lastMessage?.version).toBe(3);
  });

  test("tries again while the server is unreachable", async () => {
    server.deps.getTable.mockRejectedValueOnce(new UnreachableError("down"));
    const session = await entered(server);
    expect(session.table).toBeUndefined();
    expect(session.error).not.toBe("");
    await settle(3_000);
    expect(session.table).toBe(server.table);
    expect(session.error).toBe("");
  });

  test("shows a refusal and does not try again", async () => {
    server.deps.getTable.mockRejectedValue(new ApiError({ code: "no_such_table", sentence: "Gone." }, 404));
    const session = await entered(server);
    expect(session.error).toBe("Gone.");
    await settle(10_000);
    expect(server.deps.getTable).toHaveBeenCalledTimes(1);
  });
});

describe("messages", () => {
  test("are shown in order, an opponent's moves with an interval between them", async () => {
    const session = await entered(server);
    await settle(INTERVAL);
    server.send(aMessage(3));
    server.send(aMessage(4));
    await settle();
    expect(session.table?.version).toBe(3);
    await settle(INTERVAL - 1);
    expect(session.table?.version).toBe(3);
    await settle(1);
    expect(session.table?.version).toBe(4);
    expect(session.log.map(({ version }) => version)).toEqual([3, 4]);
  });

  test("of the player's own move are shown at once", async () => {
    const session = await entered(server);
    server.send(aMessage(3, { seat: 0 }));
    await settle();
    expect(session.table?.version).toBe(3);
  });

  test("about presence are no part of the log", async () => {
    const session = await entered(server);
    server.send(aMessage(3, { kind: "left" }));
    await settle();
    expect(session.presence?.kind).toBe("left");
    expect(session.log).toEqual([]);
  });

  test("of a new round clear the log", async () => {
    const session = await entered(server);
    server.send(aMessage(3, { seat: 0 }));
    server.send(aMessage(4, { kind: "dealt", seat: null }));
    await settle();
    expect(session.log).toEqual([]);
    expect(session.lastMessage).toBeUndefined();
  });

  test("of the player's own sale stay longer on the screen if it brought a bonus token", async () => {
    const session = await entered(server);
    server.send(aMessage(3, { seat: 0, happenings: [sold(0, "LLL", [4, 3, 2]), bonus(0, "3", 2)] }));
    server.send(aMessage(4));
    await settle(BONUS_INTERVAL - 1);
    expect(session.table?.version).toBe(3);
    await settle(1);
    expect(session.table?.version).toBe(4);
  });

  test("change the settled table only when the cards have landed", async () => {
    const session = await entered(server);
    let land: () => void = () => {};
    server.deps.cardsLanded.mockReturnValueOnce(new Promise((resolve) => (land = resolve)));
    server.send(aMessage(3));
    await settle(10_000);
    expect([session.table?.version, session.settled?.version]).toEqual([3, 2]);
    land();
    await settle();
    expect(session.settled?.version).toBe(3);
  });
});

describe("the end of a round", () => {
  const rounds = (...results: Partial<Table["rounds"][number]>[]): Table["rounds"] =>
    results.map((result) => ({ commitment: "0", contributions: [null, null], ...result }));
  const lastMove = (table: Partial<Table> = {}): Message =>
    aMessage(3, { seat: 0, happenings: [took(0, "P"), ended("deck")] }, { turn: null, ...table });
  const nextDeal = aMessage(4, { kind: "dealt", seat: null });

  test("opens the score sheet a moment after the last cards have landed", async () => {
    const session = await entered(server);
    let land: () => void = () => {};
    server.deps.cardsLanded.mockReturnValueOnce(new Promise((resolve) => (land = resolve)));
    server.send(lastMove());
    await settle(10_000);
    expect(session.roundEnd.sheet).toBeUndefined();
    land();
    await settle(SHEET_DELAY - 1);
    expect(session.roundEnd.sheet).toBeUndefined();
    await settle(1);
    expect(session.roundEnd.sheet).toBe(1);
  });

  test("stays on the screen until the player asks for the next round", async () => {
    const session = await entered(server);
    server.send(lastMove());
    server.send(nextDeal);
    await settle(SHEET_DELAY);
    const { roundEnd } = session;
    expect([roundEnd.sheet, roundEnd.waiting, roundEnd.looking]).toEqual([1, true, false]);
    roundEnd.closeSheet();
    await settle(10_000);
    expect([roundEnd.sheet, roundEnd.waiting, roundEnd.looking]).toEqual([undefined, true, true]);
    expect(session.table?.version).toBe(3);
    roundEnd.openSheet(1);
    roundEnd.nextRound();
    await settle();
    expect([roundEnd.sheet, roundEnd.waiting, roundEnd.looking]).toEqual([undefined, false, false]);
    expect(session.table?.version).toBe(4);
    roundEnd.openSheet(1);
    roundEnd.closeSheet();
    expect(roundEnd.looking).toBe(false);
  });

  test("of the last round does not hold back the messages about a rematch", async () => {
    const session = await entered(server);
    server.send(lastMove({ phase: "over", over: { winner: 0, by: "seals" } }));
    server.send(aMessage(4, { kind: "rematched", seat: null }, { offers: [true, true], next: "fedcba9876543210" }));
    await settle(SHEET_DELAY);
    expect([session.roundEnd.sheet, session.roundEnd.waiting]).toEqual([1, false]);
    expect(session.rematchTable).toBe("fedcba9876543210");
  });

  test("is left when the player resigns", async () => {
    const session = await entered(server);
    server.send(lastMove());
    await settle(SHEET_DELAY);
    session.roundEnd.closeSheet();
    await session.resign();
    server.send(aMessage(4, { kind: "resigned", seat: 0 }));
    await settle();
    expect(session.table?.version).toBe(4);
  });

  test("is kept for its score sheet, also if it was before the session", async () => {
    const earlier = rounds({ ended: "deck", rupees: [60, 50], seal: 0 });
    server.table = aTable({ version: 9, rounds: [...earlier, ...rounds({})] });
    server.history = [aMessage(5, { happenings: [ended("deck")] }, { rounds: earlier })];
    const session = await entered(server);
    expect(session.roundEnd.tables.get(1)?.version).toBe(5);
    const both = [...earlier, ...rounds({ ended: "goods" })];
    server.send(aMessage(10, { seat: 0, happenings: [ended("goods")] }, { rounds: both }));
    await settle(SHEET_DELAY);
    expect(session.roundEnd.sheet).toBe(2);
    expect([...session.roundEnd.tables.keys()]).toEqual([1, 2]);
  });
});

describe("a lost connection", () => {
  test("is shown until it is back, and the messages continue", async () => {
    const session = await entered(server);
    const [stream] = server.streams;
    const lostAt = new Date();
    stream?.onConnection(lostAt);
    expect(session.connectionLostAt).toBe(lostAt);
    await session.play("+P");
    stream?.onConnection(null);
    expect(session.connectionLostAt).toBeNull();
    server.send(aMessage(3, { seat: 0 }));
    await settle();
    expect(session.table?.version).toBe(3);
  });

  test("on one screen is shown until both streams are back", async () => {
    server.table = aTable({ one_screen: true });
    const session = await entered(server);
    const [first, second] = server.streams;
    first?.onConnection(new Date(1_000));
    second?.onConnection(new Date(2_000));
    expect(session.connectionLostAt).toEqual(new Date(1_000));
    first?.onConnection(null);
    expect(session.connectionLostAt).toEqual(new Date(2_000));
    second?.onConnection(null);
    expect(session.connectionLostAt).toBeNull();
  });
});

describe("on one screen", () => {
  const shared = { one_screen: true };

  beforeEach(() => {
    server.table = aTable(shared);
  });

  test("both seats are followed, and the cards are covered at first", async () => {
    const session = await entered(server);
    expect(server.streams.map(({ after, seat }) => [after, seat])).toEqual([
      [2, 0],
      [2, 1],
    ]);
    expect(session.covered).toBe(true);
    await session.uncover();
    expect(session.covered).toBe(false);
    expect(session.view?.hand).toBe("DDDDD");
  });

  test("a message is shown from the seat in front of the screen, without a request", async () => {
    const session = await entered(server);
    await session.uncover();
    const requests = server.deps.getTable.mock.calls.length;
    server.send(aMessage(3, { seat: 0 }, { ...shared, turn: 1 }), 1);
    await settle(INTERVAL);
    expect(session.table?.version).toBe(2);
    server.send(aMessage(3, { seat: 0 }, { ...shared, turn: 1 }), 0);
    await settle(INTERVAL);
    expect(session.table?.version).toBe(3);
    expect(session.view?.hand).toBe("DDDDD");
    expect(session.handoverDue).toBe(true);
    expect(session.log).toHaveLength(1);
    expect(server.deps.getTable).toHaveBeenCalledTimes(requests);
    expect(server.deps.getHistory).toHaveBeenCalledTimes(1);
  });

  test("the next player sees their own cards only after the handover", async () => {
    const session = await entered(server);
    await session.uncover();
    server.table = aTable({ ...shared, version: 3, turn: 1 });
    server.send(aMessage(3, { seat: 0 }, { ...shared, turn: 1 }));
    await settle();
    session.cover();
    expect(session.covered).toBe(true);
    expect(session.view?.hand).toBe("DDDDD");
    await session.uncover();
    expect(session.view?.hand).toBe("LLLLL");
    expect(session.handoverDue).toBe(false);
    server.send(aMessage(4, { seat: 1 }, { ...shared, turn: 0 }));
    await settle();
    expect(session.view?.hand).toBe("LLLLL");
    expect(session.log.map(({ version }) => version)).toEqual([3, 4]);
  });

  test("messages of the other seat's stream that arrive late are not shown again", async () => {
    const session = await entered(server);
    await session.uncover();
    server.send(aMessage(3, { seat: 0 }, { ...shared, turn: 1 }), 0);
    await settle();
    server.table = aTable({ ...shared, version: 3, turn: 1 });
    await session.uncover();
    server.send(aMessage(3, { seat: 0 }, { ...shared, turn: 1 }), 1);
    await settle(INTERVAL);
    expect(session.log).toHaveLength(1);
    expect(session.table?.version).toBe(3);
  });

  test("a table newer than the queued messages is kept", async () => {
    const session = await entered(server);
    server.table = aTable({ ...shared, version: 4, turn: 0 });
    await session.uncover();
    server.send(aMessage(3, { seat: 0 }, shared));
    await settle();
    expect(session.table?.version).toBe(4);
    expect(session.log).toHaveLength(1);
  });

  test("the value of a bonus is hidden in the log, because both read it", async () => {
    server.history = [aMessage(2, { happenings: [bonus(1, "4", 5)] }, shared)];
    const session = await entered(server);
    server.send(aMessage(3, { seat: 0, happenings: [bonus(0, "3", 2)] }, shared));
    await settle();
    expect(session.log.flatMap(({ happenings }) => happenings)).toEqual([bonus(1, "4", null), bonus(0, "3", null)]);
  });

  test("a new round starts covered", async () => {
    const session = await entered(server);
    await session.uncover();
    server.send(aMessage(3, { seat: 0, happenings: [ended("deck")] }, { ...shared, turn: null }));
    server.send(aMessage(4, { kind: "dealt", seat: null }, { ...shared, turn: 1 }));
    await settle(SHEET_DELAY);
    session.roundEnd.nextRound();
    await settle();
    expect(session.covered).toBe(true);
    expect(session.table?.turn).toBe(1);
  });

  test("the cards stay covered if the table cannot be fetched", async () => {
    const session = await entered(server);
    server.deps.getTable.mockRejectedValueOnce(new UnreachableError("down"));
    await session.uncover();
    expect(session.covered).toBe(true);
    expect(session.error).not.toBe("");
  });
});

describe("actions", () => {
  test("a move is sent with the version that the player saw", async () => {
    const session = await entered(server);
    await session.play("+P");
    expect(server.deps.playMove).toHaveBeenCalledWith(server.table.id, "+P", 2);
  });

  test("a refused move shows the server's sentence until the next one succeeds", async () => {
    const session = await entered(server);
    server.deps.playMove.mockRejectedValueOnce(new ApiError({ code: "stale", sentence: "Too late." }, 409));
    await session.play("+P");
    expect(session.error).toBe("Too late.");
    await session.play("+P");
    expect(session.error).toBe("");
  });

  test("a player who agrees to a rematch goes to its table", async () => {
    const session = await entered(server);
    await session.rematch();
    expect(session.rematchTable).toBeUndefined();
    server.deps.askRematch.mockResolvedValueOnce({ next: "fedcba9876543210" });
    await session.rematch();
    expect(session.rematchTable).toBe("fedcba9876543210");
  });

  test.each([
    { offers: [true, true] as [boolean, boolean], goesTo: "fedcba9876543210" },
    { offers: [false, true] as [boolean, boolean], goesTo: undefined },
  ])("a player who asked for a rematch follows when the other agrees: $offers", async ({ offers, goesTo }) => {
    const session = await entered(server);
    const table = { offers, next: "fedcba9876543210" };
    server.send(aMessage(3, { kind: "rematched", seat: null }, table));
    await settle();
    expect(session.rematchTable).toBe(goesTo);
  });

  test("a refused name leaves the invitation as it is and shows the reason", async () => {
    const session = await entered(server);
    server.deps.takeSeat.mockRejectedValueOnce(new ApiError({ code: "bad_request", sentence: "No." }, 400));
    await session.takeSeat("invitation", "\u202e");
    expect(session.error).toBe("No.");
  });

  test("taking a seat follows the table anew", async () => {
    const session = await entered(server);
    await session.takeSeat("invitation", "Bo");
    expect(server.deps.takeSeat).toHaveBeenCalledWith(server.table.id, "invitation", "Bo");
    expect(server.streams.map(({ stopped }) => stopped)).toEqual([true, false]);
  });
});

describe("leaving", () => {
  test("stops the stream and tells an opponent who waits", async () => {
    const session = await entered(server);
    session.close();
    expect(server.streams.every(({ stopped }) => stopped)).toBe(true);
    expect(server.deps.leaveTable).toHaveBeenCalledOnce();
  });

  test.each<[string, Partial<Table>]>([
    ["on one screen", { one_screen: true }],
    ["as a spectator", { you: null }],
    ["after the game", { phase: "over" }],
  ])("tells nobody %s", async (_, fields) => {
    server.table = aTable(fields);
    const session = await entered(server);
    session.close();
    expect(server.deps.leaveTable).not.toHaveBeenCalled();
  });

  test("before the table arrived follows nothing", async () => {
    const session = new TableSession(server.table.id, server.deps);
    const entering = session.enter();
    session.close();
    await entering;
    expect(server.streams).toEqual([]);
  });
});
