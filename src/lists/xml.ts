// Pull parser for the XML of workbooks: local names, attributes and text. Document types are rejected, so entity
// expansion attacks are impossible.
import { listFault } from "./table.ts";

export interface XmlReader {
  /** Advances to the next piece; false at the end. */
  next(): boolean;
  kind: "open" | "close" | "text";
  /** Local name of an element. */
  name: string;
  /** `<a/>`: no closing tag follows. */
  isEmpty: boolean;
  /** Text with entities resolved. */
  text(): string;
  attribute(name: string): string | null;
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const [GREATER, QUOTE, APOSTROPHE, SLASH, COLON, SPACE] = [0x3e, 0x22, 0x27, 0x2f, 0x3a, 0x20];
/** Ten thousand rows of fifty inline texts are 3.5 million pieces. */
const MOST_PIECES = 5_000_000;
/** Longest text before entities are resolved, several times the limit of a cell. */
const LONGEST_TEXT = 32_768;

const patterns = new Map<string, RegExp>();

/** Cached per name: a sheet uses few names, hundreds of thousands of times. */
function patternOf(attribute: string): RegExp {
  const made = patterns.get(attribute) ?? new RegExp(`\\s(?:[\\w.-]+:)?${attribute}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
  patterns.set(attribute, made);
  return made;
}

const broken = () => listFault("The workbook holds XML that cannot be read. Save it again in a spreadsheet.");

export function readXml(xml: string): XmlReader {
  let at = 0;
  let piece = "";
  let isVerbatim = false;
  let pieces = 0;

  /** Skips `>` inside attribute values. */
  function endOfTag(from: number): number {
    for (let end = from; end < xml.length; end++) {
      const code = xml.charCodeAt(end);
      if (code === GREATER) return end;
      if (code !== QUOTE && code !== APOSTROPHE) continue;
      end = xml.indexOf(code === QUOTE ? '"' : "'", end + 1);
      if (end === -1) break;
    }
    throw broken();
  }
  function past(end: string): void {
    const found = xml.indexOf(end, at);
    if (found === -1) throw broken();
    at = found + end.length;
  }
  function takeText(end: number, verbatim: boolean): true {
    reader.kind = "text";
    piece = xml.slice(at, Math.min(end, at + LONGEST_TEXT));
    isVerbatim = verbatim;
    at = end;
    return true;
  }
  function takeTag(): true {
    const end = endOfTag(at + 1);
    const isClose = xml.charCodeAt(at + 1) === SLASH;
    reader.kind = isClose ? "close" : "open";
    reader.isEmpty = xml.charCodeAt(end - 1) === SLASH;
    reader.name = nameIn(xml, at + (isClose ? 2 : 1), end);
    // A closing tag has only a name.
    piece = isClose ? "" : xml.slice(at + 1, end);
    at = end + 1;
    return true;
  }

  const reader: XmlReader = {
    kind: "text",
    name: "",
    isEmpty: false,
    next() {
      pieces += 1;
      if (pieces > MOST_PIECES)
        throw listFault("The workbook is too large. Copy the rows and columns that are needed into a new one.");
      while (at < xml.length) {
        if (xml[at] !== "<") {
          const next = xml.indexOf("<", at);
          return takeText(next === -1 ? xml.length : next, false);
        }
        if (xml.startsWith("<?", at)) past("?>");
        else if (xml.startsWith("<!--", at)) past("-->");
        else if (xml.startsWith("<![CDATA[", at)) {
          at += "<![CDATA[".length;
          const end = xml.indexOf("]]>", at);
          if (end === -1) throw broken();
          takeText(end, true);
          at = end + "]]>".length;
          return true;
        } else if (xml.startsWith("<!", at)) throw broken();
        else return takeTag();
      }
      return false;
    },
    text: () => (isVerbatim ? piece : withoutEntities(piece)),
    attribute(name) {
      const found = patternOf(name).exec(piece);
      return found ? withoutEntities(found[1] ?? found[2] ?? "") : null;
    },
  };
  return reader;
}

/** Local name of an element. */
function nameIn(xml: string, from: number, end: number): string {
  let start = from;
  for (let place = from; place < end; place++) {
    const code = xml.charCodeAt(place);
    if (code <= SPACE || code === SLASH) return xml.slice(start, place);
    if (code === COLON && start === from) start = place + 1;
  }
  return xml.slice(start, end);
}

function withoutEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,8}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === "string") return NAMED[name] ?? whole;
    const code = typeof decimal === "string" ? Number(decimal) : parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
