// Unsaved input: asks before it is discarded. Covers every form except search forms and forms marked data-free.
import { said } from "./words.ts";

const words = said.shared.unsaved;
const dirty = new Set<HTMLFormElement>();

/** Forms removed from the page, such as those of a closed dialog, do not count. */
export function hasUnsaved(within: ParentNode = document): boolean {
  for (const form of dirty) if (!isHeld(form)) dirty.delete(form);
  return [...dirty].some((form) => within === document || (within instanceof Node && within.contains(form)));
}

/** Also true on a page that was set aside, see aside.tsx. */
function isHeld(form: HTMLFormElement): boolean {
  return form.isConnected || form.closest("#app") !== null;
}

/** Returns whether unsaved input may be discarded; asks if there is any. */
export function mayLose(within: ParentNode = document): boolean {
  if (!hasUnsaved(within)) return true;
  if (!confirm(words.ask)) return false;
  for (const form of dirty)
    if (within === document || (within instanceof Node && within.contains(form))) dirty.delete(form);
  return true;
}

/** For deliberate exits such as sign-out, which have asked already. */
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
  // After a rejected submission, the next key press marks the form as unsaved again.
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

/** Whether the link leaves this page in this tab. */
function isLeading(link: Element, event: MouseEvent): boolean {
  const href = link.getAttribute("href") ?? "";
  const isElsewhere = link.hasAttribute("target") || link.hasAttribute("download") || event.ctrlKey || event.metaKey;
  return !isElsewhere && !event.shiftKey && event.button === 0 && !href.startsWith("#");
}
