// What this browser stores between visits. Every key of localStorage goes through here.

export type StorageKey = "language" | "level" | "name" | "options" | "speed" | "tables" | "theme";

const PREFIX = "jaipur.";

export const readItem = (key: StorageKey): string => localStorage.getItem(PREFIX + key) ?? "";

export const writeItem = (key: StorageKey, value: string): void => localStorage.setItem(PREFIX + key, value);

/** The stored JSON value, or undefined if there is none or it is damaged. */
export function readJson(key: StorageKey): unknown {
  try {
    return JSON.parse(readItem(key)) as unknown;
  } catch {
    return undefined;
  }
}

export const writeJson = (key: StorageKey, value: unknown): void => writeItem(key, JSON.stringify(value));
