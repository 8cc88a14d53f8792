// The parts of a page, side by side. Where they do not fit they scroll, with the one that is shown in sight.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface TabRowProps {
  label: string;
  /** Whichever is shown. */
  here: string;
  kind?: string;
  children: ComponentChildren;
}

export function TabRow({ label, here, kind = "tabs", children }: TabRowProps) {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    row.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [here]);
  return (
    <nav ref={row} class={kind} aria-label={label}>
      {children}
    </nav>
  );
}
