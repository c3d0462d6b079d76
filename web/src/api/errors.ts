// The two kinds of failed requests, and the sentences that players read about them.

import { t } from "../i18n.svelte";
import type { components } from "./schema";

type Problem = components["schemas"]["Problem"];

/** The server refused the request. The message is the server's sentence in the player's language. */
export class ApiError extends Error {
  constructor(
    readonly problem: Problem,
    readonly status: number,
  ) {
    super(problem.sentence);
  }
}

/** No usable response arrived, so it is unknown whether the server received the request. */
export class UnreachableError extends Error {}

export const errorText = (error: unknown): string => (error instanceof ApiError ? error.message : t("web.unreachable"));
