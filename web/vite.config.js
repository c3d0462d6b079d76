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

export default defineConfig({
  base: "./",
  plugins: [svelte({ configFile: false }), compress()],
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
