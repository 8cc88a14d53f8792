// Shared by the tests of the calls' pages: checks in both colour schemes, and the filter of logged errors.
import { expect } from "bun:test";
import type { Running } from "../support/binary.ts";
import { screenshot, type Visit } from "../support/browser.ts";
import { faultsOf, misdeeds, overflow } from "./dashboard-visit.ts";

type Scheme = "light" | "dark";

/** No overflow, no axe violations. */
export async function expectFit(
  visitor: Visit,
  name: string,
  schemes: readonly Scheme[] = ["light", "dark"],
): Promise<void> {
  for (const colorScheme of schemes) {
    await visitor.page.emulateMedia({ colorScheme });
    const faults = { overflow: await overflow(visitor), axe: await faultsOf(visitor) };
    expect({ name, colorScheme, ...faults }).toEqual({ name, colorScheme, overflow: 0, axe: [] });
    await screenshot(visitor.page, `calls-${name.replaceAll(" ", "-")}-${colorScheme}`);
  }
}

/** Ignores rejections that a test provoked, and requests aborted by navigation or seeking. */
export const complaintsOf = (server: Running, visitor: Visit) =>
  misdeeds(server, visitor).filter((text) => !/status of 4(00|01|04|22) |net::ERR_ABORTED$/.test(text));
