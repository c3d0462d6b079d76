// Animates cards from their old place to their new place. Only transforms change, so that no frame needs a new layout.
// Any action of the player ends the running animations immediately.

import { tick } from "svelte";
import { readItem, writeItem } from "../storage";

export type Speed = "normal" | "fast" | "off";

const DURATIONS: Record<Speed, number> = { normal: 380, fast: 180, off: 0 };
const EASING = "cubic-bezier(0.3, 0.1, 0.2, 1)";
/** The delay between the starts of two cards from the deck. */
const STAGGER = 40;
const MAX_STAGGER = 120;
/** After this time cards count as landed. Browsers stop the animations of hidden pages. */
const MAX_FLIGHT = 2_000;
/** Pixels by which a card may shift without an animation. */
const TOLERANCE = 2;

export const speeds = Object.keys(DURATIONS) as Speed[];
export const chosenSpeed = (): Speed => speeds.find((speed) => speed === readItem("speed")) ?? "normal";
export const chooseSpeed = (speed: Speed): void => writeItem("speed", speed);

/** The milliseconds of an animation at the chosen speed. */
export const animationTime = (): number => DURATIONS[chosenSpeed()];

/** The milliseconds for which a card flies: none if the visitor prefers reduced motion. */
export const flightTime = (): number => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : animationTime());

let running: Animation[] = [];
let landing: Promise<unknown> = Promise.resolve();

/** Wait until the cards of the last change of the state have landed. */
export async function cardsLanded(): Promise<void> {
  // The board records the positions during the update, and starts the animations after it.
  await tick();
  await landing;
}

export function finishAnimations(): void {
  for (const animation of running) animation.finish();
  running = [];
}

/** Record the positions of all cards. Call the returned function after the update, with the zones of removed cards. */
export function recordPositions(board: HTMLElement): (zoneOf: (id: number) => string) => void {
  finishAnimations();
  const duration = flightTime();
  if (!duration) return () => {};
  let land = (): void => {};
  landing = new Promise<void>((resolve) => (land = resolve));
  setTimeout(land, MAX_FLIGHT);
  const before = new Map([...cardsOf(board)].map(([id, card]) => [id, { card, box: card.getBoundingClientRect() }]));
  return (zoneOf) => {
    const now = cardsOf(board);
    // All measurements come before the first change, because a measurement after a change forces a layout.
    const starts: (() => Animation)[] = [];
    let added = 0;
    for (const [id, card] of now) {
      const from = before.get(id)?.box ?? zoneBox(board, card.dataset.from ?? "deck");
      const to = card.getBoundingClientRect();
      if (from && (Math.abs(from.x - to.x) > TOLERANCE || Math.abs(from.y - to.y) > TOLERANCE)) {
        const delay = before.has(id) ? 0 : Math.min(MAX_STAGGER, STAGGER * added++);
        starts.push(() => moveCard(card, from, to, duration, delay));
      }
    }
    const origin = board.getBoundingClientRect();
    for (const [id, { card, box }] of before) {
      const zone = now.has(id) ? undefined : zoneBox(board, zoneOf(Number(id)));
      if (zone) starts.push(() => moveCopy(board, origin, card, box, zone, duration));
    }
    running = starts.map((start) => start());
    playAfterPaint(running);
    void Promise.allSettled(running.map(({ finished }) => finished)).then(land);
  };
}

const cardsOf = (board: HTMLElement): Map<string, HTMLElement> =>
  new Map([...board.querySelectorAll<HTMLElement>("[data-card]")].map((card) => [card.dataset.card ?? "", card]));

const zoneBox = (board: HTMLElement, name: string): DOMRect | undefined =>
  board.querySelector(`[data-zone="${name}"]`)?.getBoundingClientRect();

/** Start the animations after everything is painted in its new place, so that no frame waits for painting. */
function playAfterPaint(animations: Animation[]): void {
  for (const animation of animations) animation.pause();
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      for (const animation of animations) if (animation.playState === "paused") animation.play();
    }),
  );
}

function moveCard(card: HTMLElement, from: DOMRect, to: DOMRect, duration: number, delay: number): Animation {
  const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width || 1})`;
  // Other properties in the keyframes would repaint the card in every frame.
  Object.assign(card.style, { transformOrigin: "0 0", zIndex: "5" });
  const timing = { duration, delay, easing: EASING, fill: "backwards" } as const;
  const animation = card.animate([{ transform: start }, { transform: "none" }], timing);
  animation.onfinish = () => Object.assign(card.style, { transformOrigin: "", zIndex: "" });
  return animation;
}

/** Animate a copy of a card that is no longer on the board. */
function moveCopy(
  board: HTMLElement,
  origin: DOMRect,
  card: HTMLElement,
  from: DOMRect,
  to: DOMRect,
  duration: number,
): Animation {
  const copy = card.cloneNode(true) as HTMLElement;
  copy.removeAttribute("data-card");
  copy.inert = true;
  copy.setAttribute("aria-hidden", "true");
  Object.assign(copy.style, {
    position: "absolute",
    zIndex: "6",
    margin: "0",
    pointerEvents: "none",
    left: `${from.x - origin.x}px`,
    top: `${from.y - origin.y}px`,
    width: `${from.width}px`,
    height: `${from.height}px`,
  });
  board.append(copy);
  const [x, y] = [to.x - from.x + (to.width - from.width) / 2, to.y - from.y + (to.height - from.height) / 2];
  const end = { transform: `translate(${x}px, ${y}px) scale(0.5)`, opacity: 0.2 };
  const animation = copy.animate([{ transform: "none" }, end], { duration, easing: EASING });
  animation.onfinish = () => copy.remove();
  return animation;
}
