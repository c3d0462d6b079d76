// The live session of a table: it receives the messages of the stream and provides the state that the page shows. Messages
// are shown one after another, slowly enough to follow. If two players share one screen, each seat has its own stream, and
// the screen shows the messages of the player who is using it.

import type { Message, Table } from "../api/client";
import { errorText, UnreachableError } from "../api/errors";
import type { StreamOptions } from "../api/stream";
import { Countdown } from "./countdown.svelte";
import { askedForRematch, endsRound, isAwaited, isLogged, viewOf, withoutSecrets } from "./messages";
import { RoundEnd } from "./round-end.svelte";

/** The functions that a session needs from the rest of the page. */
export interface SessionDependencies {
  getTable: (id: string, seat?: number) => Promise<Table>;
  getHistory: (id: string, version: number) => Promise<Message[]>;
  playMove: (id: string, move: string, version: number) => Promise<unknown>;
  takeSeat: (id: string, invitation: string, name: string) => Promise<unknown>;
  resign: (id: string) => Promise<unknown>;
  askRematch: (id: string) => Promise<{ next: string | null }>;
  leaveTable: (id: string) => Promise<unknown>;
  followTable: (id: string, options: StreamOptions) => () => void;
  /** Store a table at which the visitor has a seat. */
  saveGame: (table: Table) => void;
  /** Contribute to the next deal of a table, if the table awaits a contribution. */
  contribute: (table: Table) => unknown;
  /** The milliseconds for which a move stays on the screen before the next one. */
  readingTime: (message: Message) => number;
  /** The milliseconds between the landing of the last cards and the score sheet. */
  sheetDelay: () => number;
  /** Wait until the cards of the last change have landed. */
  cardsLanded: () => Promise<void>;
}

const RETRY_DELAY = 3_000;
const SEATS = [0, 1];

/** Identifies a queue: a seat on one screen, otherwise undefined for the only stream. */
type Audience = number | undefined;

export class TableSession {
  readonly id: string;
  readonly #deps: SessionDependencies;

  /** The table that is shown now; undefined until the first response of the server. */
  table = $state.raw<Table>();
  /** The table when its cards have landed: it lags behind `table` while cards fly. */
  settled = $state.raw<Table>();
  /** The last logged message of the round. */
  lastMessage = $state.raw<Message>();
  /** The last message about a player who left or returned. */
  presence = $state.raw<Message>();
  log = $state.raw<Message[]>([]);
  connectionLostAt = $state.raw<Date | null>(null);
  /** The table of the rematch that this player asked for, as soon as both players agree. */
  rematchTable = $state.raw<string>();
  /** Whether the cards are hidden until the next player takes the screen. */
  covered = $state(false);
  error = $state("");
  busy = $state(false);
  readonly countdown = new Countdown();
  readonly roundEnd = new RoundEnd();

  /** The seat in front of the screen, for tables on one screen. */
  #seat = $state(0);
  readonly view = $derived(this.table && viewOf(this.table));
  /** Whether the player in front of the screen has moved and the other one is next. */
  readonly handoverDue = $derived(
    this.table?.one_screen === true && this.table.turn !== null && this.table.turn !== this.#seat,
  );

