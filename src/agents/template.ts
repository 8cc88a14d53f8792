// {{key}} in prompts and greetings: filled with the call's values, and what is missing is told.

export interface Rendered {
  text: string;
  /** Names without a value, each once, in order of appearance. They render empty. */
  missing: string[];
}

/** The name begins and ends with something to see, so that a long run of blanks is passed over in one go. */
export const PLACEHOLDER = /\{\{\s*([^{}\s](?:[^{}]*[^{}\s])?)\s*\}\}/g;

export function renderTemplate(template: string, values: Readonly<Record<string, unknown>>): Rendered {
  const missing = new Set<string>();
  const text = template.replace(PLACEHOLDER, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null) {
      missing.add(name);
      return "";
    }
    return typeof value === "string" ? value : JSON.stringify(value);
  });
  return { text, missing: [...missing] };
}
