// How the pages are built: into the Python package, with relative addresses and with compressed twins of every file.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const pages = "../src/jaipur/server/static";
const server = process.env.JAIPUR_SERVER ?? "http://127.0.0.1:8080";

/** Writes `name.gz` and `name.br` beside every asset that is text, so that the server need not compress anything. */
function compressed() {
  return {
    name: "compressed",
    apply: "build",
    closeBundle() {
      const folder = join(import.meta.dirname, pages, "assets");
      for (const name of readdirSync(folder).filter((name) => /\.(css|js|json|svg)$/.test(name))) {
        const file = join(folder, name);
        const plain = readFileSync(file);
        writeFileSync(`${file}.gz`, gzipSync(plain, { level: 9 }));
        writeFileSync(`${file}.br`, brotliCompressSync(plain));
      }
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [svelte({ configFile: false }), compressed()],
  build: {
    outDir: pages,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Chrome then compiles all of a script beside the page's own thread, not each function when it is first called.
    rolldownOptions: { output: { postBanner: "//# allFunctionsCalledOnLoad" } },
  },
  // While developing (`npm run dev`), the API is that of a running `jaipur serve`.
  server: { fs: { allow: [".."] }, proxy: { "/api": { target: server, changeOrigin: true } } },
});
