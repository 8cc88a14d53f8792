// The headers of one message, in order. Names are stored in lower case and in their long form.

/** RFC 3261, section 7.3.3, with RFC 3515, 3892, 4028 and 6665. */
const COMPACT: Readonly<Record<string, string>> = {
  i: "call-id",
  m: "contact",
  e: "content-encoding",
  l: "content-length",
  c: "content-type",
  f: "from",
  s: "subject",
  k: "supported",
  t: "to",
  v: "via",
  r: "refer-to",
  b: "referred-by",
  x: "session-expires",
  o: "event",
  u: "allow-events",
};

/**
 * Conventional spellings that differ from capitalising each word. Peers ignore case; these are for readers of traces.
 */
const SPELLINGS: Readonly<Record<string, string>> = {
  "call-id": "Call-ID",
  cseq: "CSeq",
  "www-authenticate": "WWW-Authenticate",
  "min-se": "Min-SE",
  rack: "RAck",
  rseq: "RSeq",
};

/** Headers with comma-separated values. Digest challenges must not be split: they contain commas themselves. */
const LISTS = new Set(["via", "route", "record-route", "contact", "allow", "supported", "require", "unsupported"]);

export class HeaderList {
  readonly #entries: [name: string, value: string][] = [];

  static of(headers: Readonly<Record<string, string | readonly string[]>>): HeaderList {
    const list = new HeaderList();
    for (const [name, value] of Object.entries(headers)) {
      for (const one of typeof value === "string" ? [value] : value) list.append(name, one);
    }
    return list;
  }

  get size(): number {
    return this.#entries.length;
  }

  append(name: string, value: string): void {
    this.#entries.push([longName(name), value]);
  }

  prepend(name: string, value: string): void {
    this.#entries.unshift([longName(name), value]);
  }

  /** Replaces the first value in place, if there is one. */
  set(name: string, value: string): void {
    const wanted = longName(name);
    const at = this.#entries.findIndex(([entry]) => entry === wanted);
    if (at === -1) {
      this.#entries.push([wanted, value]);
      return;
    }
    this.remove(name);
    this.#entries.splice(at, 0, [wanted, value]);
  }

  remove(name: string): void {
    const wanted = longName(name);
    for (let i = this.#entries.length - 1; i >= 0; i--) {
      if (this.#entries[i]?.[0] === wanted) this.#entries.splice(i, 1);
    }
  }

  get(name: string): string | undefined {
    const wanted = longName(name);
    return this.#entries.find(([entry]) => entry === wanted)?.[1];
  }

  /** All values; list headers are split at commas. */
  all(name: string): string[] {
    const wanted = longName(name);
    const values = this.#entries.filter(([entry]) => entry === wanted).map(([, value]) => value);
    return LISTS.has(wanted) ? values.flatMap(splitList) : values;
  }

  copy(): HeaderList {
    const list = new HeaderList();
    for (const [name, value] of this.#entries) list.append(name, value);
    return list;
  }

  lines(): string[] {
    return this.#entries.map(([name, value]) => `${spelt(name)}: ${value}`);
  }
}

function longName(name: string): string {
  const lower = name.toLowerCase();
  return COMPACT[lower] ?? lower;
}

function spelt(name: string): string {
  return SPELLINGS[name] ?? name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** Splits at commas outside quotes and angle brackets. */
function splitList(text: string): string[] {
  if (!text.includes(",")) return text === "" ? [] : [text];
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  let isInBrackets = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (isQuoted && character === "\\") i += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === "<") isInBrackets = true;
    else if (!isQuoted && character === ">") isInBrackets = false;
    else if (!isQuoted && !isInBrackets && character === ",") {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
