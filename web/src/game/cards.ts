// Cards and moves as text, in the notation of docs/reference/notation.md: a card is a letter, a move is "+taken-given". This is the
// browser's only definition of the card order and of the move syntax. It contains no rules: the server lists the legal moves.

export const GOODS = ["D", "G", "S", "C", "P", "L"] as const;
export const CAMEL = "M";
/** All kinds of cards, in the order in which the server writes them. */
export const KINDS = [...GOODS, CAMEL] as const;

export type Good = (typeof GOODS)[number];
export type Kind = (typeof KINDS)[number];

const ART: Record<string, string> = {
  D: "diamonds",
  G: "gold",
  S: "silver",
  C: "cloth",
  P: "spice",
  L: "leather",
  M: "camel",
} satisfies Record<Kind, string>;

/** The drawing of a kind in web/art/, which also names its colours in styles/tokens.css. */
export const artOf = (kind: string): string => ART[kind] ?? "camel";

export const isGood = (letter: string): letter is Good => (GOODS as readonly string[]).includes(letter);

const rank = (kind: string): number => (KINDS as readonly string[]).indexOf(kind);

export const compareKinds = (a: string, b: string): number => rank(a) - rank(b);

/** Cards as one sorted string. */
export const sortCards = (cards: Iterable<string>): string => [...cards].sort(compareKinds).join("");

/** The kinds in a pile with the number of cards of each. */
export const countKinds = (pile: string): { kind: Kind; n: number }[] =>
  KINDS.map((kind) => ({ kind, n: pile.split(kind).length - 1 })).filter(({ n }) => n > 0);

/** Whether a pile contains all the given cards, with at least the same number of each kind. */
export function containsCards(pile: string, cards: string): boolean {
  return countKinds(cards).every(({ kind, n }) => pile.split(kind).length > n);
}

export interface Move {
  taken: string;
  given: string;
}

/** The move that takes all camels of the market. */
export const TAKE_CAMELS = `+${CAMEL}`;

export function parseMove(text: string): Move {
  const [, taken = "", given = ""] = /^(?:\+(\w+))?(?:-(\w+))?$/.exec(text) ?? [];
  return { taken, given };
}

/** The text of a move; empty if no card is taken or given. */
export function formatMove({ taken, given }: Move): string {
  if (taken && !given && taken === CAMEL.repeat(taken.length)) return TAKE_CAMELS;
  return (taken && `+${sortCards(taken)}`) + (given && `-${sortCards(given)}`);
}
