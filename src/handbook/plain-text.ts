// The text of rendered HTML: no tags, entities resolved, white space collapsed. For titles, anchors and the search
// index.
const CHARACTERS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

export function textOf(html: string): string {
  return html
    .replaceAll(/<\/?(?:p|li|tr|t[dh]|h\d|pre|div|ul|ol|table)[^>]*>/g, " ")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(amp|lt|gt|quot);/g, (whole, name: string) => CHARACTERS[name] ?? whole)
    .replaceAll(/\s+/g, " ")
    .trim();
}
