// Tabs of a page in a row. If they do not fit, the row scrolls and keeps the selected tab in view.
import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface TabLink {
  path: string;
  text: string;
  /** Heading above the tab, if it is the first of a group. */
  group?: string | undefined;
}

interface TabRowProps {
  label: string;
  tabs: readonly TabLink[];
  /** Path of the selected tab. */
  here: string;
  /** CSS class. */
  kind?: string;
}

export function TabRow({ label, tabs, here, kind = "tabs" }: TabRowProps) {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    row.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [here]);
  return (
    <nav ref={row} class={kind} aria-label={label}>
      {tabs.map(({ path, text, group }) => (
        <Fragment key={path}>
          {group !== undefined && <span class={`${kind}-group`}>{group}</span>}
          <a href={path} aria-current={path === here ? "page" : undefined}>
            {text}
          </a>
        </Fragment>
      ))}
    </nav>
  );
}
