// HTML with everything escaped: what a patient said is text on the page, whatever it looks like.

/** Markup that may stand in a page as it is. Made by `html` alone. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | null | Html | readonly Part[];

/** A template whose values are escaped, unless they are Html themselves. Null leaves nothing; a list is joined. */
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

/** For text and for attribute values in quotes. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
