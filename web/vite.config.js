// Builds the pages into the Python package, with relative addresses and a compressed copy of every file.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const pages = "../src/jaipur/server/static";
const server = process.env.JAIPUR_SERVER ?? "http://127.0.0.1:8080";

/** Writes `name.gz` and `name.br` beside every text asset, so that the server compresses nothing. */
function compress() {
  return {
    name: "compress",
    apply: "build",
    closeBundle() {
      const folder = join(import.meta.dirname, pages, "assets");
      for (const name of readdirSync(folder).filter((name) => /\.(css|js|json|svg)$/.test(name))) {
        const file = join(folder, name);
        const content = readFileSync(file);
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
        writeFileSync(`${file}.br`, brotliCompressSync(content));
      }
    },
  };
}

/** Writes the service worker with its texts in all languages, English first. */
function serviceWorker() {
  return {
    name: "service-worker",
    apply: "build",
    generateBundle() {
      const folder = join(import.meta.dirname, "../src/jaipur/words");
      const languages = readdirSync(folder)
        .filter((name) => name.endsWith(".json"))
        .map((name) => ({ code: name.slice(0, -5), texts: JSON.parse(readFileSync(join(folder, name), "utf8")) }))
        .sort((a, b) => Number(b.code === "en") - Number(a.code === "en"));
      const elements = (tag, key) =>
        languages.map(({ code, texts }) => `<${tag} lang="${code}">${texts[key]}</${tag}>`);
      const source = readFileSync(join(import.meta.dirname, "worker.js"), "utf8")
        .replace("<!-- offline -->", elements("p", "web.offline").join("\n"))
        .replace("<!-- retry -->", elements("span", "web.offline.retry").join(" · "));
      this.emitFile({ type: "asset", fileName: "worker.js", source });
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [svelte({ configFile: false }), serviceWorker(), compress()],
  build: {
    outDir: pages,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Chrome then compiles the whole script in the background instead of each function at its first call.
    rolldownOptions: { output: { postBanner: "//# allFunctionsCalledOnLoad" } },
  },
  // `npm run dev` uses the API of a running `jaipur serve`.
  server: { fs: { allow: [".."] }, proxy: { "/api": { target: server, changeOrigin: true } } },
});
