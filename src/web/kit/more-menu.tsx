// A menu behind ⋯ for actions that are seldom needed. It closes on Escape, after a choice, and when the focus leaves.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { common } from "../words.ts";

export function MoreMenu({ children }: { children: ComponentChildren }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute("open");
  return (
    <details
      ref={menu}
      class="more-menu"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !menu.current?.open) return;
        close();
        menu.current.querySelector("summary")?.focus();
      }}
      onFocusOut={({ relatedTarget }) => {
        // A click on nothing that takes the focus has no related target.
        if (!(relatedTarget instanceof Node && menu.current?.contains(relatedTarget))) setTimeout(close, CLOSE_MS);
      }}
    >
      <summary class="button plain" aria-label={common.moreActions}>
        <span aria-hidden="true">⋯</span>
      </summary>
      <div class="more-menu-items" onClick={close}>
        {children}
      </div>
    </details>
  );
}

/** After the click that moved the focus; Safari gives no focus to a clicked button. */
const CLOSE_MS = 150;
