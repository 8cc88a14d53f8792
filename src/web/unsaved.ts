// What somebody typed and has not saved: it is not thrown away without asking. Every form counts but those that only
// look for something, which say so with data-free.
import { said } from "./words.ts";

const words = said.shared.unsaved;
const dirty = new Set<HTMLFormElement>();

/** Forms that are gone from the page, such as those of a closed dialog, have nothing left to lose. */
export function hasUnsaved(within: ParentNode = document): boolean {
  for (const form of dirty) if (!isHeld(form)) dirty.delete(form);
  return [...dirty].some((form) => within === document || (within instanceof Node && within.contains(form)));
}

/** Also where the page was put aside, see aside.tsx. */
function isHeld(form: HTMLFormElement): boolean {
  return form.isConnected || form.closest("#app") !== null;
}

/** Answers whether what was typed may go; asks where there is something. */
export function mayLose(within: ParentNode = document): boolean {
  if (!hasUnsaved(within)) return true;
  if (!confirm(words.ask)) return false;
  for (const form of dirty)
    if (within === document || (within instanceof Node && within.contains(form))) dirty.delete(form);
  return true;
}

/** Whoever leaves on purpose, such as by signing out, was asked already. */
export function forgetUnsaved(): void {
  dirty.clear();
}

export function watchForms(): void {
  document.addEventListener(
    "input",
    ({ target }) => {
      const form = target instanceof Element ? target.closest("form") : null;
      if (form && form.dataset["free"] === undefined && form.getAttribute("role") !== "search") dirty.add(form);
    },
    true,
  );
  // What is refused is marked in the form, and the next key makes it unsaved again.
  document.addEventListener("submit", ({ target }) => target instanceof HTMLFormElement && dirty.delete(target), true);
  window.addEventListener("beforeunload", (event) => {
    if (hasUnsaved()) event.preventDefault();
  });
  document.addEventListener(
    "click",
    (event) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      if (!link || !isLeading(link, event) || mayLose()) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
}

/** Away from this page, in this tab. */
function isLeading(link: Element, event: MouseEvent): boolean {
  const href = link.getAttribute("href") ?? "";
  const isElsewhere = link.hasAttribute("target") || link.hasAttribute("download") || event.ctrlKey || event.metaKey;
  return !isElsewhere && !event.shiftKey && event.button === 0 && !href.startsWith("#");
}
