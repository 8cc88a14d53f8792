// HTML template with automatic escaping: a patient's words are always text on the page.

/** Markup that is inserted without escaping. Only `html` creates it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | null | Html | readonly Part[];

/** A template that escapes its values, except Html. Null renders nothing; a list is concatenated. */
export function html(literals: TemplateStringsArray, ...values: Part[]): Html {
  return new Html(literals.map((literal, index) => literal + rendered(values[index] ?? null)).join(""));
}

function rendered(part: Part): string {
  if (part === null) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return part.map(rendered).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For text and quoted attribute values. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
