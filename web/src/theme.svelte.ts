// The theme, light or dark: the player's choice or, without a choice, the system's preference.

import { readItem, writeItem } from "./storage";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

let chosen = $state<Theme>(themes.find((theme) => theme === readItem("theme")) ?? "system");

export const theme = (): Theme => chosen;

export function chooseTheme(wanted: Theme): void {
  chosen = wanted;
  writeItem("theme", wanted);
  apply();
}

/** Apply the theme, and apply later changes of the system's preference. */
export function initTheme(): void {
  prefersDark.addEventListener("change", apply);
  apply();
}

function apply(): void {
  const system = prefersDark.matches ? "dark" : "light";
  document.documentElement.dataset.theme = chosen === "system" ? system : chosen;
}
