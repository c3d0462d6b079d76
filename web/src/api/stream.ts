// A table's messages while they happen. The browser reconnects by itself and says which message was the last; where it has
// given up, or the machine slept, we connect anew after the same message. Nothing is told twice.

import { address, type Message } from "./client";

/** When the connection was lost, or null while it is live. */
export type Lost = Date | null;

const AGAIN = 3_000;
const NAP = 30_000;

/** Follow a table after a version, until the function that is returned is called. */
export function follow(
  id: string,
  after: number,
  onMessage: (message: Message) => void,
  onConnection: (lost: Lost) => void,
): () => void {
  let last = after;
  let lost: Lost = null;
  let hidden = Date.now();
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function connect(): void {
    clearTimeout(timer);
    source?.close();
    const events = address(`tables/${id}/events`);
    events.searchParams.set("after", String(last));
    source = new EventSource(events);
    source.onopen = () => tell(null);
    source.onerror = () => {
      tell(lost ?? new Date());
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(connect, AGAIN);
    };
    source.onmessage = ({ data }) => {
      const message = JSON.parse(data as string) as Message;
      if (message.version <= last) return;
      last = message.version;
      onMessage(message);
    };
  }

  function tell(now: Lost): void {
    if (now !== lost) onConnection((lost = now));
  }

  /** Whoever was away for long may hold a connection that is dead without knowing it. */
  function wake(): void {
    if (document.visibilityState === "hidden") hidden = Date.now();
    else if (Date.now() - hidden > NAP) connect();
  }

  connect();
  addEventListener("online", connect);
  document.addEventListener("visibilitychange", wake);
  return () => {
    clearTimeout(timer);
    source.close();
    removeEventListener("online", connect);
    document.removeEventListener("visibilitychange", wake);
  };
}
