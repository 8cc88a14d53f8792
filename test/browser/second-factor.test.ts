// Second factors, passkeys, sessions and the emergency account in a real browser, with Chromium's virtual
// authenticator.
/// <reference lib="dom" />
import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { bytesOfBase32, hotp, stepAt } from "../../src/accounts/totp.ts";
import { appliance, PASSWORD } from "../support/appliance.ts";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, screenshot, visit, type Visit } from "../support/browser.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { DESKTOP } from "./dashboard-visit.ts";

closeBrowsers();
leaveNothingBehind();

const OWNER = "owner@hospital.example";

let server: Running;
/** Passkeys need a host name. */
let url: string;
let owner: Visit;
let page: Page;
beforeAll(async () => {
  server = await startBinary({ demo: false, dataDir: await appliance() });
  url = `http://localhost:${server.port}`;
  owner = await enter("/dashboard");
  ({ page } = owner);
}, 180_000);

async function enter(path: string, base = url): Promise<Visit> {
  const visitor = await visit(`${base}${path}`, DESKTOP);
  await visitor.page.emulateMedia({ reducedMotion: "reduce" });
  return visitor;
}

async function givePassword(on: Page, email: string, password = PASSWORD): Promise<void> {
  await on.getByLabel("E-mail address").fill(email);
  await on.getByLabel("Password").fill(password);
  await on.getByRole("button", { name: "Sign in", exact: true }).click();
}

const isIn = (at: Page) => at.getByRole("navigation", { name: "Menu" }).waitFor();
const signOut = async (at: Page) => {
  await at.getByRole("button", { name: "Sign out" }).click();
  await at.getByRole("heading", { name: "Sign in" }).waitFor();
};
const open = async (path: string, at = page) => {
  await at.goto(`${url}/dashboard${path}`);
  await at.locator("main .card").first().waitFor();
};

/** Codes of an app, each once: within a minute and a half there are three. */
function appOf(secret: string) {
  const key = bytesOfBase32(secret.replaceAll(/\s/g, ""));
  let last = 0;
  return () => {
    last = Math.max(last + 1, stepAt(Date.now()) - 1);
    return hotp(key, last);
  };
}

let nextCode: () => string;
let recoveryCodes: string[] = [];

const codesIn = async (at: Page) => (await at.locator(".recovery-codes code").allTextContents()).filter(Boolean);

describe("a second factor", () => {
  test("is an authenticator app, set up in the account by QR code or key", async () => {
    await givePassword(page, OWNER);
    await isIn(page);
    await open("/settings/account");
    await page.getByText("Not set up").first().waitFor();
    await page.getByRole("button", { name: "Set up authenticator app" }).click();
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
    nextCode = appOf((await page.locator(".app-secret").textContent()) ?? "");
    expect(await faultsOnBoth(owner, "set-up-app")).toEqual([]);
    await page.getByLabel("Code in the app").fill("000000");
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("The code is wrong.").waitFor();
    await page.getByLabel("Code in the app").fill(nextCode());
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.locator(".recovery-codes").waitFor();
    recoveryCodes = await codesIn(page);
    expect(recoveryCodes).toHaveLength(10);
    expect(await faultsOnBoth(owner, "recovery-codes")).toEqual([]);
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByText("10 codes left").waitFor();
  }, 180_000);

  test("is asked for at sign-in", async () => {
    await signOut(page);
    await givePassword(page, OWNER);
    await page.getByRole("heading", { name: "Second factor" }).waitFor();
    expect(await faultsOnBoth(owner, "second-step")).toEqual([]);
    await page.getByLabel("Code").fill("000000");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The code is wrong.").waitFor();
    await page.getByLabel("Code").fill(nextCode());
    await page.getByRole("button", { name: "Sign in" }).click();
    await isIn(page);
  }, 180_000);

  test("may be a recovery code, which counts down", async () => {
    await signOut(page);
    await givePassword(page, OWNER);
    await page.getByLabel("Code").fill(recoveryCodes[0]!);
    await page.getByRole("button", { name: "Sign in" }).click();
    await isIn(page);
    await open("/settings/account");
    await page.getByText("9 codes left").waitFor();
  }, 180_000);
});

