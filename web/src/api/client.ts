// The HTTP API; its types are generated from the OpenAPI document. A refused request throws `ApiError`. A request without a
// usable response throws `UnreachableError`. Only moves are sent again, because the server plays a repeated move for the
// same version only once.

import { language } from "../i18n.svelte";
import { base } from "../router.svelte";
import { ApiError, UnreachableError } from "./errors";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type CommandResponse = Schemas["CommandResponse"];
export type Level = Schemas["LevelInfo"];
export type Message = Schemas["Message"];
export type MoveCheck = Schemas["MoveCheck"];
export type OpenTableRequest = Schemas["OpenTableRequest"];
export type OpenTableResponse = Schemas["OpenTableResponse"];
export type Problem = Schemas["Problem"];
export type RematchResponse = Schemas["RematchResponse"];
export type Table = Schemas["TableView"];
export type TakeSeatResponse = Schemas["TakeSeatResponse"];
export type View = Schemas["ViewData"];

const TIMEOUT = 15_000;
/** The number of past messages to fetch for the log. */
const HISTORY = 60;
const RETRY_DELAYS = [300, 1_000, 3_000, 6_000];

export const apiUrl = (path: string): URL => new URL(`api/${path}`, base);

export const levels = (): Promise<Level[]> => request("levels");

export async function openTable(
  options: Partial<OpenTableRequest> & Pick<OpenTableRequest, "against">,
): Promise<OpenTableResponse> {
  await ensureVisitor();
  return request("tables", { ...options, contributes: true });
}

export async function takeSeat(id: string, invitation: string, name: string): Promise<TakeSeatResponse> {
  await ensureVisitor();
  return request(`tables/${id}/seat`, { invitation, name, contributes: true });
}

/** Contribute random digits to the deal of a round. */
export const sendContribution = (id: string, round: number, value: string): Promise<CommandResponse> =>
  request(`tables/${id}/contribution`, { round, value });

/** A table as the visitor's seat sees it. On one screen: as `seat` sees it, by default the seat to move. */
export const getTable = (id: string, seat?: number): Promise<Table> => request(`tables/${id}${seatQuery("?", seat)}`);

/** The last messages of a table up to a version; empty if they cannot be fetched. */
export async function getHistory(id: string, version: number): Promise<Message[]> {
  const url = apiUrl(`tables/${id}/events.ndjson`);
  url.searchParams.set("after", String(Math.max(0, version - HISTORY)));
  url.searchParams.set("follow", "false");
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) });
    const lines = (await response.text()).split("\n").filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Message).filter((message) => message.version <= version);
  } catch {
    return [];
  }
}

/** Whether a move is legal and, if not, the rule that forbids it. */
export const checkMove = (id: string, move: string, seat?: number): Promise<MoveCheck> =>
  request(`tables/${id}/why?move=${encodeURIComponent(move)}${seatQuery("&", seat)}`);

/** Mark the player as away. A failure is ignored, because the server also detects the closed stream. */
export const leaveTable = (id: string): Promise<unknown> => request(`tables/${id}/leave`, null).catch(() => {});

export const resign = (id: string): Promise<CommandResponse> => request(`tables/${id}/resign`, null);
export const askRematch = (id: string): Promise<RematchResponse> => request(`tables/${id}/rematch`, null);

/** Play a move that was chosen at a version. Repeat the request while there is no connection. */
export async function playMove(id: string, move: string, version: number): Promise<CommandResponse> {
  for (const delay of RETRY_DELAYS) {
    try {
      return await request(`tables/${id}/play`, { move, version });
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  return request(`tables/${id}/play`, { move, version });
}

const seatQuery = (sign: "?" | "&", seat: number | undefined): string =>
  seat === undefined ? "" : `${sign}seat=${seat}`;

let visitor: Promise<unknown> | undefined;

/** Get the cookie that identifies the visitor before the first seat is taken. */
function ensureVisitor(): Promise<unknown> {
  visitor ??= request("visitor", null).catch((error: unknown) => {
    visitor = undefined;
    throw error;
  });
  return visitor;
}

/** Sends a GET request without a body, or a POST request with a body, which may be null. */
async function request<T>(path: string, body?: object | null): Promise<T> {
  const headers: Record<string, string> = { "accept-language": language() };
  if (body) headers["content-type"] = "application/json";
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(apiUrl(path), {
      method: body === undefined ? "GET" : "POST",
      headers,
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(TIMEOUT),
    });
    answer = await response.json();
  } catch (error) {
    throw new UnreachableError(String(error));
  }
  if (response.ok) return answer as T;
  if (isProblem(answer)) throw new ApiError(answer, response.status);
  throw new UnreachableError(`status ${response.status}`);
}

function isProblem(answer: unknown): answer is Problem {
  return typeof answer === "object" && answer !== null && "code" in answer && "sentence" in answer;
}
