// The current page. Addresses are /, /t/ID and /rules below the path at which the server is mounted. An invitation is the
// fragment of a table's address, because browsers do not send fragments to servers.

export type Route = { page: "home" | "rules" | "not-found" } | { page: "table"; id: string; invitation: string };

/** The root of the site: the folder above the built scripts. */
export const base = import.meta.env.DEV
  ? new URL("/", location.href)
  : new URL(/* @vite-ignore */ "..", import.meta.url);

let current = $state.raw<Route>(parseLocation());
addEventListener("popstate", () => (current = parseLocation()));

export const route = (): Route => current;

let previousTable = "";

/** The address of the table from which the player navigated here; empty if there is none. */
export const tableLeft = (): string => previousTable;

/** The address of a page: `pageUrl("t/ID")`. */
export const pageUrl = (page = ""): string => new URL(page, base).href;

export function navigate(address: string): void {
  previousTable = current.page === "table" ? location.href : "";
  history.pushState(null, "", address);
  current = parseLocation();
  scrollTo(0, 0);
}

/** Click handler of internal links: navigates without a page load. */
export function followLink(event: MouseEvent & { currentTarget: HTMLAnchorElement }): void {
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  navigate(event.currentTarget.href);
}

function parseLocation(): Route {
  const [first = "", id, ...more] = location.pathname.slice(base.pathname.length).split("/").filter(Boolean);
  if (!first) return { page: "home" };
  if (first === "t" && id && !more.length) return { page: "table", id, invitation: location.hash.slice(1) };
  if (first === "rules" && !id) return { page: "rules" };
  return { page: "not-found" };
}
