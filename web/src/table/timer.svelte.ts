// The clock of a table on the screen: counted down here between two messages, from what the server said.

import type { Table } from "../api/client";
import { say } from "../words.svelte";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** With less than this time is short. */
export const SHORT = 30_000;

export interface Left {
  text: string;
  short: boolean;
}

export class Timer {
  #clock = $state.raw<Table["clock"]>(null);
  #elapsed = $state(0);
  #since = 0;
  #ticking: ReturnType<typeof setInterval> | undefined;

  set(clock: Table["clock"]): void {
    this.#clock = clock;
    this.#since = performance.now();
    this.#elapsed = 0;
    clearInterval(this.#ticking);
    if (clock) this.#ticking = setInterval(() => (this.#elapsed = performance.now() - this.#since), 500);
  }

  stop(): void {
    clearInterval(this.#ticking);
  }

  /** What a seat has left, as one reads a clock; null where there is none. */
  left(seat: number): Left | null {
    const clock = this.#clock;
    if (!clock) return null;
    const pause = Math.max(0, (clock.since ?? clock.at) - clock.at);
    const used = clock.runs === seat ? Math.max(0, this.#elapsed - pause) : 0;
    const left = Math.max(0, (clock.left[seat] ?? 0) - used);
    return { text: written(left), short: left < SHORT };
  }
}

function written(left: number): string {
  if (left >= DAY) return say("web.clock.days", { days: Math.floor(left / DAY), hours: Math.floor((left % DAY) / HOUR) });
  const seconds = Math.ceil(left / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, place) => (place ? String(part).padStart(2, "0") : String(part))).join(":");
}
