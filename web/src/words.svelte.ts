// Every text a person reads, in the language they chose. The texts are those of the whole project, one file a language;
// a text that depends on a number has the keys `….one` and `….other`, and the number is its value `n`.

import type en from "../../src/jaipur/words/en.json";

const files = {
  en: () => import("../../src/jaipur/words/en.json"),
  fr: () => import("../../src/jaipur/words/fr.json"),
  it: () => import("../../src/jaipur/words/it.json"),
};

export type Language = keyof typeof files;
export const languages: Record<Language, string> = { en: "English", fr: "Français", it: "Italiano" };

type Full = keyof typeof en;
type Counted<K> = K extends `${infer Base}.other` ? Base : never;
export type Key = Full | Counted<Full>;
export type Values = Record<string, string | number>;

const KEPT = "jaipur.language";

let spoken = $state.raw<Language>("en");
let texts = $state.raw<Record<string, string>>({});
let plurals = new Intl.PluralRules("en");

/** The language being spoken. */
export const language = (): Language => spoken;

/** The same with the region that the browser names for it: how times and dates are written there. */
export const locale = (): string => navigator.languages.find((each) => each.slice(0, 2).toLowerCase() === spoken) ?? spoken;

/** The text of a key with its values filled in, in the singular or plural of the value `n`. */
export function say(key: Key, values: Values = {}): string {
  const { n } = values;
  const counted = typeof n === "number" && `${key}.other` in texts;
  const found = counted ? `${key}.${plurals.select(n) === "one" ? "one" : "other"}` : key;
  return (texts[found] ?? key).replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}

/** What something is or counts, after its name and a colon as the language sets it. */
export function labelled(label: Key, value: string | number): string {
  return say("label.of", { label: say(label), value });
}

/** Things in a row, the last after an “and”. */
export function listed(things: string[]): string {
  const last = things.at(-1);
  if (last === undefined) return say("list.nothing");
  return things.length > 1 ? say("list.and", { others: things.slice(0, -1).join(", "), last }) : last;
}

/** Speak a language from now on; what is on the screen follows. */
export async function speak(wanted: Language): Promise<void> {
  const { default: loaded } = await files[wanted]();
  texts = loaded;
  plurals = new Intl.PluralRules(wanted);
  spoken = wanted;
  document.documentElement.lang = wanted;
}

/** The same by choice: it is remembered. */
export async function choose(wanted: Language): Promise<void> {
  await speak(wanted);
  localStorage.setItem(KEPT, wanted);
}

/** The language chosen before, or the first of the browser's that we have. */
export function firstLanguage(): Language {
  const wishes = [localStorage.getItem(KEPT) ?? "", ...navigator.languages];
  const known = wishes.map((wish) => wish.slice(0, 2).toLowerCase()).filter((code) => code in files);
  return (known[0] ?? "en") as Language;
}
