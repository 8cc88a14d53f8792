// Copy buttons: to the clipboard, or, without TLS, by selecting the text for the user to copy.
import { useRef, useState } from "preact/hooks";
import { common } from "./words.ts";

/** `element` contains the text; `said` is the current label of the button. */
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
