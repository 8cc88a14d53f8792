// Renders one page of the handbook from Markdown to HTML. Runs at build time, never per request.
import { textOf } from "./plain-text.ts";

/** A heading with the text below it, as the search index holds it. */
export interface Section {
  level: number;
  heading: string;
  anchor: string;
  text: string;
}

export interface RenderedPage {
  title: string;
  body: string;
  sections: Section[];
}

/**
 * Paths that a running appliance serves besides the handbook. On a forge they are rendered as code, in the handbook as
 * links.
 */
const SERVED_PATHS = new Set([
  "/docs/webhooks",
  "/docs/verify-proofs",
  "/docs/clients/ringward.py",
  "/docs/clients/ringward.ts",
  "/swagger",
  "/openapi.json",
  "/dashboard",
]);

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? "");

/** Renders `markdown`; `imagePath` returns the served path of an image. Throws on raw HTML and unknown links. */
export function renderPage(markdown: string, imagePath: (file: string) => string): RenderedPage {
  const anchors = createAnchors();
  const headings: Omit<Section, "text">[] = [];
  const body = Bun.markdown.render(markdown, {
    // All text passes through here, including code and raw HTML.
    text: escaped,
    heading(children, { level }) {
      const heading = textOf(children);
      const anchor = anchors(heading);
      headings.push({ level, heading, anchor });
      return `<h${level} id="${anchor}">${children}</h${level}>\n`;
    },
    paragraph: (children) => `<p>${children}</p>\n`,
    strong: (children) => `<strong>${children}</strong>`,
    emphasis: (children) => `<em>${children}</em>`,
    strikethrough: (children) => `<del>${children}</del>`,
    blockquote: (children) => `<blockquote>${children}</blockquote>\n`,
    hr: () => "<hr>\n",
    codespan(children) {
      const code = `<code>${children}</code>`;
      return SERVED_PATHS.has(children) ? `<a href="${children}">${code}</a>` : code;
    },
    // Diagrams stay text. A block may be wider than the page, so it must be focusable for scrolling by keyboard.
    code: (children) => `<pre tabindex="0"><code>${children}</code></pre>\n`,
    list: (children, { ordered }) => (ordered ? `<ol>${children}</ol>\n` : `<ul>${children}</ul>\n`),
    listItem: (children) => `<li>${children}</li>\n`,
    table: (children) =>
      `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${children}</table></div>\n`,
    thead: (children) => `<thead>${children}</thead>`,
    tbody: (children) => `<tbody>${children}</tbody>`,
    tr: (children) => `<tr>${children}</tr>\n`,
    th: (children, meta) => `<th scope="col"${alignment(meta)}>${children}</th>`,
    td: (children, meta) => `<td${alignment(meta)}>${children}</td>`,
    link(children, { href }) {
      const served = servedHref(href);
      return served === null ? children : `<a href="${escaped(served)}">${children}</a>`;
    },
    image: (children, { src }) => `<img src="${escaped(imagePath(src))}" alt="${children}">`,
    html(children) {
      if (children.startsWith("&lt;!--")) return "";
      throw new Error(`Pages hold no raw HTML: ${children.slice(0, 80)}`);
    },
  });
  const [first] = headings;
  if (first?.level !== 1 || !body.startsWith("<h1"))
    throw new Error("A page begins with its title, as a heading of the first level.");
  return { title: first.heading, body, sections: sectionsOf(body, headings) };
}

function alignment(meta: { align?: string } | undefined): string {
  return meta?.align === "right" ? ' class="right"' : "";
}

/** The served target of a link; null for a file of the repository, which an appliance does not have. */
export function servedHref(href: string): string | null {
  if (/^(?:#|https:\/\/|mailto:)/.test(href)) return href;
  const page = /^([a-z0-9-]+)\.md(#[\w-]+)?$/.exec(href);
  if (page) return `${pagePath(page[1] ?? "")}${page[2] ?? ""}`;
  if (href.startsWith("../../")) return null;
  throw new Error(`A link leads to another page, a heading, https or a file of the repository, not to ${href}.`);
}

export const pagePath = (name: string) => (name === "index" ? "/docs" : `/docs/${name}`);

/**
 * Anchors in the style of forges: lower case, no punctuation, a hyphen for each space, a number for a repeated heading.
 */
export function createAnchors(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const plain = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
      .replaceAll(" ", "-");
    const times = seen.get(plain) ?? 0;
    seen.set(plain, times + 1);
    return times === 0 ? plain : `${plain}-${times}`;
  };
}

function sectionsOf(body: string, headings: readonly Omit<Section, "text">[]): Section[] {
  const parts = body.split(/<h[1-6] id="[^"]*">.*?<\/h[1-6]>\n/).slice(1);
  return headings.map((heading, index) => ({ ...heading, text: textOf(parts[index] ?? "") }));
}
