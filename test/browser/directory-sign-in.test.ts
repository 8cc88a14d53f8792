// Sign-in with the hospital's OpenID Connect provider in a real browser: there and back, and what the pages say.
/// <reference lib="dom" />
import { afterAll, beforeAll, expect, test } from "bun:test";
import { appliance, PASSWORD } from "../support/appliance.ts";
import { freePort, leaveNothingBehind, startBinary } from "../support/binary.ts";
import { closeBrowsers, visit, type Visit } from "../support/browser.ts";
import { startOidcHospital, type OidcHospital } from "../support/oidc-hospital.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { DESKTOP } from "./dashboard-visit.ts";

closeBrowsers();
leaveNothingBehind();

let hospital: OidcHospital;
let url: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  hospital = await startOidcHospital(`${url}/dashboard/oidc`);
  hospital.people.set("asha", { email: "asha@city.example", name: "Asha", groups: ["ward"] });
  hospital.people.set("guest", { email: "guest@city.example", name: "Guest", groups: ["guests"] });
  await startBinary({
    demo: false,
    dataDir: await appliance(),
    port,
    env: {
      RINGWARD_BASE_URL: url,
      RINGWARD_SIGN_IN__OIDC__ISSUER: hospital.issuer,
      RINGWARD_SIGN_IN__OIDC__NAME: "City Hospital",
      RINGWARD_SIGN_IN__OIDC__CLIENT_ID: hospital.client.id,
      RINGWARD_SIGN_IN__OIDC__CLIENT_SECRET: hospital.client.secret,
      RINGWARD_SIGN_IN__OIDC__GROUPS: JSON.stringify([{ group: "ward", role: "staff" }]),
    },
  });
}, 180_000);
afterAll(() => hospital.stop());

async function enter(): Promise<Visit> {
  const visitor = await visit(`${url}/dashboard`, DESKTOP);
  await visitor.page.emulateMedia({ reducedMotion: "reduce" });
  return visitor;
}

async function signInAs({ page }: Visit, id: string): Promise<void> {
  await page.getByRole("button", { name: "Sign in with City Hospital" }).click();
  await page.getByLabel("User name").fill(id);
  await page.getByRole("button", { name: "Continue" }).click();
}

test("people sign in with the provider, and owners see where they come from", async () => {
  const staff = await enter();
  await staff.page.getByRole("button", { name: "Sign in with City Hospital" }).waitFor();
  expect(await faultsOnBoth(staff, "sign-in-provider")).toEqual([]);
  await signInAs(staff, "asha");
  await staff.page.getByRole("navigation", { name: "Menu" }).waitFor();
  // Neither code nor state stays in the address.
  expect(new URL(staff.page.url()).search).toBe("");
  await staff.page.goto(`${url}/dashboard/settings/account`);
  await staff.page.getByText("Provider").first().waitFor();

  const owner = await enter();
  await owner.page.getByLabel("E-mail address").fill("owner@hospital.example");
  await owner.page.getByLabel("Password").fill(PASSWORD);
  await owner.page.getByRole("button", { name: "Sign in", exact: true }).click();
  await owner.page.getByRole("navigation", { name: "Menu" }).waitFor();
  await owner.page.goto(`${url}/dashboard/settings/people`);
  const row = owner.page.getByRole("row", { name: /Asha/ });
  await row.getByText("from City Hospital").waitFor();
  await row.getByRole("button").click();
  await owner.page.getByText("This person comes from City Hospital.").waitFor();
  expect(await faultsOnBoth(owner, "change-directory-person")).toEqual([]);
  await owner.close();
  await staff.close();
}, 180_000);

test("a person without a group is refused in plain words", async () => {
  const guest = await enter();
  await signInAs(guest, "guest");
  await guest.page.getByText("in no group that may use Ringward").waitFor();
  expect(await faultsOnBoth(guest, "provider-refused")).toEqual([]);
  await guest.page.getByRole("link", { name: "Back to sign-in" }).click();
  await guest.page.getByRole("heading", { name: "Sign in" }).waitFor();
  await guest.close();
}, 180_000);
