// The choices on the home page (name, level and options of a game), stored between visits, and the request that opens a table.

import { openTable, type OpenTableRequest } from "../api/client";
import { errorText } from "../api/errors";
import type { Clock } from "../game/options";
import { navigate, pageUrl } from "../router.svelte";
import { readItem, readJson, writeItem, writeJson } from "../storage";

type Options = NonNullable<OpenTableRequest["options"]>;

const live = (seconds: number, increment: number): Clock => ({ kind: "live", seconds, increment });
const daily = (days: number): Clock => ({ kind: "daily", days });

export const CLOCKS = {
  none: null,
  fast: live(300, 5),
  live: live(600, 10),
  day: daily(1),
  daily: daily(3),
  week: daily(7),
};

const DEFAULTS = {
  herds: "open" as Options["herds"],
  helps: false,
  watch: true,
  clock: "none" as keyof typeof CLOCKS,
};

const DEFAULT_LEVEL = "greedy";
export const MAX_NAME_LENGTH = 24;

export class Opening {
  name = $state(readItem("name"));
  level = $state(readItem("level") || DEFAULT_LEVEL);
  readonly options = $state(storedOptions());
  error = $state("");
  busy = $state(false);

  /** Store the choices, open a table and go there. */
  async start(wish: Pick<OpenTableRequest, "against"> & Partial<OpenTableRequest>): Promise<void> {
    writeItem("name", this.name);
    writeItem("level", this.level);
    writeJson("options", this.options);
    const { herds, helps, watch } = this.options;
    const clock = wish.against === "friend" ? CLOCKS[this.options.clock] : null;
    this.busy = true;
    try {
      const options = { herds, helps, watch, clock };
      const { id, invitation } = await openTable({ ...wish, name: this.name.trim(), options });
      navigate(pageUrl(`t/${id}${invitation ? `#${invitation}` : ""}`));
    } catch (error) {
      this.error = errorText(error);
    } finally {
      this.busy = false;
    }
  }
}

/** Whether the stored options differ from the defaults. */
export const hasCustomOptions = (): boolean => JSON.stringify(storedOptions()) !== JSON.stringify(DEFAULTS);

function storedOptions(): typeof DEFAULTS {
  const stored = readJson("options");
  return { ...DEFAULTS, ...(typeof stored === "object" ? stored : {}) };
}
