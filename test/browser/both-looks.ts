// Checks of one page on phone and desktop, light and dark.
import { screenshot, type Visit } from "../support/browser.ts";
import { DESKTOP, faultsOf, overflow, PHONE } from "./dashboard-visit.ts";

/** axe violations and overflow: phone in dark mode, desktop in light mode. */
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
    // Screenshot only: the colours that axe measured on one size are the same on the other.
    await look(PHONE, "light", () => Promise.resolve([]));
    await look(DESKTOP, "dark", () => Promise.resolve([]));
  }
  await look(PHONE, "dark", all);
  await look(DESKTOP, "light", all);
  return found;
}