describe("a passkey", () => {
  test("is added, and signs in alone and as the second factor", async () => {
    const devtools = await owner.context.newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.getByLabel("Name of the passkey").fill("Ward laptop");
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByRole("dialog").getByRole("button", { name: "Add passkey" }).click();
    await page.getByRole("row", { name: /Ward laptop/ }).waitFor();
    expect(await faultsOnBoth(owner, "account")).toEqual([]);

    await signOut(page);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await isIn(page);

    await signOut(page);
    await givePassword(page, OWNER);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await isIn(page);
  }, 180_000);

  test("is refused in clear words where the page has no host name", async () => {
    const { cookie } = await sessionOf();
    const plain = await enter("/dashboard", server.url);
    await plain.context.addCookies([{ name: "ringward_session", value: cookie, domain: "127.0.0.1", path: "/" }]);
    await plain.page.goto(`${server.url}/dashboard/settings/account`);
    await plain.page.getByText("Open the dashboard by its name, not by its IP address.").first().waitFor();
    expect(await plain.page.getByRole("button", { name: "Add passkey" }).isDisabled()).toBeTrue();
    await plain.close();
  }, 180_000);
});

const sessionOf = async () => {
  const cookies = await owner.context.cookies(`${url}/dashboard`);
  return { cookie: cookies.find(({ name }) => name === "ringward_session")?.value ?? "" };
};

describe("owners", () => {
  test("demand a second factor, and a person sets it up at sign-in before anything else", async () => {
    await open("/settings/organisation");
    await page.getByLabel("Staff").check();
    await page.getByRole("button", { name: "Apply to these roles" }).click();
    await page.locator(".toast", { hasText: "without a second factor" }).waitFor();
    expect(await faultsOnBoth(owner, "organisation-sign-in")).toEqual([]);
    await open("/settings/people");
    await page.getByRole("button", { name: "Add person" }).click();
    await page.getByLabel("Name").fill("Ravi");
    await page.getByLabel("E-mail address").fill("ravi@hospital.example");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("dialog").getByRole("button", { name: "Add person" }).click();
    await page.getByRole("row", { name: /Ravi/ }).waitFor();

    const staff = await enter("/dashboard");
    await givePassword(staff.page, "ravi@hospital.example");
    await staff.page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
    expect(await faultsOnBoth(staff, "set-up-at-sign-in")).toEqual([]);
    await staff.page.getByRole("button", { name: "Use an authenticator app" }).click();
    const code = appOf((await staff.page.locator(".app-secret").textContent()) ?? "")();
    await staff.page.getByLabel("Code in the app").fill(code);
    await staff.page.getByRole("button", { name: "Confirm" }).click();
    await staff.page.locator(".recovery-codes").waitFor();
    expect(await codesIn(staff.page)).toHaveLength(10);
    await staff.page.getByRole("button", { name: "I have kept them" }).click();
    await isIn(staff.page);

    // The owner sees where Ravi is signed in, and ends it.
    await page.reload();
    await page.getByRole("row", { name: /Ravi/ }).getByRole("button").click();
    await page.getByRole("dialog").getByText("Chrome on Linux").waitFor();
    await screenshot(page, "change-person");
    await page.getByRole("button", { name: "End all sessions" }).click();
    await page
      .getByRole("dialog", { name: "End all sessions" })
      .getByRole("button", { name: "End all sessions" })
      .click();
    await staff.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByRole("button", { name: "Reset second factor" }).click();
    await page.locator(".toast", { hasText: "was reset" }).waitFor();
    await givePassword(staff.page, "ravi@hospital.example");
    await staff.page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
    await staff.close();
  }, 180_000);

  test("seal an emergency account, whose use everyone sees until they say why", async () => {
    await open("/settings/organisation");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByRole("button", { name: "Seal with a new password" }).click();
    await page.locator(".envelope").waitFor();
    await screenshot(page, "envelope");
    const email = (await page.locator(".envelope dd").first().textContent()) ?? "";
    const password = (await page.locator(".envelope .secret code").textContent()) ?? "";
    await page.getByRole("button", { name: "Close" }).click();

    const emergency = await enter("/dashboard");
    await givePassword(emergency.page, email, password);
    await isIn(emergency.page);
    await emergency.page.getByText("The emergency account was used.").waitFor();
    await emergency.page.goto(`${url}/dashboard/settings/account`);
    await emergency.page.getByText("You are signed in with the emergency account.").waitFor();
    expect(await faultsOnBoth(emergency, "emergency")).toEqual([]);

    // The owner's page hears of it without a reload.
    await page.getByText("The emergency account was used.").waitFor();
    await open("/settings/organisation");
    await page.getByRole("button", { name: "Acknowledge use" }).click();
    await page.getByLabel("Reason").fill("The owner's telephone was lost.");
    await page.getByRole("dialog").getByRole("button", { name: "Acknowledge use" }).click();
    await page.locator(".toast", { hasText: "acknowledged" }).waitFor();
    await page.getByText("The emergency account was used.").waitFor({ state: "detached" });
    await screenshot(page, "acknowledged");
    await signOut(emergency.page);
    await givePassword(emergency.page, email, password);
    await emergency.page.getByText("This emergency account was used already.").waitFor();
    await emergency.close();
  }, 180_000);
});
