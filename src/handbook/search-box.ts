// The search box of the handbook in the browser. The index is loaded when the box is first used.
import { search, wordsOf, type Entry, type Hit } from "./search.ts";

const form = document.querySelector<HTMLFormElement>("form[role=search]");
const box = form?.querySelector("input");
const list = document.querySelector("#hits");
const status = document.querySelector("#hit-count");
if (form && box && list && status) start(form, box, list, status);
foldContentsOnPhones();

function start(within: HTMLFormElement, input: HTMLInputElement, hits: Element, count: Element): void {
  let loading: Promise<Entry[]> | undefined;
  const entries = () => (loading ??= loadIndex(within.dataset["index"] ?? ""));

  async function show(): Promise<void> {
    const query = input.value;
    if (wordsOf(query).length === 0) {
      hits.replaceChildren();
      count.textContent = "";
      return;
    }
    let found: Hit[];
    try {
      found = search(await entries(), query);
    } catch {
      loading = undefined;
      count.textContent = "The search index could not be loaded. Check the connection and type again.";
      return;
    }
    // A later key press shows its own results.
    if (query !== input.value) return;
    hits.replaceChildren(...found.map((hit) => itemOf(hit, wordsOf(query))));
    count.textContent = found.length === 0 ? "Nothing found." : `${found.length} found`;
  }

  within.hidden = false;
  input.addEventListener("input", () => void show());
  within.addEventListener("submit", (event) => {
    event.preventDefault();
    hits.querySelector("a")?.click();
  });
  // The browser restores the text of the box after "back".
  if (input.value !== "") void show();
}

async function loadIndex(address: string): Promise<Entry[]> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The search index answered ${response.status}.`);
  return (await response.json()) as Entry[];
}

function itemOf({ entry, excerpt }: Hit, words: readonly string[]): HTMLLIElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = `${entry.page}#${entry.anchor}`;
  link.textContent = entry.heading === entry.title ? entry.title : `${entry.title} › ${entry.heading}`;
  const text = document.createElement("p");
  text.append(...marked(excerpt, words));
  item.append(link, text);
  return item;
}

/** The text with each word marked. Uses text nodes only, so nothing is parsed as HTML. */
function marked(text: string, words: readonly string[]): (string | HTMLElement)[] {
  // RegExp.escape is too new for the browsers of many hospitals.
  const literal = (word: string) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = new RegExp(`(${words.map(literal).join("|")})`, "gi");
  return text.split(pattern).map((part, index) => {
    if (index % 2 === 0) return part;
    const mark = document.createElement("mark");
    mark.textContent = part;
    return mark;
  });
}

/** On phones the contents are above the text, and collapsed by default. */
function foldContentsOnPhones(): void {
  const contents = document.querySelector<HTMLDetailsElement>("details.contents");
  const phone = matchMedia("(max-width: 52rem)");
  const fold = () => {
    if (contents) contents.open = !phone.matches;
  };
  fold();
  phone.addEventListener("change", fold);
}
