// The drawings of the kinds of cards, by their letters.

const DRAWN: Record<string, string> = {
  D: "diamonds", G: "gold", S: "silver", C: "cloth", P: "spice", L: "leather", M: "camel",
};

export const goodOf = (kind: string): string => DRAWN[kind] ?? "camel";
