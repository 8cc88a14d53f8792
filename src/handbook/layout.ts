// Layout of every handbook page: brand, search, contents, text, previous and next page.
import { html, Html } from "../core/html.ts";
import { pagePath, type RenderedPage } from "./render.ts";

/** A page in the table of contents. */
export interface ContentsEntry {
  name: string;
  title: string;
}

export interface ContentsGroup {
  heading: string;
  pages: readonly ContentsEntry[];
}

export interface Frame {
  groups: readonly ContentsGroup[];
  /** Paths of the style sheet, the script and the search index. */
  css: string;
  script: string;
  index: string;
}

export function layout(frame: Frame, page: RenderedPage & { name: string }): string {
  const isIndex = page.name === "index";
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#171f22" media="(prefers-color-scheme: dark)" />
        <title>${isIndex ? page.title : `${page.title} · Ringward handbook`}</title>
        <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
        <link rel="stylesheet" href="${frame.css}" />
        <script type="module" src="${frame.script}"></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the text</a>
        <div class="book">
          <header class="side">
            <p class="brand">
              <a href="/docs"><img src="/favicon.svg" alt="" width="32" height="32" />Ringward handbook</a>
            </p>
            ${searchForm(frame)} ${contents(frame, page)}
            <p class="elsewhere">
              <a href="/dashboard">Dashboard</a> <a href="/swagger">API reference</a>
              <a href="/docs/webhooks">Webhook receivers</a>
            </p>
          </header>
          <main id="main" tabindex="-1">
            <article>${new Html(page.body)}</article>
            ${neighbours(frame, page.name)}
          </main>
        </div>
      </body>
    </html> `.text;
}

/** Hidden until the script shows it, because it does not work without the script. */
function searchForm({ index }: Frame): Html {
  return html`<form role="search" data-index="${index}" hidden>
      <label for="query">Search the handbook</label>
      <input id="query" type="search" autocomplete="off" maxlength="100" />
      <p id="hit-count" role="status"></p>
    </form>
    <ol id="hits" aria-label="Search results"></ol>`;
}

function contents({ groups }: Frame, page: RenderedPage & { name: string }): Html {
  return html`<details class="contents" open>
    <summary>Contents</summary>
    <nav aria-label="Contents">
      ${groups.map(
        ({ heading, pages }) =>
          html`<p class="group">${heading}</p>
            <ul>
              ${pages.map((entry) => contentsItem(entry, page))}
            </ul>`,
      )}
    </nav>
  </details>`;
}

function contentsItem({ name, title }: ContentsEntry, page: RenderedPage & { name: string }): Html {
  if (name !== page.name) return html`<li><a href="${pagePath(name)}">${title}</a></li>`;
  const parts = page.sections.filter(({ level }) => level === 2);
  return html`<li>
    <a href="${pagePath(name)}" aria-current="page">${title}</a>
    <ul>
      ${parts.map(({ heading, anchor }) => html`<li><a href="#${anchor}">${heading}</a></li>`)}
    </ul>
  </li>`;
}

function neighbours({ groups }: Frame, name: string): Html {
  const order = groups.flatMap(({ pages }) => pages);
  const at = order.findIndex((entry) => entry.name === name);
  const link = (entry: ContentsEntry | undefined, words: string) =>
    entry ? html`<a href="${pagePath(entry.name)}">${words}: ${entry.title}</a>` : null;
  const [before, after] = [link(at > 0 ? order[at - 1] : undefined, "Previous"), link(order[at + 1], "Next")];
  return html`<nav class="neighbours" aria-label="Neighbouring pages">${before} ${after}</nav>`;
}
