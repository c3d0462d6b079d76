// The kinds of cards by their letters: how they are drawn, and what the letter on them is for.

import { say } from "../words.svelte";

const DRAWN: Record<string, string> = {
  D: "diamonds", G: "gold", S: "silver", C: "cloth", P: "spice", L: "leather", M: "camel",
};

export const goodOf = (kind: string): string => DRAWN[kind] ?? "camel";

export const lettered = (letter: string): string => say("web.letter", { letter, card: say(`card.${letter}` as "card.D") });
