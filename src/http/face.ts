// The face of pages outside the dashboard: style sheet, and the bar with the logo and links to the other pages.
import { html, type Html } from "../core/html.ts";
import face from "./face.css" with { type: "text" };
import tokens from "./tokens.css" with { type: "text" };

export const MARK_PATH = "/favicon.svg";

export const FACE_CSS = `${tokens}\n${face}`;
export const FACE_PATH = "/face.css";

const PLACES = [
  ["docs", "Handbook"],
  ["swagger", "API reference"],
  ["docs/webhooks", "Webhook receivers"],
  ["dashboard", "Dashboard"],
] as const;

export type Place = (typeof PLACES)[number][0];

/** `here`: the page itself, which is marked. `root`: "" for relative links, which work under a path of a proxy. */
export function faceBar(here: Place | null, root = "/"): Html {
  const place = ([path, name]: readonly [Place, string]) =>
    html`<a href="${root}${path}" ${path === here ? html`aria-current="page"` : null}>${name}</a> `;
  return html`<header class="face-bar">
    <a class="face-brand" href="${root}dashboard"
      ><img src="${root}favicon.svg" alt="" width="32" height="32" />Ringward</a
    >
    ${PLACES.map(place)}
  </header>`;
}
