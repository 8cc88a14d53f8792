// The parts of a page, side by side. Where they do not fit they scroll, with the one that is shown in sight.
import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface TabLink {
  path: string;
  text: string;
  /** The heading above it, where it is the first of a group. */
  group?: string | undefined;
}

interface TabRowProps {
  label: string;
  tabs: readonly TabLink[];
  /** The path of the one that is shown. */
  here: string;
  /** The class. */
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
