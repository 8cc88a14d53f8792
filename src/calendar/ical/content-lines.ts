// iCalendar as text (RFC 5545): lines folded at 75 octets, values escaped, and the way back.

const MOST_OCTETS = 75;
const encoder = new TextEncoder();

/** Section 3.3.11: what has a meaning of its own in a text, and line breaks. */
export function escaped(text: string): string {
  return (
    text
      .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
      .replaceAll(/\r\n|\r|\n/g, "\\n")
      // No other control characters are allowed in a text.
      .replaceAll(/(?!\t)\p{Cc}/gu, "")
  );
}

export function unescaped(value: string): string {
  return value.replaceAll(/\\([\\;,nN])/g, (_, sign: string) => (sign === "n" || sign === "N" ? "\n" : sign));
}

/** Section 3.1: no line is longer than 75 octets without its break, and no character is torn apart. */
export function folded(line: string): string {
  const lines: string[] = [];
  let current = "";
  let octets = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > MOST_OCTETS) {
      lines.push(current);
      // The space that marks a continuation counts.
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
  /** In capitals. */
  name: string;
  /** In capitals, without quotes around their values. */
  parameters: ReadonlyMap<string, string>;
  /** As it stands, still escaped. */
  value: string;
}

/** Lines that are none are left out: files from elsewhere hold many an odd one. */
export function contentLines(text: string): ContentLine[] {
  const unfolded = text.replaceAll(/\r\n?/g, "\n").replaceAll(/\n[ \t]/g, "");
  return unfolded.split("\n").flatMap((line) => {
    const parsed = parsedLine(line);
    return parsed ? [parsed] : [];
  });
}

/** name *(";" param) ":" value; a parameter's value may be quoted and hold a colon. A value may hold U+2028, so "s". */
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
