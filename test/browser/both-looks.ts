// One page in its usual looks.
import { screenshot, type Visit } from "../support/browser.ts";
import { DESKTOP, faultsOf, overflow, PHONE } from "./dashboard-visit.ts";

/** What axe finds and what does not fit, as a phone shows it in the dark and a desk in the light. */
export async function faultsOnBoth(visitor: Visit, name: string): Promise<string[]> {
  const found: string[] = [];
  const look = async (size: typeof PHONE, colorScheme: "light" | "dark", inspect: () => Promise<string[]>) => {
    await visitor.page.setViewportSize(size);
    await visitor.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    found.push(...(await inspect()));
    await screenshot(visitor.page, `${name}-${size.width}-${colorScheme}`);
  };
  const all = async () => {
    const tooWidePx = await overflow(visitor);
    return [...(await faultsOf(visitor)), ...(tooWidePx > 0 ? [`${tooWidePx} px too wide`] : [])];
  };
  if (process.env["SCREENSHOT_DIR"] !== undefined) {
    // For the eye alone: colours that axe measured on the one size are the same on the other.
    await look(PHONE, "light", () => Promise.resolve([]));
    await look(DESKTOP, "dark", () => Promise.resolve([]));
  }
  await look(PHONE, "dark", all);
  await look(DESKTOP, "light", all);
  return found;
}
