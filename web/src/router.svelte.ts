// Which page is shown. Addresses are /, /t/ID and /rules under whatever path the server is shown at; an invitation is the
// fragment of a table's address, which a browser sends to nobody.

export type Route =
  | { page: "home" | "rules" | "lost" }
  | { page: "table"; id: string; invitation: string };

/** Where the site begins: the folder above the built scripts. */
export const base = import.meta.env.DEV
  ? new URL("/", location.href)
  : new URL(/* @vite-ignore */ "..", import.meta.url);

let here = $state.raw<Route>(read());
addEventListener("popstate", () => (here = read()));

export const route = (): Route => here;

let left = "";

/** The address of the table from which one came here; empty where one came from elsewhere. */
export const leftTable = (): string => left;

/** The address of a page, as in `at("t/ID")`. */
export const at = (page = ""): string => new URL(page, base).href;

export function go(address: string): void {
  left = here.page === "table" ? location.href : "";
  history.pushState(null, "", address);
  here = read();
  scrollTo(0, 0);
}

/** What a link does when it is clicked: it goes there without loading the page anew. */
export function follow(event: MouseEvent & { currentTarget: HTMLAnchorElement }): void {
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(event.currentTarget.href);
}

function read(): Route {
  const [first = "", id, ...more] = location.pathname.slice(base.pathname.length).split("/").filter(Boolean);
  if (!first) return { page: "home" };
  if (first === "t" && id && !more.length) return { page: "table", id, invitation: location.hash.slice(1) };
  if (first === "rules" && !id) return { page: "rules" };
  return { page: "lost" };
}
