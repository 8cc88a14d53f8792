// Card of the pages before sign-in: first setup, sign-in and lock.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Mark } from "./icons.tsx";
import { common } from "../words.ts";

interface DoorProps {
  title: string;
  /** Title of the browser tab. */
  tabTitle?: string;
  onSubmit: () => unknown;
  /** Input here is not protected by the question about unsaved changes. */
  isFree?: boolean;
  children: ComponentChildren;
}

export function Door({
  title,
  tabTitle = `${title} · ${common.appName}`,
  onSubmit,
  isFree = false,
  children,
}: DoorProps) {
  useEffect(() => {
    document.title = tabTitle;
  }, []);
  return (
    <main class="door">
      <form
        class="card"
        data-free={isFree || undefined}
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit();
        }}
      >
        <p class="door-brand">
          <Mark />
          {common.appName}
        </p>
        <h1>{title}</h1>
        {children}
      </form>
    </main>
  );
}
