// The service worker. It handles page loads only and stores nothing: if the server is unreachable, it answers with a page of
// its own. vite.config.js replaces the two comments in that page by the texts of all languages.

const OFFLINE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Jaipur</title>
<style>
  :root { font: 1.1rem/1.5 system-ui, sans-serif; color: #2a1b3d; background: #f1d3c2; }
  body { max-width: 30rem; margin: 12vh auto; padding: 1rem; }
  h1 { font: 700 2rem/1.2 Georgia, serif; }
  a { display: inline-block; padding: 0.6rem 1.2rem; border-radius: 0.5rem; color: #fff8ea; background: #0f6b57; }
  @media (prefers-color-scheme: dark) { :root { color: #f8e7c6; background: #14122f; } }
</style>
</head>
<body>
<main>
<h1>Jaipur</h1>
<!-- offline -->
<p><a href=""><!-- retry --></a></p>
</main>
</body>
</html>`;

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  "cache-control": "no-store",
};

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  event.respondWith(fetch(event.request).catch(() => new Response(OFFLINE_PAGE, { status: 503, headers: HEADERS })));
});
