// The texts that players read, in the chosen language. They come from src/jaipur/words/, one JSON file per language; a new
// file there adds a language here. A text that depends on a number has one key per plural form ("….one", "….other").

import type en from "../../src/jaipur/words/en.json";
import { readItem, writeItem } from "./storage";

const DEFAULT = "en";

const loaders = Object.fromEntries(
  Object.entries(import.meta.glob<Record<string, string>>("../../src/jaipur/words/*.json", { import: "default" })).map(
    ([path, load]) => [path.slice(path.lastIndexOf("/") + 1, -".json".length), load],
  ),
);

/** The name of each language in that language, by code. */
export const languages: Record<string, string> = Object.fromEntries(
  Object.keys(loaders).map((code) => [code, nativeName(code)]),
);

type FullKey = keyof typeof en;
type CountedKey<K> = K extends `${infer Base}.other` ? Base : never;
export type Key = FullKey | CountedKey<FullKey>;
export type Values = Record<string, string | number>;

let current = $state.raw(DEFAULT);
let texts = $state.raw<Record<string, string>>({});
let plurals = new Intl.PluralRules(DEFAULT);

/** The code of the current language. */
export const language = (): string => current;

/** The current language with the region that the browser prefers for it, to format times and dates. */
export const locale = (): string => navigator.languages.find((tag) => codeOf(tag) === current) ?? current;

/** The text of a key with its values filled in, in the plural form of the value `n`. */
export function t(key: Key, values: Values = {}): string {
  const { n } = values;
  const counted = typeof n === "number" && `${key}.other` in texts;
  const text = counted ? (texts[`${key}.${plurals.select(n)}`] ?? texts[`${key}.other`]) : texts[key];
  return (text ?? key).replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}

/** A label with its value and the punctuation of the language: "Deck: 12". */
export const labelled = (label: Key, value: string | number): string => t("label.of", { label: t(label), value });

/** A list in words: "a, b and c". */
export function joinList(items: string[]): string {
  const last = items.at(-1);
  if (last === undefined) return t("list.nothing");
  return items.length > 1 ? t("list.and", { others: items.slice(0, -1).join(", "), last }) : last;
}

/** Load a language and apply it to everything on the screen. */
export async function setLanguage(code: string): Promise<void> {
  const load = loaders[code];
  if (!load) return;
  texts = await load();
  plurals = new Intl.PluralRules(code);
  current = code;
  document.documentElement.lang = code;
}

/** Set the language and store the choice. */
export async function chooseLanguage(code: string): Promise<void> {
  await setLanguage(code);
  writeItem("language", code);
}

/** The stored language or, if none is stored, the first of the browser's languages that is available. */
export function preferredLanguage(): string {
  const wanted = [readItem("language"), ...navigator.languages].map(codeOf);
  return wanted.find((code) => code in loaders) ?? DEFAULT;
}

function codeOf(tag: string): string {
  return tag.slice(0, 2).toLowerCase();
}

function nativeName(code: string): string {
  const name = new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}
