// Dragging a card as an alternative to clicking it. A card dropped outside its zone counts as clicked. Nothing happens if it
// is dropped inside its zone or if the browser cancels the pointer.

import type { Attachment } from "svelte/attachments";

/** The distance in pixels after which a press becomes a drag. */
const THRESHOLD = 8;

/** Makes a card draggable within its zone, the closest element with `data-home`. */
export const draggable =
  (onDrop: () => void): Attachment<HTMLElement> =>
  (card) => {
    let start: { id: number; x: number; y: number } | undefined;
    let dragged = false;

    function down({ pointerId: id, clientX: x, clientY: y, button, isPrimary }: PointerEvent): void {
      dragged = false;
      start = button === 0 && isPrimary ? { id, x, y } : undefined;
      // A fast pointer may leave the card before the next event.
      if (start) card.setPointerCapture(id);
    }

    function move({ pointerId, clientX, clientY }: PointerEvent): void {
      if (pointerId !== start?.id) return;
      const [x, y] = [clientX - start.x, clientY - start.y];
      if (!dragged && Math.hypot(x, y) < THRESHOLD) return;
      dragged = true;
      card.dataset.dragged = "";
      card.style.transform = `translate(${x}px, ${y}px)`;
    }

    function up({ clientX, clientY }: PointerEvent): void {
      const home = card.closest("[data-home]");
      const target = document.elementFromPoint(clientX, clientY);
      const outside = dragged && target !== null && !home?.contains(target);
      reset();
      if (outside) onDrop();
    }

    function reset(): void {
      start = undefined;
      delete card.dataset.dragged;
      card.style.transform = "";
    }

    /** Ignore the click event at the end of a drag. Clicks by keyboard have no detail. */
    function click(event: MouseEvent): void {
      if (dragged && event.detail) event.stopPropagation();
      dragged = false;
    }

    const listeners = new AbortController();
    const { signal } = listeners;
    card.addEventListener("pointerdown", down, { signal });
    card.addEventListener("pointermove", move, { signal });
    card.addEventListener("pointerup", up, { signal });
    card.addEventListener("pointercancel", reset, { signal });
    card.addEventListener("click", click, { signal, capture: true });
    card.addEventListener("dragstart", (event) => event.preventDefault(), { signal });
    return () => listeners.abort();
  };
