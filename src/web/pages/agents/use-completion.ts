// Completion list of placeholders: whether it is open, the selected entry, and its position.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { completed, openPlaceholder, suggestionsFor, type Suggestion } from "./placeholder-completion.ts";

export interface CompletionInput {
  value: string;
  onValue: (value: string) => void;
  maxLength: number;
  known: readonly Suggestion[];
}

export function useCompletion({ value, onValue, maxLength, known }: CompletionInput) {
  const field = useRef<HTMLTextAreaElement>(null);
  const marks = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  /** Null while the list is closed. */
  const [caret, setCaret] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  const caretToSet = useRef<number | null>(null);
  const open = caret === null ? null : openPlaceholder(value, caret);
  const found = open ? suggestionsFor(open.typed, known) : [];
  const close = () => setCaret(null);

  useLayoutEffect(() => {
    if (caretToSet.current === null) return;
    field.current?.setSelectionRange(caretToSet.current, caretToSet.current);
    caretToSet.current = null;
  }, [value]);
  useLayoutEffect(() => {
    if (open && list.current && marks.current) placeUnder(list.current, marks.current, open.start);
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  });

  const take = ({ name }: Suggestion) => {
    if (!open || caret === null) return;
    const next = completed(value, open, caret, name);
    close();
    if (next.text.length > maxLength) return;
    caretToSet.current = next.caret;
    field.current?.focus();
    onValue(next.text);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = found[active];
    if (!chosen || event.isComposing) return;
    const step = STEPS.get(event.key);
    if (step !== undefined) setActive((active + step + found.length) % found.length);
    else if (event.key === "Enter" || event.key === "Tab") take(chosen);
    else if (event.key === "Escape") close();
    else {
      if (/^(Arrow|Home$|End$|Page)/.test(event.key)) close();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return {
    found,
    active,
    take,
    refs: { field, marks, list },
    handlers: {
      onInput(event: { currentTarget: HTMLTextAreaElement }) {
        const { value: typed, selectionStart, selectionEnd } = event.currentTarget;
        setActive(0);
        setCaret(selectionStart === selectionEnd ? selectionStart : null);
        onValue(typed);
      },
      onKeyDown,
      onClick: close,
      onBlur: close,
    },
  };
}

const STEPS: ReadonlyMap<string, number> = new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
]);

/** Places the list below the line where the placeholder starts, within the width of the field. */
function placeUnder(list: HTMLElement, marks: HTMLElement, offset: number): void {
  const frame = list.offsetParent?.getBoundingClientRect();
  const begins = rectOfCharacter(marks, offset);
  if (!frame || !begins) return;
  const left = Math.max(0, Math.min(begins.left - frame.left, frame.width - list.offsetWidth));
  list.style.top = `${begins.bottom - frame.top + 4}px`;
  list.style.left = `${left}px`;
}

/** The highlighted copy behind the field has the same text at the same positions. */
function rectOfCharacter(marks: HTMLElement, offset: number): DOMRect | null {
  const walker = document.createTreeWalker(marks, NodeFilter.SHOW_TEXT);
  let left = offset;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (left < length) {
      const range = document.createRange();
      range.setStart(node, left);
      range.setEnd(node, left + 1);
      return range.getBoundingClientRect();
    }
    left -= length;
  }
  return null;
}
