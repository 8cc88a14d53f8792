// A strict reader of iCalendar, written from RFC 5545 and sharing nothing with the writer: it throws where a rule is
// broken.

export interface ReadCalendar {
  properties: Record<string, string>;
  events: Record<string, string>[];
}

const decoder = new TextDecoder("utf-8", { fatal: true });

export function readCalendar(text: string): ReadCalendar {
  if (!text.endsWith("\r\n")) throw new Error("The last line has no end.");
  const physical = text.slice(0, -2).split("\r\n");
  const lines: string[] = [];
  for (const line of physical) {
    const bytes = new TextEncoder().encode(line);
    if (bytes.length > 75) throw new Error(`${bytes.length} octets in a line.`);
    decoder.decode(bytes);
    if (/[\r\n]/.test(line)) throw new Error("A bare line break.");
    if (line.startsWith(" ")) lines[lines.length - 1] += line.slice(1);
    else lines.push(line);
  }
  const properties: Record<string, string> = {};
  const events: Record<string, string>[] = [];
  const open: string[] = [];
  const uids = new Set<string>();
  for (const line of lines) {
    const [, name = "", value = ""] =
      /^([A-Z-]+(?:;[A-Z-]+=[^:;]+)*):(.*)$/s.exec(line) ?? raise(`No content line: ${line}`);
    if (name === "BEGIN") {
      open.push(value);
      if (value === "VEVENT") events.push({});
    } else if (name === "END") {
      if (open.pop() !== value) raise(`${value} ends and did not begin.`);
      if (value === "VEVENT") checkEvent(events.at(-1) ?? {}, uids);
    } else {
      const target = open.at(-1) === "VEVENT" ? events.at(-1) : properties;
      if (!target || name in target) raise(`${name} twice, or nowhere.`);
      else target[name] = textOf(value);
    }
  }
  if (open.length > 0 || !("VERSION" in properties) || !("PRODID" in properties)) raise("Not whole.");
  return { properties, events };
}

/** Section 3.6.1: once each, and the end after the beginning. */
function checkEvent(event: Record<string, string>, uids: Set<string>): void {
  for (const name of ["UID", "DTSTAMP"]) if (!(name in event)) raise(`An event without ${name}.`);
  const uid = event["UID"] ?? "";
  if (uids.has(uid)) raise(`${uid} twice.`);
  uids.add(uid);
  const [start, end] = ["DTSTART", "DTEND"].map(
    (name) => event[name] ?? event[`${name};VALUE=DATE`] ?? raise(`No ${name}.`),
  );
  if (!/^\d{8}(T\d{6}Z)?$/.test(start ?? "") || (end ?? "") <= (start ?? ""))
    raise(`${String(start)} to ${String(end)}.`);
}

/** Section 3.3.11: a backslash stands before \ ; , or n, and those stand alone nowhere else. */
function textOf(value: string): string {
  return value.replaceAll(/\\(.?)/g, (_, sign: string) => {
    if (!["\\", ";", ",", "n", "N"].includes(sign)) raise(`\\${sign} means nothing.`);
    return sign.toLowerCase() === "n" ? "\n" : sign;
  });
}

function raise(message: string): never {
  throw new Error(message);
}
