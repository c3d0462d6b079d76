// Where the pages begin: the words first, then everything else.

import { mount } from "svelte";
import "../art/palette.css";
import "./base.css";
import App from "./App.svelte";
import { dress } from "./theme.svelte";
import { firstLanguage, speak } from "./words.svelte";

// A browser looks for the icon again when the address changes, and from there the way to it is another.
const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
if (icon) icon.href = new URL(icon.href).href;

dress();
await speak(firstLanguage());
mount(App, { target: document.body });
