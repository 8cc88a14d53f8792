// Card of the pages before sign-in: first setup, sign-in and lock.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Mark } from "./icons.tsx";
import { common, said } from "../words.ts";

const words = said.door.about;

interface DoorProps {
  title: string;
  /** Title of the browser tab. */
  tabTitle?: string;
  onSubmit: () => unknown;
  /** Says what Ringward is, and links to the handbook: for people who see it for the first time. */
  isIntroduced?: boolean;
  /** Input here is not protected by the question about unsaved changes. */
  isFree?: boolean;
  children: ComponentChildren;
}

export function Door({
  title,
  tabTitle = `${title} · ${common.appName}`,
  onSubmit,
  isIntroduced = false,
  isFree = false,
  children,
}: DoorProps) {
  useEffect(() => {
    document.title = tabTitle;
  }, []);
  return (
    <main class="door">
      <DoorBrand />
      {isIntroduced && <p class="door-what">{words.what}</p>}
      <form
        class="card"
        data-free={isFree || undefined}
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit();
        }}
      >
        <h1>{title}</h1>
        {children}
      </form>
      {isIntroduced && (
        <p class="door-links">
          <a href="/docs">{words.handbook}</a>
          <a href="/swagger">{words.reference}</a>
        </p>
      )}
    </main>
  );
}

export function DoorBrand() {
  return (
    <p class="door-brand">
      <Mark />
      {common.appName}
    </p>
  );
}
