// Cards flying from where they were to where they are. Only transforms move, so that nothing is laid out anew; whoever
// acts meanwhile sees everything in its place at once.

export type Speed = "normal" | "fast" | "off";

const LASTS: Record<Speed, number> = { normal: 380, fast: 180, off: 0 };
const EASING = "cubic-bezier(0.3, 0.1, 0.2, 1)";
const KEPT = "jaipur.speed";

export const speeds = Object.keys(LASTS) as Speed[];
export const chosenSpeed = (): Speed => speeds.find((speed) => speed === localStorage.getItem(KEPT)) ?? "normal";
export const chooseSpeed = (speed: Speed): void => localStorage.setItem(KEPT, speed);

/** How long to look at a move before the next one is shown, in milliseconds. */
export const pace = (): number => LASTS[chosenSpeed()] * 1.6;

let flying: Animation[] = [];

/** Put down whatever still flies. */
export function land(): void {
  for (const animation of flying) animation.finish();
  flying = [];
}

/** Look where the cards of a table lie; call the answer once they lie elsewhere, with the zone a vanished card went to. */
export function watchCards(table: HTMLElement): (whereTo: (id: number) => string) => void {
  land();
  const lasts = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : LASTS[chosenSpeed()];
  if (!lasts) return () => {};
  const before = new Map([...cards(table)].map(([id, card]) => [id, { card, box: card.getBoundingClientRect() }]));
  return (whereTo) => {
    const now = cards(table);
    // Everything is looked at before anything moves: a look after a move would lay the table out anew.
    const flights: (() => Animation)[] = [];
    let late = 0;
    for (const [id, card] of now) {
      const from = before.get(id)?.box ?? zone(table, card.dataset.from ?? "deck");
      const to = card.getBoundingClientRect();
      if (from && (Math.abs(from.x - to.x) > 2 || Math.abs(from.y - to.y) > 2)) {
        const delay = before.has(id) ? 0 : Math.min(120, 40 * late++);
        flights.push(() => fly(card, from, to, lasts, delay));
      }
    }
    const home = table.getBoundingClientRect();
    for (const [id, { card, box }] of before) {
      const gone = now.has(id) ? undefined : zone(table, whereTo(Number(id)));
      if (gone) flights.push(() => ghost(table, home, card, box, gone, lasts));
    }
    flying = flights.map((hold) => hold());
    takeOff(flying);
  };
}

const cards = (table: HTMLElement): Map<string, HTMLElement> =>
  new Map([...table.querySelectorAll<HTMLElement>("[data-card]")].map((card) => [card.dataset.card ?? "", card]));

const zone = (table: HTMLElement, name: string): DOMRect | undefined =>
  table.querySelector(`[data-zone="${name}"]`)?.getBoundingClientRect();

/** Everything is painted in its new place first, but for the cards, which still are where they were: no frame of a flight waits for paint. */
function takeOff(held: Animation[]): void {
  for (const animation of held) animation.pause();
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      for (const animation of held) if (animation.playState === "paused") animation.play();
    }),
  );
}

function fly(card: HTMLElement, from: DOMRect, to: DOMRect, lasts: number, delay: number): Animation {
  const move = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width || 1})`;
  // Anything but the transform in the path itself would be painted anew for every frame.
  Object.assign(card.style, { transformOrigin: "0 0", zIndex: "5" });
  const animation = card.animate([{ transform: move }, { transform: "none" }], { duration: lasts, delay, easing: EASING, fill: "backwards" });
  animation.onfinish = () => Object.assign(card.style, { transformOrigin: "", zIndex: "" });
  return animation;
}

/** A card that is on the table no more is seen going to where it is now. */
function ghost(table: HTMLElement, home: DOMRect, card: HTMLElement, from: DOMRect, to: DOMRect, lasts: number): Animation {
  const twin = card.cloneNode(true) as HTMLElement;
  twin.removeAttribute("data-card");
  twin.inert = true;
  twin.setAttribute("aria-hidden", "true");
  Object.assign(twin.style, {
    position: "absolute", zIndex: "6", margin: "0", pointerEvents: "none",
    left: `${from.x - home.x}px`, top: `${from.y - home.y}px`, width: `${from.width}px`, height: `${from.height}px`,
  });
  table.append(twin);
  const move = `translate(${to.x - from.x + (to.width - from.width) / 2}px, ${to.y - from.y + (to.height - from.height) / 2}px) scale(0.5)`;
  const animation = twin.animate([{ transform: "none" }, { transform: move, opacity: 0.2 }], { duration: lasts, easing: EASING });
  animation.onfinish = () => twin.remove();
  return animation;
}
