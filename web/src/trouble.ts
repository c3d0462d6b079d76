// What to tell a person when something asked of the server did not work.

import { Refused } from "./api/client";
import { say } from "./words.svelte";

export function sentence(error: unknown): string {
  return error instanceof Refused ? error.message : say("web.unreachable");
}
