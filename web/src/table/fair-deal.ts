// The check of a deal after its round. docs/reference/notation.md defines the texts and the steps. The check needs no rule
// of the game: the cards and tokens before the shuffle are the revealed ones in sorted order.

import type { Table } from "../api/client";

type Round = Table["rounds"][number];
type Opened = NonNullable<Round["opened"]>;
type Contributions = NonNullable<Round["contributions"]>;
type ByteStream = AsyncGenerator<number, never>;

/** The values that this browser stored before and during a round. */
export interface NotedRound {
  commitment: string;
  contribution: string;
  /** The contributions that the server showed when the round was dealt. */
  contributions?: Contributions;
}

/** The result of the check:
 * - proven: the deal contains the contribution of this browser, and the salt was fixed before.
 * - late: the salt was fixed before, but the deal does not contain the contribution of this browser.
 * - unnoted: the shown values are consistent, but this browser stored none of them before the round.
 * - kept: the deal is the one to which the server committed alone, at a table opened with version 0.1.
 * - broken: the values are inconsistent, or they differ from the stored ones. */
export type Finding = "proven" | "late" | "unnoted" | "kept" | "broken";

const encoder = new TextEncoder();
const lines = (...values: (string | number)[]): Uint8Array<ArrayBuffer> =>
  encoder.encode(values.map((value) => `${value}\n`).join(""));
export const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const fromHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));

/** Check a finished round. `number` counts from 1. */
export async function checkRound(table: string, number: number, round: Round, noted?: NotedRound): Promise<Finding> {
  const { commitment, contributions, opened } = round;
  if (!opened) return "broken";
  if (!contributions) return (await sha256(dealText(opened))) === commitment ? "kept" : "broken";
  const salted = (await sha256(lines("jaipur-salt-2", table, number, opened.salt))) === commitment;
  if (!salted || !(await isDerived(table, number, opened, contributions))) return "broken";
  if (!noted) return "unnoted";
  const shown = noted.contributions ?? contributions;
  if (noted.commitment !== commitment || shown.some((value, seat) => value !== contributions[seat])) return "broken";
  return contributions.includes(noted.contribution) ? "proven" : "late";
}

/** The text to which the server committed at a table opened with version 0.1. */
function dealText({ salt, starts, deal, bonus }: Opened): Uint8Array<ArrayBuffer> {
  return lines("jaipur-deal-1", salt, starts, deal, ...Object.values(bonus).map((pile) => pile.join(" ")));
}

async function isDerived(table: string, number: number, opened: Opened, values: Contributions): Promise<boolean> {
  const message = lines("jaipur-deal-2", table, number, ...values.map((value) => value ?? "none"));
  const stream = byteStream(await hmac(fromHex(opened.salt), message));
  const deal = (await shuffle([...opened.deal].sort(), stream)).join("");
  let same = deal === opened.deal;
  for (const pile of Object.values(opened.bonus)) {
    const tokens = await shuffle(
      [...pile].sort((one, other) => one - other),
      stream,
    );
    same &&= tokens.every((token, place) => token === pile[place]);
  }
  // In later rounds the rules decide who starts.
  return same && (number > 1 || (await below(2, stream)) === opened.starts);
}

async function* byteStream(seed: Uint8Array<ArrayBuffer>): ByteStream {
  for (let counter = 0; ; counter++) yield* await hmac(seed, encoder.encode(String(counter)));
}

/** A number from 0 to `limit` - 1. Bytes that would make small numbers more frequent are skipped. */
async function below(limit: number, stream: ByteStream): Promise<number> {
  const usable = 256 - (256 % limit);
  let { value } = await stream.next();
  while (value >= usable) ({ value } = await stream.next());
  return value % limit;
}

async function shuffle<T>(items: T[], stream: ByteStream): Promise<T[]> {
  for (let last = items.length - 1; last > 0; last--) {
    const other = await below(last + 1, stream);
    [items[last], items[other]] = [items[other] as T, items[last] as T];
  }
  return items;
}

async function sha256(text: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", text)));
}

async function hmac(key: Uint8Array<ArrayBuffer>, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
}
