// Counts the clicks of a task.
/// <reference lib="dom" />
import type { Visit } from "../support/browser.ts";

/** Counts from now on, on every page of this visit. */
export async function countClicks({ context, page }: Visit): Promise<void> {
  const count = () => {
    // A label forwards its click to its checkbox: that is still one.
    addEventListener(
      "click",
      (event) => {
        if (event.isTrusted && (event as MouseEvent).detail > 0)
          sessionStorage.setItem("clicks", String(Number(sessionStorage.getItem("clicks") ?? "0") + 1));
      },
      true,
    );
  };
  await context.addInitScript(count);
  await page.evaluate(count);
}

/** Clicks since the last call. */
export async function clicksOf({ page }: Visit): Promise<number> {
  return page.evaluate(() => {
    const clicks = Number(sessionStorage.getItem("clicks") ?? "0");
    sessionStorage.setItem("clicks", "0");
    return clicks;
  });
}
