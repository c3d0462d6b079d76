// The keys on the board: 1 to 5 for the market, letters for the hand, M for camels, Enter to play, Escape to deselect.

import { CAMEL, isGood } from "../game/cards";
import type { MoveBuilder } from "./move-builder.svelte";

/** Handle a key. Returns whether it selected a card or did something else; undefined if the key has no function. */
export function handleKey(
  event: KeyboardEvent,
  builder: MoveBuilder,
  play: () => void,
): "selected" | "done" | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return undefined;
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return undefined;
  const key = event.key.toUpperCase();
  const card = /^[1-5]$/.test(key) ? builder.layout.market[Number(key) - 1] : undefined;
  if (card) builder.toggleMarketCard(card);
  else if (key === CAMEL) builder.pressCamelKey();
  else if (isGood(key)) builder.addHandCard(key);
  else if (key === "ESCAPE") {
    builder.clear();
    return "done";
  } else if (key === "ENTER" && playsMove(event.target)) {
    play();
    return "done";
  } else return undefined;
  return "selected";
}

/** Enter also plays the move if a selected card has the focus. On other buttons, Enter does what the button does. */
const playsMove = (target: EventTarget | null): boolean =>
  !(target instanceof HTMLButtonElement) || target.ariaPressed === "true";
