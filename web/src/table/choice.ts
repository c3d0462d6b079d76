// What is chosen on the table, written down as a move. Whether it can be played is looked up in the server's list of legal
// moves, and never worked out here.

import type { Lying, Scene } from "./scene";

export type Chosen = ReadonlySet<number>;

const ORDER = "DGSCPLM";

interface Parts {
  taken: string;
  given: string;
}

const sorted = (kinds: string[]): string =>
  kinds.sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other)).join("");

/** The move that the chosen cards mean; empty where nothing is chosen. */
export function written(scene: Scene, chosen: Chosen): string {
  const { taken, given } = parts(scene, chosen);
  if (taken.includes("M") && !given && !/[^M]/.test(taken)) return "+M";
  return (taken && `+${taken}`) + (given && `-${given}`);
}

function parts(scene: Scene, chosen: Chosen): Parts {
  const kinds = (cards: (Lying | null)[]): string =>
    sorted(cards.flatMap((card) => (card && chosen.has(card.id) ? [card.kind] : [])));
  return { taken: kinds(scene.market), given: kinds([...scene.hand, ...scene.herd]) };
}

function read(move: string): Parts {
  const [, taken = "", given = ""] = /^(?:\+(\w+))?(?:-(\w+))?$/.exec(move) ?? [];
  return { taken, given };
}

/** Whether some of the legal moves goes on from what is chosen. */
export function leadsOn(moves: readonly string[], scene: Scene, chosen: Chosen): boolean {
  const now = parts(scene, chosen);
  if (written(scene, chosen) === "+M") return moves.includes("+M");
  return moves.some((move) => {
    const { taken, given } = read(move);
    return within(now.taken, taken) && within(now.given, given);
  });
}

/** Whether every card of a pile is in another. */
function within(part: string, whole: string): boolean {
  let left = whole;
  for (const kind of part) {
    if (!left.includes(kind)) return false;
    left = left.replace(kind, "");
  }
  return true;
}

/** The same choice with camels of the herd for whatever is still to be given, where that makes a legal move. */
export function filledWithCamels(moves: readonly string[], scene: Scene, chosen: Chosen): Chosen | null {
  const more = new Set(chosen);
  for (const camel of scene.herd) {
    if (more.has(camel.id)) continue;
    more.add(camel.id);
    if (moves.includes(written(scene, more))) return more;
  }
  return null;
}
