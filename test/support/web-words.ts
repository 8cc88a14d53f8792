// Reads the dashboard's pages: which of the catalogue's words they say, and which text they hold themselves.
import { dirname, join, normalize } from "node:path/posix";
import type { Sources } from "./source-rules.ts";

export type Tree = string | ((...values: never[]) => string) | { readonly [key: string]: Tree };

/** `calls.newCall.title`, for every text of a catalogue. */
export function pathsOf(tree: Tree, above = ""): string[] {
  if (typeof tree === "string" || typeof tree === "function") return [above];
  return Object.entries(tree).flatMap(([key, below]) => pathsOf(below, above === "" ? key : `${above}.${key}`));
}

/** Every text with where it stands; of one that takes values, its parts. */
export function textsOf(tree: Tree, path = ""): { path: string; text: string }[] {
  if (typeof tree === "string") return [{ path, text: tree }];
  if (typeof tree === "function") return read(`(${tree.toString()})`).strings.map(({ text }) => ({ path, text }));
  return Object.entries(tree).flatMap(([key, below]) => textsOf(below, path === "" ? key : `${path}.${key}`));
}

interface Read {
  /** JavaScript without types, comments and JSX; every string is empty. */
  code: string;
  strings: { text: string; before: string }[];
}

const transpiler = new Bun.Transpiler({ loader: "tsx", target: "browser" });
/** A slash begins a regular expression where no value can stand before it. */
const BEFORE_REGEXP = /(?:^|[(,=:[!&|?{};\n+]|return)\s*$/;
const LITERAL = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[`}{/]/g;

/** Text and code of one file, apart. */
export function read(source: string): Read {
  const code = transpiler.transformSync(source);
  const strings: Read["strings"] = [];
  let kept = "";
  let at = 0;
  // For each open brace, whether it is one of a template's ${}.
  const braces: boolean[] = [];
  const note = (text: string) => strings.push({ text, before: kept.slice(-40) });
  const readTemplate = (from: number) => {
    let end = from;
    while (end < code.length && code[end] !== "`" && !(code[end] === "$" && code[end + 1] === "{")) {
      end += code[end] === "\\" ? 2 : 1;
    }
    note(code.slice(from, end));
    const isOpen = code[end] === "$";
    if (isOpen) braces.push(true);
    kept += isOpen ? "${" : "``";
    LITERAL.lastIndex = at = end + (isOpen ? 2 : 1);
  };
  LITERAL.lastIndex = 0;
  for (let match = LITERAL.exec(code); match; match = LITERAL.exec(code)) {
    const [found] = match;
    kept += code.slice(at, match.index);
    at = match.index + found.length;
    if (found === "`") readTemplate(at);
    else if (found === "{") kept += (braces.push(false), found);
    else if (found === "}") {
      kept += found;
      if (braces.pop() === true) readTemplate(at);
    } else if (found === "/") {
      const body = BEFORE_REGEXP.test(kept) ? /(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y : null;
      if (body) body.lastIndex = at;
      const rest = body?.exec(code)?.[0].length ?? 0;
      kept += rest > 0 ? "/_/" : found;
      LITERAL.lastIndex = at += rest;
    } else if (/^["']/.test(found)) {
      const isKey = code[at] === ":" && /[{,]\s*$/.test(kept);
      if (!isKey) note(found.slice(1, -1));
      kept += isKey ? found : '""';
    }
  }
  return { code: kept + code.slice(at), strings };
}

type Names = Map<string, string>;

/** What a file's names stand for in the catalogue: `words` → `calls.newCall`. */
function namesIn(source: string): { own: Names; exported: Names } {
  const own: Names = new Map();
  const exported: Names = new Map();
  const path = (text: string) => text.replaceAll(/\s/g, "").slice(1);
  for (const [, isExported, name = "", of = ""] of source.matchAll(
    /^(export )?const (\w+) = said((?:\s*\.\w+)+);$/gm,
  )) {
    own.set(name, path(of));
    if (isExported) exported.set(name, path(of));
  }
  for (const [, list = "", of = ""] of source.matchAll(/^export const \{([^}]*)\} =\s*said((?:\s*\.\w+)+);$/gm)) {
    for (const name of list.split(",").flatMap((text) => /\w+/.exec(text) ?? [])) {
      exported.set(name, `${path(of)}.${name}`);
    }
  }
  return { own, exported };
}

const IMPORT = /^import (?:type )?\{([^}]*)\} from "(\.[^"]+)";$/gm;

