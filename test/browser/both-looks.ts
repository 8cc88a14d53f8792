// One page in its two usual looks.
import { screenshot, type Visit } from "../support/browser.ts";
import { DESKTOP, faultsOf, overflow, PHONE } from "./dashboard-visit.ts";

/** What axe finds and what does not fit, as a phone shows it in the dark and a desk in the light. */
export async function faultsOnBoth(visitor: Visit, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const [size, colorScheme] of [[PHONE, "dark"] as const, [DESKTOP, "light"] as const]) {
    await visitor.page.setViewportSize(size);
    await visitor.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const tooWidePx = await overflow(visitor);
    found.push(...(await faultsOf(visitor)), ...(tooWidePx > 0 ? [`${tooWidePx} px too wide`] : []));
    await screenshot(visitor.page, `${name}-${size.width}-${colorScheme}`);
  }
  return found;
}
