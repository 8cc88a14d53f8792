// iCalendar content lines (RFC 5545): folding at 75 octets, escaping, and parsing.

const MOST_OCTETS = 75;
const encoder = new TextEncoder();

/** Section 3.3.11: escapes special characters and line breaks in a text. */
export function escaped(text: string): string {
  return (
    text
      .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
      .replaceAll(/\r\n|\r|\n/g, "\\n")
      // Other control characters are not allowed in a text.
      .replaceAll(/(?!\t)\p{Cc}/gu, "")
  );
}

export function unescaped(value: string): string {
  return value.replaceAll(/\\([\\;,nN])/g, (_, sign: string) => (sign === "n" || sign === "N" ? "\n" : sign));
}

/** Section 3.1: a line has at most 75 octets without its break. Folding never splits a character. */
export function folded(line: string): string {
  const lines: string[] = [];
  let current = "";
  let octets = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > MOST_OCTETS) {
      lines.push(current);
      // Counts the space that marks a continuation.
      current = " ";
      octets = 1;
    }
    current += character;
    octets += size;
  }
  lines.push(current);
  return lines.join("\r\n");
}

export interface ContentLine {
  /** In upper case. */
  name: string;
  /** In upper case, with unquoted values. */
  parameters: ReadonlyMap<string, string>;
  /** Raw, still escaped. */
  value: string;
}

/** Skips malformed lines, which are common in files of other programs. */
export function contentLines(text: string): ContentLine[] {
  const unfolded = text.replaceAll(/\r\n?/g, "\n").replaceAll(/\n[ \t]/g, "");
  return unfolded.split("\n").flatMap((line) => {
    const parsed = parsedLine(line);
    return parsed ? [parsed] : [];
  });
}

/**
 * name *(";" param) ":" value. A quoted parameter value may contain a colon. A value may contain U+2028, hence the flag
 * "s".
 */
function parsedLine(line: string): ContentLine | null {
  const match = /^([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)*):(.*)$/s.exec(
    line,
  );
  if (!match) return null;
  const [, name = "", rest = "", value = ""] = match;
  const parameters = new Map(
    [...rest.matchAll(/;([A-Za-z0-9-]+)=((?:"[^"]*"|[^";])*)/g)].map(
      ([, key = "", given = ""]) => [key.toUpperCase(), given.replaceAll('"', "")] as const,
    ),
  );
  return { name: name.toUpperCase(), parameters, value };
}
