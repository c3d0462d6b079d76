// Unit tests of the browser code. The tests with a real browser and server are in tests/web/ of the repository.

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte({ configFile: false })],
  server: { fs: { allow: [".."] } },
  test: {
    include: ["tests/**/*.test.ts"],
    environment: "./tests/environment.ts",
    setupFiles: ["./tests/setup.ts"],
    restoreMocks: true,
  },
});
