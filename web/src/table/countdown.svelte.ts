// The clock of a game on the screen: counts down between two messages, starting from the values that the server sent.

import type { Table } from "../api/client";
import { t } from "../i18n.svelte";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TICK = 500;
/** The player gets a warning if less than this time is left. */
export const LOW_TIME = 30_000;

export interface RemainingTime {
  text: string;
  low: boolean;
}

export class Countdown {
  #clock = $state.raw<Table["clock"]>(null);
  #elapsed = $state(0);
  #startedAt = 0;
  #interval: ReturnType<typeof setInterval> | undefined;

  set(clock: Table["clock"]): void {
    this.#clock = clock;
    this.#startedAt = performance.now();
    this.#elapsed = 0;
    this.stop();
    if (clock) this.#interval = setInterval(() => (this.#elapsed = performance.now() - this.#startedAt), TICK);
  }

  stop(): void {
    clearInterval(this.#interval);
  }

  /** The remaining time of a seat; null if the game has no clock. */
  remaining(seat: number): RemainingTime | null {
    const clock = this.#clock;
    if (!clock) return null;
    // After a deal the clock waits until `since`.
    const pause = Math.max(0, (clock.since ?? clock.at) - clock.at);
    const used = clock.runs === seat ? Math.max(0, this.#elapsed - pause) : 0;
    const left = Math.max(0, (clock.left[seat] ?? 0) - used);
    return { text: formatTime(left), low: left < LOW_TIME };
  }
}

/** "3 d 4 h", "1:02:03" or "2:03". */
function formatTime(milliseconds: number): string {
  if (milliseconds >= DAY) {
    const days = Math.floor(milliseconds / DAY);
    return t("web.clock.days", { days, hours: Math.floor((milliseconds % DAY) / HOUR) });
  }
  const seconds = Math.ceil(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, index) => (index ? String(part).padStart(2, "0") : String(part))).join(":");
}
