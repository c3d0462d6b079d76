// Browser globals that modules use when they are loaded, and the English texts.

import { beforeEach, vi } from "vitest";

const stored = new Map<string, string>();

vi.stubGlobal("location", new URL("http://jaipur.test/"));
vi.stubGlobal("addEventListener", vi.fn());
vi.stubGlobal("removeEventListener", vi.fn());
vi.stubGlobal("document", { documentElement: {}, addEventListener: vi.fn(), removeEventListener: vi.fn() });
vi.stubGlobal("localStorage", {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
});

const { setLanguage } = await import("../src/i18n.svelte");
await setLanguage("en");

beforeEach(() => stored.clear());
