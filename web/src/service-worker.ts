// Registers the service worker, which makes the site installable and shows our own page while the server is unreachable.

import { base } from "./router.svelte";

// After a navigation by script, browsers resolve relative links again. Absolute links stay valid.
for (const link of document.querySelectorAll<HTMLLinkElement>("link[rel=manifest], link[rel=apple-touch-icon]")) {
  link.href = new URL(link.href).href;
}

// Service workers need a secure context.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  navigator.serviceWorker.register(new URL("worker.js", base)).catch(() => {});
}
