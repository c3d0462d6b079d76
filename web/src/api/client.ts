// What is asked of the server, typed by its own document. A refusal is a `Refused` with the server's sentence; a server that
// does not answer is `Unreachable`. Nothing is sent twice but a move that may have been lost on the way: the server plays
// the same move for the same version once.

import { base } from "../router.svelte";
import { language } from "../words.svelte";
import type { components } from "./schema";

type Shapes = components["schemas"];
export type Acknowledged = Shapes["CommandResponse"];
export type Level = Shapes["LevelInfo"];
export type Message = Shapes["Message"];
export type Opened = Shapes["OpenTableResponse"];
export type OpenTable = Shapes["OpenTableRequest"];
export type Problem = Shapes["Problem"];
export type Table = Shapes["TableView"];
export type Taken = Shapes["TakeSeatResponse"];
export type Rematch = Shapes["RematchResponse"];
export type Verdict = Shapes["MoveCheck"];
export type View = Shapes["ViewData"];

const PATIENCE = 15_000;
const LATELY = 60;
const PAUSES = [300, 1_000, 3_000, 6_000];

/** The server says no, and why. */
export class Refused extends Error {
  constructor(
    readonly problem: Problem,
    readonly status: number,
  ) {
    super(problem.sentence);
  }
}

/** Nobody knows whether the server heard it. */
export class Unreachable extends Error {}

export const address = (path: string): URL => new URL(`api/${path}`, base);

export const levels = (): Promise<Level[]> => ask("levels");

export async function open(wish: Partial<OpenTable> & Pick<OpenTable, "against">): Promise<Opened> {
  await known();
  return ask("tables", wish);
}

export async function take(id: string, invitation: string, name: string): Promise<Taken> {
  await known();
  return ask(`tables/${id}/seat`, { invitation, name });
}

/** A table from one's seat; on one screen from the seat that is asked for, or of whoever is to move. */
export const see = (id: string, seat?: number): Promise<Table> => ask(`tables/${id}${from(seat)}`);

/** What happened at a table lately, up to a version, as one's seat is told; nothing where it cannot be told. */
export async function past(id: string, version: number, seat?: number, lately = LATELY): Promise<Message[]> {
  const lines = address(`tables/${id}/events.ndjson${from(seat)}`);
  lines.searchParams.set("after", String(Math.max(0, version - lately)));
  lines.searchParams.set("follow", "false");
  try {
    const said = await (await fetch(lines, { signal: AbortSignal.timeout(PATIENCE) })).text();
    const messages = said.split("\n").filter(Boolean).map((line) => JSON.parse(line) as Message);
    return messages.filter((message) => message.version <= version);
  } catch {
    return [];
  }
}

/** Whether a move can be played, and what speaks against it. */
export const why = (id: string, move: string, seat?: number): Promise<Verdict> =>
  ask(`tables/${id}/why?move=${encodeURIComponent(move)}${from(seat, "&")}`);

/** Say that one goes away for a while; nobody waits for the answer. */
export const leave = (id: string): Promise<unknown> => ask(`tables/${id}/leave`, null).catch(() => {});

export const resign = (id: string): Promise<Acknowledged> => ask(`tables/${id}/resign`, null);
export const rematch = (id: string): Promise<Rematch> => ask(`tables/${id}/rematch`, null);

const from = (seat: number | undefined, sign = "?"): string => (seat === undefined ? "" : `${sign}seat=${seat}`);

/** Play a move chosen at a version, again and again where the connection is lost meanwhile. */
export async function play(id: string, move: string, version: number): Promise<Acknowledged> {
  for (const pause of PAUSES) {
    try {
      return await ask(`tables/${id}/play`, { move, version });
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      await new Promise((resume) => setTimeout(resume, pause));
    }
  }
  return ask(`tables/${id}/play`, { move, version });
}

let visitor: Promise<unknown> | undefined;

/** Have a cookie to sit with, before the first seat is taken. */
function known(): Promise<unknown> {
  visitor ??= ask("visitor", null).catch((error: unknown) => {
    visitor = undefined;
    throw error;
  });
  return visitor;
}

/** GET, or POST where there is something to send, if only null. */
async function ask<T>(path: string, body?: object | null): Promise<T> {
  const headers: Record<string, string> = { "accept-language": language() };
  if (body) headers["content-type"] = "application/json";
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(address(path), {
      method: body === undefined ? "GET" : "POST",
      headers,
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(PATIENCE),
    });
    answer = await response.json();
  } catch (error) {
    throw new Unreachable(String(error));
  }
  if (response.ok) return answer as T;
  if (isProblem(answer)) throw new Refused(answer, response.status);
  throw new Unreachable(`status ${response.status}`);
}

function isProblem(answer: unknown): answer is Problem {
  return typeof answer === "object" && answer !== null && "code" in answer && "sentence" in answer;
}