function importedIn(file: string, source: string, exported: ReadonlyMap<string, Names>): Names {
  const names: Names = new Map();
  for (const [, list = "", from = ""] of source.matchAll(IMPORT)) {
    const shown = exported.get(normalize(join(dirname(file), from)));
    for (const item of list.split(",")) {
      const [name = "", local = name] = item.trim().split(" as ");
      const path = shown?.get(name);
      if (path !== undefined) names.set(local, path);
    }
  }
  return names;
}

/** What no page says. A part that is handed on whole, or looked up by a key, counts as said. */
export function unusedIn(sources: Sources, catalogue: Tree): string[] {
  const names = new Map([...sources].map(([file, source]) => [file, namesIn(source)] as const));
  const exported = new Map([...names].map(([file, { exported: shown }]) => [file, shown] as const));
  const used = new Set<string>();
  for (const [file, source] of sources) {
    const known = new Map([...(names.get(file)?.own ?? []), ...importedIn(file, source, exported), ["said", ""]]);
    const code = read(source)
      .code.replaceAll(/^import [^;]*;$/gm, "")
      .replaceAll(/^(?:export )?const (?:\w+|\{[^}]*\}) = said[^;]*;$/gm, "");
    for (const [name, path] of known) {
      for (const [, more = ""] of code.matchAll(
        new RegExp(`(?<=\\.\\.\\.|[^\\w.]|^)${name}\\b((?:\\??\\.\\w+)*)(?!\\s*:)`, "g"),
      )) {
        used.add(reached(catalogue, `${path}${more.replaceAll("?", "")}`));
      }
    }
  }
  used.delete("");
  return pathsOf(catalogue).filter((path) => !isSaid(path, used));
}

/** As far as a path leads in the catalogue: what follows is done with the text, such as `.length`. */
function reached(tree: Tree, path: string): string {
  const way: string[] = [];
  let here = tree;
  for (const part of path.split(".").filter((text) => text !== "")) {
    const below: Tree | undefined = typeof here === "object" ? here[part] : undefined;
    if (below === undefined) break;
    way.push(part);
    here = below;
  }
  return way.join(".");
}

function isSaid(path: string, used: ReadonlySet<string>): boolean {
  const parts = path.split(".");
  return parts.some((_, index) => used.has(parts.slice(0, index + 1).join(".")));
}

/** Where a person reads or hears whatever stands there. */
const SHOWN = /\b(?:children|label|title|placeholder|alt|hint|note|text|summary|caption|aria-label"?): (?:\[\s*)?$/;
/** Two words, or one that begins a sentence. */
const READS_AS_WORDS = /[\p{L}]{2,}[,.:;!?]? [\p{L}]{2,}|^[\p{Lu}][\p{Ll}]{2,}/u;
/** Classes, and what only a developer sees. */
const NOT_SHOWN = /(?:class|className|font|rel): $|Error\($/;
const BROWSERS_OWN = /^(?:Enter|Escape|Tab|Home|End|Backspace|Delete|Page\w+|Arrow\w+|\w+Error)$|^\(prefers-/;
/** What stays as it is in every language: commands, names of the API, samples of what is typed. */
const SAME_EVERYWHERE = [
  /^ringward [a-z]+ [a-z]+$/,
  /^RINGWARD_\w+$/,
  /openssl|curl| -H '|:is\(/,
  /^(?:Morning|Afternoon|Evening|now|later|G722, PCMA, PCMU|Test Patient|pbx\.hospital\.example)$/,
];

/** Text that a page says without asking the catalogue. */
export function ownTextOf(source: string): string[] {
  const found = read(source).strings.filter(({ text, before }) => {
    if (BROWSERS_OWN.test(text) || SAME_EVERYWHERE.some((pattern) => pattern.test(text))) return false;
    if (SHOWN.test(before)) return /\p{L}{2,}/u.test(text);
    return !NOT_SHOWN.test(before) && READS_AS_WORDS.test(text);
  });
  return found.map(({ text }) => text);
}
