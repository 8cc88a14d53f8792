// Copying for people: to the clipboard, or, where the browser keeps it shut (no TLS), by selecting the text.
import { useRef, useState } from "preact/hooks";
import { common } from "./words.ts";

/** `element` is what holds the text; `said` is what the button says now. */
export function useCopying<E extends HTMLElement>(text: string) {
  const element = useRef<E>(null);
  const [said, setSaid] = useState<string>(common.copy);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid(common.copied);
    } catch {
      if (element.current) getSelection()?.selectAllChildren(element.current);
      setSaid(common.selected);
    }
  };
  return { element, said, copy: () => void copy() };
}
