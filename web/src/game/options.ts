// The options of a game in sentences.

import type { Table } from "../api/client";
import { t } from "../i18n.svelte";

export type Options = Table["options"];
export type Clock = NonNullable<Options["clock"]> | null;

export function describeClock(clock: Clock): string {
  if (!clock) return t("web.clock.none");
  if (clock.kind === "daily") return t("web.clock.daily", { n: clock.days });
  return t("web.clock.live", { minutes: clock.seconds / 60, seconds: clock.increment });
}

/** The sentences about options that are not the usual ones, for a game without a clock. */
export const describeUnusual = ({ herds, helps }: Pick<Options, "herds" | "helps">): string[] => [
  ...(herds === "hidden" ? [t("web.agreed.herds.hidden")] : []),
  ...(helps ? [t("web.agreed.helps")] : []),
];

export function describeOptions({ herds, helps, watch, clock }: Options): string[] {
  return [
    t(herds === "hidden" ? "web.agreed.herds.hidden" : "web.agreed.herds.open"),
    t(helps ? "web.agreed.helps" : "web.agreed.no_helps"),
    t(watch ? "web.agreed.watch" : "web.agreed.no_watch"),
    `${describeClock(clock ?? null)}.`,
  ];
}
