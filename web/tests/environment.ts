// The environment of the unit tests: Node without a DOM, with modules compiled for the browser, so that Svelte's runes are the
// real ones. A test replaces the browser APIs that it needs.

import type { Environment } from "vitest/runtime";

export default {
  name: "browser-modules",
  viteEnvironment: "client",
  setup: () => ({ teardown: () => {} }),
} satisfies Environment;
