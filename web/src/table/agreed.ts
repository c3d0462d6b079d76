// What the traders agreed on before the game, in sentences.

import type { Table } from "../api/client";
import { say } from "../words.svelte";

export type Options = Table["options"];
export type Clock = NonNullable<Options["clock"]> | null;

/** A clock as one chooses it. */
export function clockName(clock: Clock): string {
  if (!clock) return say("web.clock.none");
  if (clock.kind === "daily") return say("web.clock.daily", { n: clock.days });
  return say("web.clock.live", { minutes: clock.seconds / 60, seconds: clock.increment ?? 0 });
}

export function agreed({ herds, helps, watch, clock }: Options): string[] {
  return [
    say(herds === "hidden" ? "web.agreed.herds.hidden" : "web.agreed.herds.open"),
    say(helps ? "web.agreed.helps" : "web.agreed.no_helps"),
    say(watch ? "web.agreed.watch" : "web.agreed.no_watch"),
    `${clockName(clock ?? null)}.`,
  ];
}
