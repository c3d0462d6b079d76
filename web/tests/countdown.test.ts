import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Table } from "../src/api/client";
import { Countdown } from "../src/table/countdown.svelte";

type Clock = NonNullable<Table["clock"]>;

const clock = (fields: Partial<Clock> = {}): Clock => ({
  at: 1_000,
  since: null,
  runs: 0,
  left: [65_000, 3_723_000],
  ...fields,
});

let countdown: Countdown;

beforeEach(() => {
  vi.useFakeTimers();
  countdown = new Countdown();
});
afterEach(() => {
  countdown.stop();
  vi.useRealTimers();
});

test("only the running seat loses time", () => {
  countdown.set(clock());
  expect(countdown.remaining(0)).toEqual({ text: "1:05", low: false });
  vi.advanceTimersByTime(36_000);
  expect(countdown.remaining(0)).toEqual({ text: "0:29", low: true });
  expect(countdown.remaining(1)).toEqual({ text: "1:02:03", low: false });
  vi.advanceTimersByTime(60_000);
  expect(countdown.remaining(0)?.text).toBe("0:00");
});

test("the clock waits after a deal", () => {
  countdown.set(clock({ since: 16_000 }));
  vi.advanceTimersByTime(15_000);
  expect(countdown.remaining(0)?.text).toBe("1:05");
  vi.advanceTimersByTime(5_000);
  expect(countdown.remaining(0)?.text).toBe("1:00");
});

test("days are shown with hours, and no clock is null", () => {
  countdown.set(clock({ left: [3 * 86_400_000, 0] }));
  expect(countdown.remaining(0)?.text).toBe("3 d 0 h");
  countdown.set(null);
  expect(countdown.remaining(0)).toBeNull();
});
