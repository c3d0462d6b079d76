import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Message } from "../src/api/client";
import { followTable } from "../src/api/stream";
import { aMessage } from "./fixtures";

class FakeEventSource {
  static readonly CLOSED = 2;
  static opened: FakeEventSource[] = [];
  readyState = 0;
  onopen = (): void => {};
  onerror = (): void => {};
  onmessage = (_: { data: string }): void => {};

  constructor(readonly url: URL) {
    FakeEventSource.opened.push(this);
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  send(version: number): void {
    this.onmessage({ data: JSON.stringify(aMessage(version)) });
  }

  get query(): string {
    return this.url.search;
  }
}

/** The listeners of the window and the document, by event. */
const listeners = new Map<string, () => void>();
const target = {
  addEventListener: (type: string, listener: () => void) => void listeners.set(type, listener),
  removeEventListener: (type: string) => void listeners.delete(type),
};
const page = { ...target, visibilityState: "visible" };

let versions: number[];
let connection: (Date | null)[];

function follow(seat?: number): () => void {
  return followTable("0123456789abcdef", {
    after: 5,
    seat,
    onMessage: ({ version }: Message) => void versions.push(version),
    onConnection: (lostAt) => void connection.push(lostAt),
  });
}

function current(): FakeEventSource {
  const source = FakeEventSource.opened.at(-1);
  if (!source) throw new Error("no connection");
  return source;
}

beforeEach(() => {
  vi.useFakeTimers();
  [versions, connection] = [[], []];
  FakeEventSource.opened = [];
  vi.stubGlobal("EventSource", FakeEventSource);
  vi.stubGlobal("addEventListener", target.addEventListener);
  vi.stubGlobal("removeEventListener", target.removeEventListener);
  vi.stubGlobal("document", page);
});
afterEach(() => {
  vi.useRealTimers();
});

test("starts after the known version, for the given seat", () => {
  follow();
  expect(current().url.pathname).toBe("/api/tables/0123456789abcdef/events");
  expect(current().query).toBe("?after=5");
  follow(1);
  expect(current().query).toBe("?after=5&seat=1");
});

test("delivers each version once", () => {
  follow();
  for (const version of [6, 6, 5, 7]) current().send(version);
  expect(versions).toEqual([6, 7]);
});

test("reports a lost connection once and its return", () => {
  follow();
  current().onopen();
  current().onerror();
  current().onerror();
  current().onopen();
  expect(connection).toEqual([new Date(), null]);
  expect(FakeEventSource.opened).toHaveLength(1);
});

test("connects again after the last message if the browser gave up", () => {
  follow(1);
  current().send(8);
  current().readyState = FakeEventSource.CLOSED;
  current().onerror();
  vi.advanceTimersByTime(3_000);
  expect(FakeEventSource.opened).toHaveLength(2);
  expect(current().query).toBe("?after=8&seat=1");
});

test("connects again when the device is back online or was hidden for long", () => {
  follow();
  listeners.get("online")?.();
  expect(FakeEventSource.opened).toHaveLength(2);
  for (const minutes of [0.1, 10]) {
    page.visibilityState = "hidden";
    listeners.get("visibilitychange")?.();
    vi.advanceTimersByTime(minutes * 60_000);
    page.visibilityState = "visible";
    listeners.get("visibilitychange")?.();
  }
  expect(FakeEventSource.opened).toHaveLength(3);
  expect(FakeEventSource.opened[0]?.readyState).toBe(FakeEventSource.CLOSED);
});

test("stops for good", () => {
  const stop = follow();
  current().readyState = FakeEventSource.CLOSED;
  current().onerror();
  stop();
  vi.advanceTimersByTime(60_000);
  expect(FakeEventSource.opened).toHaveLength(1);
  expect([...listeners.keys()]).toEqual([]);
});
