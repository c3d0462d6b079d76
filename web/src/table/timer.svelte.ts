// The clock of a table on the screen: counted down here between two messages, from what the server said.

import type { Table } from "../api/client";

const DAY = 86_400_000;

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

  /** What a seat has left, as one reads a clock; empty where none runs. */
  left(seat: number): string {
    const clock = this.#clock;
    if (!clock) return "";
    const pause = Math.max(0, (clock.since ?? clock.at) - clock.at);
    const used = clock.runs === seat ? Math.max(0, this.#elapsed - pause) : 0;
    const left = Math.max(0, (clock.left[seat] ?? 0) - used);
    if (left >= DAY) return `${Math.ceil(left / DAY)} d`;
    const seconds = Math.ceil(left / 1000);
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const shown = parts[0] ? parts : parts.slice(1);
    return shown.map((part, place) => (place ? String(part).padStart(2, "0") : String(part))).join(":");
  }
}
