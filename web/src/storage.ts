// The values that this browser stores between visits. Only this file reads and writes localStorage.

export type StorageKey = "deals" | "language" | "level" | "name" | "options" | "speed" | "tables" | "theme";

const PREFIX = "jaipur.";

export const readItem = (key: StorageKey): string => localStorage.getItem(PREFIX + key) ?? "";

export const writeItem = (key: StorageKey, value: string): void => localStorage.setItem(PREFIX + key, value);

/** The stored JSON value, or undefined if there is none or it cannot be parsed. */
export function readJson(key: StorageKey): unknown {
  try {
    return JSON.parse(readItem(key)) as unknown;
  } catch {
    return undefined;
  }
}

export const writeJson = (key: StorageKey, value: unknown): void => writeItem(key, JSON.stringify(value));
