// ESLint for the browser code: type-checked rules for TypeScript and Svelte. Prettier owns the formatting, and svelte-check
// the types inside Svelte markup.

import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import globals from "globals";
import ts from "typescript-eslint";

const typed = { projectService: true, extraFileExtensions: [".svelte"] };

export default defineConfig(
  { ignores: ["node_modules/", "src/api/schema.d.ts"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  {
    files: ["src/**/*.{ts,svelte}", "tests/**/*.ts"],
    extends: [ts.configs.strictTypeChecked],
    languageOptions: { globals: globals.browser, parserOptions: typed },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_$", argsIgnorePattern: "^_$" }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // One-line callbacks return the result of their call.
      "@typescript-eslint/no-confusing-void-expression": "off",
      // `void value` makes an effect depend on a value.
      "@typescript-eslint/no-meaningless-void-operator": "off",
      // Cards are ASCII letters.
      "@typescript-eslint/no-misused-spread": "off",
    },
  },
  // After the rules for TypeScript, because these set the parser of Svelte files.
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { ...typed, parser: ts.parser } },
    rules: {
      // Sets and maps in state are replaced, never changed.
      "svelte/prefer-svelte-reactivity": "off",
      // Links go through our own router, not through SvelteKit.
      "svelte/no-navigation-without-resolve": "off",
      // The rule does not know the warnings of svelte-check, which reports unused comments itself.
      "svelte/no-unused-svelte-ignore": "off",
    },
  },
  {
    // typescript-eslint sees imported components as `any`; svelte-check has their types.
    files: ["**/*.svelte"],
    rules: {
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  { files: ["*.config.js"], languageOptions: { globals: globals.node } },
  { files: ["worker.js"], languageOptions: { globals: globals.serviceworker } },
);
