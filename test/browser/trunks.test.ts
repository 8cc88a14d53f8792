// Trunks, their numbers and an agent's recordings in a real browser, over SIP to a peer of this test.
/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { leaveNothingBehind, startBinary, tempFolder, type Running } from "../support/binary.ts";
import { closeBrowsers, screenshot, type Visit } from "../support/browser.ts";
import { audioPorts, freeSipPort } from "../support/free-ports.ts";
import { pcmWav, speechLike } from "../support/sounds.ts";
import { friendly, heard } from "../telephony/sip/transport/scripted-peer.ts";
import { phoneGroups } from "../../src/web/format.ts";
import { DESKTOP, enterDemo, faultsOf, misdeeds, overflow, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
leaveNothingBehind();

const SECRET = "tr0ub4dor-and-3";
let server: Running;
let peer: Awaited<ReturnType<typeof startPeer>>;
const folder = tempFolder();
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

/** A PBX that answers OPTIONS. */
function startPeer() {
  return Bun.udpSocket({
    hostname: "127.0.0.1",
    socket: {
      data(socket, data, port, address) {
        const answer = friendly(heard(data.toString()), "sip:peer@127.0.0.1");
        if (answer !== null) socket.send(answer, port, address);
      },
    },
  });
}

beforeAll(async () => {
  peer = await startPeer();
  const rtp = audioPorts(20);
  server = await startBinary({
    env: {
      RINGWARD_TELEPHONY__CARRIER: "sip",
      RINGWARD_TELEPHONY__SIP__ADDRESS: "127.0.0.1",
      RINGWARD_TELEPHONY__SIP__PORT: String(freeSipPort()),
      RINGWARD_TELEPHONY__SIP__RTP_PORT_FROM: String(rtp.from),
      RINGWARD_TELEPHONY__SIP__RTP_PORT_TO: String(rtp.to),
      // A trunk from the settings, with a host name that never resolves (RFC 6761).
      RINGWARD_TRUNKS__SPARE__HOST: "pbx.invalid",
    },
  });
});
afterAll(() => peer.close());

/** axe violations and overflow: phone in dark mode, desktop in light mode. */
async function faultsSeen(visitor: Visit, name: string): Promise<string[]> {
  const tooWidePx = await overflow(visitor);
  await screenshot(visitor.page, name);
  return [...(await faultsOf(visitor)), ...(tooWidePx > 0 ? [`${tooWidePx} px too wide`] : [])];
}

describe.each([
  ["at a desk", DESKTOP, "+15555550190"],
  ["on a phone", PHONE, "+15555550191"],
])("%s", (where, viewport, number) => {
  const name = `PBX ${where}`;
  const grouped = phoneGroups(number).join(" ");
  const looks = (what: string) => faultsSeen(visitor, `trunks-${where.replaceAll(" ", "-")}-${what}`);
  let visitor: Visit;
  const open = (path: string) => visitor.page.goto(`${server.url}/dashboard${path}`);
  const said = (text: string) => visitor.page.locator(".toast", { hasText: text }).first().waitFor();
  const card = () => visitor.page.getByRole("region", { name });
  beforeAll(async () => {
    visitor = await enterDemo(server, "/dashboard/settings/trunks", viewport);
    const colorScheme = viewport === PHONE ? "dark" : "light";
    await visitor.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  });
  afterAll(() => visitor.close());

  test("a trunk of the settings is shown with its problem, read-only", async () => {
    const spare = visitor.page.getByRole("region", { name: "spare" });
    await spare.getByText("Down").waitFor();
    await spare.getByText(/Check its host and this machine's DNS/).waitFor();
    await spare.getByText("under trunks.spare, and restart").waitFor();
    expect(await spare.getByRole("button").allTextContents()).toEqual(["Capture packets"]);
  });

  test("a trunk is added, after an error at its field, and is soon shown as up", async () => {
    const { page } = visitor;
    await page.getByRole("button", { name: "Add trunk" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill(name);
    await dialog.getByLabel("Address", { exact: true }).fill("sip:127.0.0.1");
    await dialog.getByLabel("Port", { exact: true }).fill(String(peer.port));
    await dialog.getByLabel("Username", { exact: true }).fill("ward");
    await dialog.getByLabel("Secret", { exact: true }).fill(SECRET);
    await dialog.getByRole("button", { name: "Remove +91" }).click();
    await dialog.getByLabel("Begins with", { exact: true }).fill("44");
    await page.keyboard.press("Enter");
    await dialog.getByText("+44 …").waitFor();
    await dialog.getByLabel("Check every").fill("5");
    await dialog.getByLabel("Numbers are dialled").selectOption("national");
    await dialog.getByLabel("With a prefix").fill("9");
    await dialog.getByLabel("Extensions that ring an agent").fill("2001 is Asha");
    await dialog.getByRole("button", { name: "Add trunk" }).click();
    await dialog.locator(".field.wrong", { hasText: "Address must be a host name or an address" }).waitFor();
    await dialog.locator(".field.wrong", { hasText: "Each line is a name or extension" }).waitFor();
    expect(await looks("form")).toEqual([]);
    await dialog.getByLabel("Extensions that ring an agent").fill(`2001 = ${number}`);
    await dialog.getByLabel("Address", { exact: true }).fill("127.0.0.1");
    await dialog.getByRole("button", { name: "Add trunk" }).click();
    await said("was added");
    await card().getByText("Up", { exact: true }).waitFor();
    await card().getByText("0 of 10 lines").waitFor();
    await card().getByText("+1 …, +44 …").waitFor();
    await card().getByText("909812345678").waitFor();
    await card().getByText(`2001=${number}`).waitFor();
    expect(await looks("list")).toEqual([]);
  });

  test("it is changed without entering or showing its secret again", async () => {
    const { page } = visitor;
    await page.getByRole("button", { name: `Edit ${name}` }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Keep the secret", { exact: true }).isChecked()).toBeTrue();
    expect(await dialog.locator("input[type=password]").count()).toBe(0);
    await dialog.getByLabel("Lines", { exact: true }).fill("30");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await said("was saved");
    await card().getByText("0 of 30 lines").waitFor();
    expect(await page.content()).not.toContain(SECRET);
  });

  test("packets are captured for a limited time, with a warning", async () => {
    const { page } = visitor;
    await page.getByRole("button", { name: `Capture packets on ${name}` }).click();
    await page.getByText("A capture contains the whole conversation.").waitFor();
    expect(await looks("capture")).toEqual([]);
    await page.getByLabel("15 minutes").check();
    await page.getByRole("button", { name: "Start capturing" }).click();
    await card()
      .getByText(/New calls are captured until/)
      .waitFor();
    await card().getByRole("button", { name: "Stop capturing" }).click();
    await card()
      .getByRole("button", { name: `Capture packets on ${name}` })
      .waitFor();
  });

  test("a number without a trunk has a warning, and is assigned to the new one", async () => {
    const { page } = visitor;
    await open("/agents");
    const row = page.locator(".number-row", { hasText: number });
    await row.getByText("it can neither call nor be called").waitFor();
    await page.getByLabel(`Trunk of ${number}`).selectOption({ label: name });
    await said(`${grouped} is now on ${name}.`);
    await row.getByText("it can neither call nor be called").waitFor({ state: "hidden" });
    expect(await looks("numbers")).toEqual([]);
  });

  test("recordings are rejected if they are not audio, saved, played, replaced and removed", async () => {
    const { page } = visitor;
    await page.getByRole("link", { name: "Asha" }).click();
    const row = page.locator(".recording", { hasText: "The first words of every call" });
    const picker = page.getByLabel("WAV file for “Greeting”");
    await row.getByText("Built-in voice").waitFor();
    await picker.setInputFiles(file("words.mp3", "no sound"));
    await row.getByText("This is not a WAV file.").waitFor();
    await picker.setInputFiles(file("words.wav", "no sound"));
    await row.locator(".problem", { hasText: "WAV" }).waitFor();
    await picker.setInputFiles(file("greeting.wav", pcmWav(speechLike(1, 1))));
    await row.getByText("greeting.wav").waitFor();
    expect(await row.getByText("1 s").count()).toBe(1);
    await row.getByRole("button", { name: "Listen: Greeting" }).click();
    await row.getByRole("button", { name: "Stop: Greeting" }).waitFor();
    await page.waitForFunction(() => (document.querySelector("audio")?.currentTime ?? 0) > 0);
    expect(Math.round(await page.locator("audio").evaluate((audio: HTMLAudioElement) => audio.duration))).toBe(1);
    // At the end of playback the button is ready again.
    await row.getByRole("button", { name: "Listen: Greeting" }).waitFor();
    expect(await looks("recorded")).toEqual([]);

    const again = Buffer.from(pcmWav(speechLike(3, 2))).toString("base64");
    const dropped = await page.evaluateHandle((content) => {
      const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], "second-take.wav"));
      return transfer;
    }, again);
    await row.dispatchEvent("drop", { dataTransfer: dropped });
    await row.getByText("second-take.wav").waitFor();
    await row.getByRole("button", { name: "Remove: Greeting" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await row.getByText("Built-in voice").waitFor();
  });

  test("a menu recorded before key 9 changed its meaning is to be recorded again", async () => {
    const { page } = visitor;
    const row = page.locator(".recording", { hasText: "Which key does what" });
    await page.getByLabel("WAV file for “Menu”").setInputFiles(file("menu.wav", pcmWav(speechLike(1, 3))));
    await row.getByText("menu.wav").waitFor();
    expect(await row.getByText("Record this menu again.").count()).toBe(0);
    // The server's answer for a recording from before the upgrade.
    await page.route(/\/words$/, async (route) => {
      const recorded = (await (await route.fetch()).json()) as object[];
      await route.fulfill({ json: recorded.map((one) => ({ ...one, is_outdated: true })) });
    });
    await page.reload();
    await row.getByText("Record this menu again.").waitFor();
    expect(await looks("outdated")).toEqual([]);
    await page.unroute(/\/words$/);
    await page.reload();
    await row.getByText("menu.wav").waitFor();
  });

  test("key 3 transfers to the agent's destination", async () => {
    const { page } = visitor;
    const target = page.getByLabel("Key 3 transfers to");
    await target.fill("nobody knows");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.locator(".field.wrong", { hasText: "This must be" }).waitFor();
    await target.fill(viewport === PHONE ? "+91 22 1234 5678" : "sip:100@pbx.example");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("All changes saved").waitFor();
    await page.reload();
    await target.waitFor();
    expect(await target.inputValue()).toBe(viewport === PHONE ? "+912212345678" : "sip:100@pbx.example");
  });

  test("the overview warns of a trunk that is down, and links to it", async () => {
    const { page } = visitor;
    await open("");
    await page.getByText("The trunk spare is down").waitFor();
    expect(await looks("overview")).toEqual([]);
    await page.getByRole("link", { name: "Check the trunks" }).click();
    await card().waitFor();
  });

  test("a trunk with a number stays; without one it is removed", async () => {
    const { page } = visitor;
    const remove = async () => {
      await page.getByRole("button", { name: `Remove ${name}` }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    };
    await remove();
    await page.getByRole("dialog").getByText("A phone number uses this trunk.").waitFor();
    await open("/agents");
    await page.getByLabel(`Trunk of ${number}`).selectOption({ label: "No trunk" });
    await said(`${grouped} is no longer on a trunk.`);
    await open("/settings/trunks");
    await remove();
    await card().waitFor({ state: "hidden" });
  });

  test("the browser logged no error and contacted no other host", () => {
    // The rejections above are regular answers of the server, which Chromium logs as errors.
    expect(misdeeds(server, visitor).filter((text) => !/status of 4(00|09)/.test(text))).toEqual([]);
  });
});
