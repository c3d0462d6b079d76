// What makes the table installable, and lets it say in its own words that the server cannot be reached.

import { base } from "./router.svelte";

// A browser may look for these again when the address has changed, and from there the way to them is another.
for (const link of document.querySelectorAll<HTMLLinkElement>("link[rel=manifest], link[rel=apple-touch-icon]")) {
  link.href = new URL(link.href).href;
}

// Only a secure connection has workers; without one, the browser's own page has to do.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  navigator.serviceWorker.register(new URL("worker.js", base)).catch(() => {});
}
