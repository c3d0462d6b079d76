// The stream of a table's messages (server-sent events). EventSource reconnects automatically and sends Last-Event-ID. If it
// stops trying, or the device slept, a new connection starts after the last message. No message is delivered twice.

import { apiUrl, type Message } from "./client";

export interface StreamOptions {
  /** The last known version. */
  after: number;
  /** The seat whose view is shown, if the visitor has both seats (one screen). */
  seat?: number | undefined;
  onMessage: (message: Message) => void;
  /** Called with a time when the connection is lost, and with null when it is restored. */
  onConnection: (lostAt: Date | null) => void;
}

const RECONNECT_DELAY = 3_000;
/** After this time in the background a connection may be lost without an error event. */
const MAX_HIDDEN = 30_000;

/** Subscribe to a table. Returns the function that ends the subscription. */
export function followTable(id: string, { after, seat, onMessage, onConnection }: StreamOptions): () => void {
  let last = after;
  let lostAt: Date | null = null;
  let hiddenAt = Date.now();
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function connect(): void {
    clearTimeout(timer);
    source?.close();
    const url = apiUrl(`tables/${id}/events`);
    url.searchParams.set("after", String(last));
    if (seat !== undefined) url.searchParams.set("seat", String(seat));
    const opened = new EventSource(url);
    source = opened;
    opened.onopen = () => report(null);
    opened.onerror = () => {
      report(lostAt ?? new Date());
      if (opened.readyState === EventSource.CLOSED) timer = setTimeout(connect, RECONNECT_DELAY);
    };
    opened.onmessage = ({ data }) => {
      const message = JSON.parse(data as string) as Message;
      if (message.version <= last) return;
      last = message.version;
      onMessage(message);
    };
  }

  function report(now: Date | null): void {
    if (now === lostAt) return;
    lostAt = now;
    onConnection(now);
  }

  function onVisibilityChange(): void {
    if (document.visibilityState === "hidden") hiddenAt = Date.now();
    else if (Date.now() - hiddenAt > MAX_HIDDEN) connect();
  }

  connect();
  addEventListener("online", connect);
  document.addEventListener("visibilitychange", onVisibilityChange);
  return () => {
    clearTimeout(timer);
    source?.close();
    removeEventListener("online", connect);
    document.removeEventListener("visibilitychange", onVisibilityChange);
  };
}
