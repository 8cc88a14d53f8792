// A signed-in visit to the demo's dashboard, and the checks for every page.
/// <reference lib="dom" />
import { readFileSync } from "node:fs";
import type { Running } from "../support/binary.ts";
import { visit, type Visit } from "../support/browser.ts";

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 360, height: 780 };

const AXE = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");

/** Signs in with the demo's button and opens `path`. */
export async function enterDemo(server: Running, path: string, viewport = DESKTOP): Promise<Visit> {
  const visitor = await visit(`${server.url}${path}`, viewport);
  // Otherwise axe measures colours during the transition from light to dark.
  await visitor.page.emulateMedia({ reducedMotion: "reduce" });
  await visitor.page.getByRole("button", { name: "Enter the demo hospital" }).click();
  await visitor.page.getByRole("navigation", { name: "Menu" }).waitFor();
  return visitor;
}

/** The primary action is the last button of its group: see kit/form.tsx. */
const actsNotLast = ({ page }: Visit) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".actions")].flatMap((group) => {
      const buttons = [...group.children].filter((child) => child.matches(".button"));
      const act = buttons.findIndex((button) => button.matches(".primary, [type=submit]"));
      return act === -1 || act === buttons.length - 1
        ? []
        : [`not the last button: ${buttons[act]?.textContent ?? ""}`];
    }),
  );

/** axe violations of WCAG 2 A and AA and of its best practices, and buttons in the wrong order. */
export async function faultsOf(visitor: Visit): Promise<string[]> {
  const { page } = visitor;
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    // Skips the description of passed rules, which takes most of axe's time.
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
  return [...found, ...(await actsNotLast(visitor))];
}

export const overflow = ({ page }: Visit) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Errors logged by the browser, and every request to another host. */
export function misdeeds(server: Running, { complaints, requests }: Visit): string[] {
  const strangers = requests.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith("data:"));
  // Leaving a page aborts its pending requests and its event stream.
  return [
    ...complaints.filter((text) => !/(dashboard\/api\/\S+|media\/\S+|favicon\.svg) net::ERR_ABORTED/.test(text)),
    ...strangers,
  ];
}
