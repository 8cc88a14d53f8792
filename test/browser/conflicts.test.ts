// Two people who edit the same agent in a real browser: changes to other fields are kept without a question, and a
// field that both changed is shown with both values, in both languages.
/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { newAgent, startQuick } from "../support/calls.ts";
import { complaintsOf, expectFit } from "./calls-visit.ts";
import { DESKTOP, enterDemo, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
leaveNothingBehind();

let server: Running;
beforeAll(async () => {
  server = await startQuick();
}, 180_000);
afterAll(() => server.kill());

/** The person's own setting, which applies to all of their windows. */
async function speak({ page }: Visit, language: "en" | "hi"): Promise<void> {
  await page.evaluate(async (chosen) => {
    const headers = { "x-ringward-dashboard": "1", "content-type": "application/json" };
    const body = JSON.stringify({ language: chosen });
    await fetch("/dashboard/api/account/language", { method: "PUT", headers, body });
  }, language);
  await page.reload();
}

const greeting = ({ page }: Visit) => page.getByLabel("पहली बात", { exact: true });

describe.each([
  ["at a desk", DESKTOP],
  ["on a phone", PHONE],
])("%s", (where, viewport) => {
  let path: string;
  let mine: Visit;
  let theirs: Visit;
  beforeAll(async () => {
    const { agentId } = await newAgent(server);
    path = `/dashboard/agents/${agentId}`;
    mine = await enterDemo(server, path, viewport);
    theirs = await enterDemo(server, path, viewport);
    await speak(mine, "en");
    await theirs.page.reload();
  });
  afterAll(async () => {
    await speak(mine, "en");
    await mine.close();
    await theirs.close();
  });

  const write = async (visitor: Visit, label: string, text: string) => {
    await visitor.page.getByLabel(label, { exact: true }).fill(text);
    await visitor.page.getByRole("button", { name: "Save changes" }).click();
  };
  const saved = (visitor: Visit) => visitor.page.getByText("All changes saved").waitFor();
  const valueOf = ({ page }: Visit, label: string) => page.getByLabel(label, { exact: true }).inputValue();

  test("what the other changed elsewhere is kept, without a question", async () => {
    await write(theirs, "Greeting", "Hello from the ward.");
    await saved(theirs);
    await write(mine, "Prompt", "Ask about the visit.");
    await saved(mine);
    expect(await valueOf(mine, "Greeting")).toBe("Hello from the ward.");
    expect(await valueOf(mine, "Prompt")).toBe("Ask about the visit.");
  });

  test("both values of the same field are shown, and the chosen one is kept", async () => {
    await write(theirs, "Prompt", "Ask about the medicine.");
    await theirs.page.getByRole("dialog").waitFor();
    const question = theirs.page.getByRole("dialog");
    await question.getByText("Ask about the visit.").waitFor();
    await question.getByText("Ask about the medicine.").waitFor();
    await expectFit(theirs, `conflict ${where} en`, ["light", "dark"]);
    await question.getByRole("button", { name: "Continue editing" }).click();
    expect(await valueOf(theirs, "Prompt")).toBe("Ask about the medicine.");
    await theirs.page.getByRole("button", { name: "Save changes" }).click();
    expect(await question.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBeTrue();
    await question.getByText("What you typed").click();
    await question.getByRole("button", { name: "Save", exact: true }).click();
    await saved(theirs);
    await mine.page.reload();
    await mine.page.getByText("All changes saved").waitFor();
    expect(await valueOf(mine, "Prompt")).toBe("Ask about the medicine.");
  });

  test("a reader of Hindi is asked in Hindi, and may keep what the other saved", async () => {
    await theirs.page.reload();
    await theirs.page.getByText("All changes saved").waitFor();
    await write(mine, "Greeting", "Good morning.");
    await saved(mine);
    await speak(mine, "hi");
    await theirs.page.reload();
    await greeting(theirs).fill("नमस्ते।");
    await greeting(mine).fill("Good evening.");
    await mine.page.locator(".save-bar .primary").click();
    // While the request is under way the button is disabled, too.
    await mine.page.getByText("सब कुछ सहेजा हुआ है।").waitFor();
    await theirs.page.locator(".save-bar .primary").click();
    const question = theirs.page.getByRole("dialog", { name: "इसे किसी और ने भी बदला है" });
    await question.waitFor();
    await expectFit(theirs, `conflict ${where} hi`, ["light"]);
    await question.getByText("जो इस बीच सहेजा गया").click();
    await question.getByRole("button", { name: "सहेजें", exact: true }).click();
    await theirs.page.getByText("सब कुछ सहेजा हुआ है।").waitFor();
    expect(await greeting(theirs).inputValue()).toBe("Good evening.");
  });

  test("nothing is complained about but the refused changes", () => {
    for (const visitor of [mine, theirs])
      expect(complaintsOf(server, visitor).filter((text) => !text.includes("status of 409"))).toEqual([]);
  });
});