  #queues = new Map<Audience, Message[]>();
  #processed = 0;
  #processing = false;
  /** The time until which the last move stays on the screen. */
  #readUntil = 0;
  #closed = false;
  #lostConnections = new Map<Audience, Date>();
  #stopFollowing: (() => void)[] = [];
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string, dependencies: SessionDependencies) {
    this.id = id;
    this.#deps = dependencies;
  }

  /** Fetch the table, subscribe to it, and fetch the log. Tries again while the server is unreachable. */
  async enter(): Promise<void> {
    this.#unfollow();
    let entered: Table | undefined;
    await this.#attempt(async () => {
      const table = await this.#deps.getTable(this.id);
      if (this.#closed) return;
      entered = table;
      this.#show(table);
      this.settled = table;
      this.#seat = table.turn ?? 0;
      this.covered = table.one_screen && table.turn !== null;
      this.#processed = table.version;
      for (const seat of table.one_screen ? SEATS : [undefined]) this.#follow(seat, table.version);
    });
    // The player can already move while the history is fetched.
    if (entered) this.#prependHistory(await this.#deps.getHistory(this.id, entered.version), entered.rounds.length);
  }

  /** End the session. If an opponent on another device is waiting, tell the server that the player is away. */
  close(): void {
    this.#closed = true;
    this.#unfollow();
    clearTimeout(this.#retry);
    this.countdown.stop();
    if (this.table && isAwaited(this.table)) void this.#deps.leaveTable(this.id);
  }

  play(move: string): Promise<void> {
    return this.#attempt(() => this.#deps.playMove(this.id, move, this.table?.version ?? 0));
  }

  /** Resign. If a finished round is still on the screen, it is left, so that the player sees the result. */
  async resign(): Promise<void> {
    await this.#attempt(() => this.#deps.resign(this.id));
    if (!this.error) this.roundEnd.nextRound();
  }

  /** Ask for a rematch, or agree to one. */
  rematch(): Promise<void> {
    return this.#attempt(async () => {
      const { next } = await this.#deps.askRematch(this.id);
      this.rematchTable = next ?? undefined;
    });
  }

  /** Take the free seat of a table that a friend opened. */
  async takeSeat(invitation: string, name: string): Promise<void> {
    await this.#attempt(() => this.#deps.takeSeat(this.id, invitation, name));
    if (!this.error) await this.enter();
  }

  /** Hide the cards while the screen is handed over. */
  cover(): void {
    this.covered = true;
  }

  /** Show the cards of the player who is to move and now has the screen. */
  async uncover(): Promise<void> {
    await this.#attempt(async () => {
      const seat = this.table?.turn ?? 0;
      const table = await this.#deps.getTable(this.id, seat);
      this.#seat = seat;
      this.#show(table);
      this.settled = table;
      this.covered = false;
    });
    void this.#processQueue();
  }

  #follow(seat: Audience, after: number): void {
    const queue: Message[] = [];
    this.#queues.set(seat, queue);
    const stop = this.#deps.followTable(this.id, {
      after,
      seat,
      onMessage: (message) => {
        queue.push(message);
        void this.#processQueue();
      },
      onConnection: (lostAt) => this.#setConnection(seat, lostAt),
    });
    this.#stopFollowing.push(stop);
  }

  #unfollow(): void {
    for (const stop of this.#stopFollowing.splice(0)) stop();
    this.#queues.clear();
    this.#lostConnections.clear();
    this.connectionLostAt = null;
  }

  #setConnection(seat: Audience, lostAt: Date | null): void {
    if (lostAt) this.#lostConnections.set(seat, lostAt);
    else this.#lostConnections.delete(seat);
    const [earliest = null] = [...this.#lostConnections.values()].sort((a, b) => a.getTime() - b.getTime());
    this.connectionLostAt = earliest;
    if (!lostAt) this.error = "";
  }

  /** Add the messages from before the session, unless a new round started while they were fetched. */
  #prependHistory(messages: Message[], round: number): void {
    for (const message of messages.filter(endsRound)) this.roundEnd.record(message.table);
    if (this.table?.rounds.length !== round) return;
    const start = messages.findLastIndex(({ kind }) => kind === "dealt") + 1;
    this.log = [...messages.slice(start).filter(isLogged).map(withoutSecrets), ...this.log];
    this.lastMessage ??= this.log.at(-1);
  }

  async #processQueue(): Promise<void> {
    if (this.#processing) return;
    this.#processing = true;
    for (let next = this.#nextMessage(); next; next = this.#nextMessage()) await this.#process(next);
    this.#processing = false;
  }

  /** The next message for the seat in front of the screen. The other seat's stream has the same versions. */
  #nextMessage(): Message | undefined {
    const queue = this.#queues.get(this.table?.one_screen ? this.#seat : undefined);
    let next = queue?.shift();
    while (next && next.version <= this.#processed) next = queue?.shift();
    return this.#closed ? undefined : next;
  }

  async #process(received: Message): Promise<void> {
    const message = withoutSecrets(received);
    this.#processed = message.version;
    if (message.kind === "played") await this.#waitForPace(message);
    if (isLogged(message)) [this.lastMessage, this.log] = [message, [...this.log, message]];
    if (message.kind === "left" || message.kind === "returned") this.presence = message;
    // Both players have seen the score sheet, so on one screen a new round starts with hidden cards.
    if (message.kind === "dealt" && message.table.one_screen) this.covered = true;
    // `uncover` may already have fetched a newer table.
    if (message.version >= (this.table?.version ?? 0)) this.#show(message.table);
    await this.#deps.cardsLanded();
    this.settled = this.table;
    if (endsRound(message)) await this.#endRound(message.table);
    if (message.kind === "rematched" && askedForRematch(message.table)) {
      this.rematchTable = message.table.next ?? undefined;
    }
    if (message.kind === "dealt") [this.lastMessage, this.log] = [undefined, []];
  }

  /** Wait between moves. The player's own move is shown immediately. */
  async #waitForPace(message: Message): Promise<void> {
    const own = this.table?.you != null && message.seat === this.view?.seat;
    if (!own) await sleep(this.#readUntil - performance.now());
    this.#readUntil = performance.now() + this.#deps.readingTime(message);
  }

  /** The last move stays visible for a moment. Then the score sheet covers it. */
  async #endRound(table: Table): Promise<void> {
    this.roundEnd.record(table);
    await sleep(this.#deps.sheetDelay());
    await this.roundEnd.show(table);
  }

  #show(table: Table): void {
    this.table = table;
    this.countdown.set(table.clock);
    if (table.you === null) return;
    this.#deps.saveGame(table);
    this.#deps.contribute(table);
    // The first deal of a rematch does not wait until the player opens its page.
    if (table.next) void this.#deps.getTable(table.next).then(this.#deps.contribute, () => {});
  }

  async #attempt(action: () => Promise<unknown>): Promise<void> {
    this.busy = true;
    try {
      await action();
      this.error = "";
    } catch (error) {
      this.error = errorText(error);
      if (!this.table && error instanceof UnreachableError && !this.#closed) {
        this.#retry = setTimeout(() => void this.enter(), RETRY_DELAY);
      }
    } finally {
      this.busy = false;
    }
  }
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
