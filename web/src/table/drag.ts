// A card that is carried instead of clicked. Let go outside of where it lay it counts as picked, like after a click, and
// what that means is decided in one place; let go at home, or when the browser takes the pointer away, nothing happened.

const FAR = 8;

/** Lets the cards of a zone be dragged; `data-home` marks the zones. */
export function drag(card: HTMLElement, onpick: () => void): { update: (onpick: () => void) => void; destroy: () => void } {
  let from: { id: number; x: number; y: number } | undefined;
  let carried = false;

  function down({ pointerId: id, clientX: x, clientY: y, button, isPrimary }: PointerEvent): void {
    carried = false;
    from = button === 0 && isPrimary ? { id, x, y } : undefined;
    // A quick hand has left the card before it is heard of again.
    if (from) card.setPointerCapture(id);
  }

  function move({ pointerId, clientX, clientY }: PointerEvent): void {
    if (pointerId !== from?.id) return;
    const [x, y] = [clientX - from.x, clientY - from.y];
    if (!carried && Math.hypot(x, y) < FAR) return;
    carried = true;
    card.dataset.carried = "";
    card.style.transform = `translate(${x}px, ${y}px)`;
  }

  function up({ clientX, clientY }: PointerEvent): void {
    const home = card.closest("[data-home]");
    const under = document.elementFromPoint(clientX, clientY);
    const elsewhere = carried && under !== null && !home?.contains(under);
    putDown();
    if (elsewhere) onpick();
  }

  function putDown(): void {
    from = undefined;
    delete card.dataset.carried;
    card.style.transform = "";
  }

  /** The click that ends a drag is none; that of a key is one. */
  function click(event: MouseEvent): void {
    if (carried && event.detail) event.stopPropagation();
    carried = false;
  }

  const heard = new AbortController();
  const { signal } = heard;
  card.addEventListener("pointerdown", down, { signal });
  card.addEventListener("pointermove", move, { signal });
  card.addEventListener("pointerup", up, { signal });
  card.addEventListener("pointercancel", putDown, { signal });
  card.addEventListener("click", click, { signal, capture: true });
  card.addEventListener("dragstart", (event) => event.preventDefault(), { signal });
  return { update: (next) => (onpick = next), destroy: () => heard.abort() };
}
