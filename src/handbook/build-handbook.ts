// Builds everything that /docs serves from the Markdown of this folder: pages, style sheet, script, search index,
// images.
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { sha256Hex } from "../core/hmac.ts";
import { layout, type ContentsGroup, type Frame } from "./layout.ts";
import { pagePath, renderPage, type RenderedPage } from "./render.ts";
import type { Entry } from "./search.ts";

export interface HandbookAsset {
  type: string;
  content: string;
  encoding: AssetEncoding;
}

/** "gzip": compressed, then base64: the search index alone is 440 kB of text. */
export type AssetEncoding = "base64" | "gzip";

export interface HandbookFiles {
  /** HTML by page name; `index` is the table of contents. */
  pages: Record<string, string>;
  notFound: string;
  /** By file name, which contains a content hash. */
  assets: Record<string, HandbookAsset>;
}

const NOT_FOUND = "# Page not found\n\nThe handbook has no such page. The [contents](index.md) list every page.\n";

export async function buildHandbook(folder: string): Promise<HandbookFiles> {
  const assets: Record<string, HandbookAsset> = {};
  const add = (ending: string, asset: HandbookAsset): string => {
    const name = `${sha256Hex(asset.content).slice(0, 16)}.${ending}`;
    assets[name] = asset;
    return `/docs/assets/${name}`;
  };
  const images = await readImages(folder, add);
  const rendered = await renderPages(folder, images);
  const groups = contentsOf(await Bun.file(join(folder, "index.md")).text(), rendered);
  const { script, styles } = await bundle(folder);
  const frame: Frame = {
    groups,
    css: add("css", { type: "text/css; charset=utf-8", ...packed(styles) }),
    script: add("js", { type: "text/javascript; charset=utf-8", ...packed(script) }),
    index: add("json", { type: "application/json", ...packed(JSON.stringify(entriesOf(rendered))) }),
  };
  const pages = [...rendered].map(([name, page]) => [name, layout(frame, { ...page, name })] as const);
  const missing = renderPage(NOT_FOUND, () => "");
  return { pages: Object.fromEntries(pages), notFound: layout(frame, { ...missing, name: "" }), assets };
}

const packed = (text: string) => ({
  content: Buffer.from(Bun.gzipSync(text)).toString("base64"),
  encoding: "gzip" as const,
});

async function readImages(
  folder: string,
  add: (ending: string, asset: HandbookAsset) => string,
): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".png"));
  const read = async (name: string) => {
    const content = Buffer.from(await Bun.file(join(folder, name)).bytes()).toString("base64");
    return [name, add("png", { type: "image/png", content, encoding: "base64" })] as const;
  };
  return new Map(await Promise.all(names.map(read)));
}

async function renderPages(
  folder: string,
  images: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, RenderedPage>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".md")).toSorted();
  const render = async (file: string) => {
    const imagePath = (name: string) => {
      const path = images.get(name);
      if (path === undefined) throw new Error(`${file}: there is no image ${name}.`);
      return path;
    };
    try {
      const page = renderPage(await Bun.file(join(folder, file)).text(), imagePath);
      return [basename(file, ".md"), page] as const;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`The handbook's ${file} cannot be rendered: ${reason}`, { cause: error });
    }
  };
  return new Map(await Promise.all(files.map(render)));
}

/** Page order and groups: the links of index.md under its headings. */
function contentsOf(index: string, rendered: ReadonlyMap<string, RenderedPage>): ContentsGroup[] {
  const parts = index.split(/^## /m).slice(1);
  return parts.map((part) => ({
    heading: part.split("\n", 1)[0] ?? "",
    pages: [...part.matchAll(/^- \[[^\]]+\]\(([a-z0-9-]+)\.md\)/gm)].map(([, name = ""]) => {
      const page = rendered.get(name);
      if (!page) throw new Error(`index.md lists ${name}.md, which does not exist.`);
      return { name, title: page.title };
    }),
  }));
}

function entriesOf(rendered: ReadonlyMap<string, RenderedPage>): Entry[] {
  return [...rendered].flatMap(([name, { title, sections }]) =>
    sections.map(({ heading, anchor, text }) => ({ page: pagePath(name), title, heading, anchor, text })),
  );
}

async function bundle(folder: string): Promise<{ script: string; styles: string }> {
  const result = await Bun.build({
    entrypoints: [join(folder, "search-box.ts"), join(folder, "page.css")],
    target: "browser",
    minify: true,
  });
  const textOf = async (name: string) => {
    const file = result.outputs.find(({ path }) => basename(path) === name);
    if (!file) throw new Error(`The handbook's ${name} was not built.`);
    return file.text();
  };
  return { script: await textOf("search-box.js"), styles: await textOf("page.css") };
}
