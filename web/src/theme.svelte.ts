// Light or dark: as the system has it, unless somebody chose.

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const KEPT = "jaipur.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

let chosen = $state<Theme>(themes.find((theme) => theme === localStorage.getItem(KEPT)) ?? "system");

export const theme = (): Theme => chosen;

export function wear(wanted: Theme): void {
  chosen = wanted;
  localStorage.setItem(KEPT, wanted);
  show();
}

/** Show the theme, and follow the system where it decides. */
export function dress(): void {
  dark.addEventListener("change", show);
  show();
}

function show(): void {
  document.documentElement.dataset.theme = chosen === "system" ? (dark.matches ? "dark" : "light") : chosen;
}
