// Entry point: loads the texts, then mounts the page.

import { mount } from "svelte";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/utilities.css";
import App from "./App.svelte";
import { preferredLanguage, setLanguage } from "./i18n.svelte";
import { initTheme } from "./theme.svelte";

// Browsers resolve a relative icon link again after a navigation by script; an absolute one stays valid.
const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
if (icon) icon.href = new URL(icon.href).href;

initTheme();
await setLanguage(preferredLanguage());
mount(App, { target: document.body });
