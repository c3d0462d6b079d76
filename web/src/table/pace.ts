// The pauses that let people follow the game. They are multiples of the chosen animation time, so that there are none if
// the animations are switched off.

import type { Message } from "../api/client";
import { animationTime, flightTime } from "./animations";

const READING = 2.6;
/** The value of a bonus token is new to the player. */
const READING_BONUS = 5;
const BEFORE_SHEET = 1.5;

/** The milliseconds for which a move stays on the screen before the next one. */
export const readingTime = ({ happenings }: Message): number =>
  animationTime() * (happenings.some(({ what }) => what === "bonus") ? READING_BONUS : READING);

/** The milliseconds between the landing of the last cards and the score sheet. Without flights, the sheet opens at once. */
export const sheetDelay = (): number => flightTime() * BEFORE_SHEET;
