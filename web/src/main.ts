// Entry point: loads the texts, then mounts the page.

import { mount } from "svelte";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/utilities.css";
import App from "./App.svelte";
import { preferredLanguage, setLanguage } from "./i18n.svelte";
import { initTheme } from "./theme.svelte";

// After a navigation by script, browsers resolve a relative icon link again. An absolute link stays valid.
const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
if (icon) icon.href = new URL(icon.href).href;

initTheme();
await setLanguage(preferredLanguage());
mount(App, { target: document.body });
