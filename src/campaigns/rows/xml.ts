// Reads XML piece by piece, as far as a workbook needs it: names without their prefix, attributes, text. No document type is
// taken, so no entity can grow.
import { listFault } from "./table.ts";

export interface XmlReader {
  /** Goes to the next piece; false at the end. */
  next(): boolean;
  kind: "open" | "close" | "text";
  /** Of an element, without prefix. */
  name: string;
  /** `<a/>`: no closing piece follows. */
  isEmpty: boolean;
  /** Of a text, with its entities resolved. */
  text(): string;
  attribute(name: string): string | null;
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
/** What a name in angle brackets may begin with, apart from what is handled before. */
const ELEMENT_NAME = /^\/?(?:[^\s/:>]*:)?([^\s/>]*)/;

/** `>` may stand in an attribute's value. */
const REST_OF_TAG = /[^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*>/y;

const patterns = new Map<string, RegExp>();

/** Made once for each name: a sheet asks for few, and a hundred thousand times. */
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

  function endOfTag(from: number): number {
    REST_OF_TAG.lastIndex = from;
    if (!REST_OF_TAG.test(xml)) throw broken();
    return REST_OF_TAG.lastIndex - 1;
  }
  function past(end: string): void {
    const found = xml.indexOf(end, at);
    if (found === -1) throw broken();
    at = found + end.length;
  }
  function takeText(end: number, verbatim: boolean): true {
    reader.kind = "text";
    piece = xml.slice(at, end);
    isVerbatim = verbatim;
    at = end;
    return true;
  }
  function takeTag(): true {
    const end = endOfTag(at + 1);
    piece = xml.slice(at + 1, end);
    at = end + 1;
    reader.kind = piece.startsWith("/") ? "close" : "open";
    reader.isEmpty = piece.endsWith("/");
    reader.name = ELEMENT_NAME.exec(piece)?.[1] ?? "";
    return true;
  }

  const reader: XmlReader = {
    kind: "text",
    name: "",
    isEmpty: false,
    next() {
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

function withoutEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,8}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === "string") return NAMED[name] ?? whole;
    const code = typeof decimal === "string" ? Number(decimal) : parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
