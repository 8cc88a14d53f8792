// The dashboard and the documentation over the appliance's own HTTPS, in a real browser.
/// <reference lib="dom" />
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCall } from "../support/api-client.ts";
import { leaveNothingBehind, startBinary, tempFolder } from "../support/binary.ts";
import { closeBrowsers, visit } from "../support/browser.ts";
import { createPrivateCa } from "../support/private-ca.ts";
import { enterDemo } from "./dashboard-visit.ts";

// Hooks run in this order, because a closing browser still writes to its profile.
closeBrowsers();
leaveNothingBehind();

test("staff sign in, a new call appears automatically, and Swagger UI opens", async () => {
  const ca = createPrivateCa();
  const { certPem, keyPem } = ca.issue(["127.0.0.1", "localhost"]);
  const folder = tempFolder();
  const tls = { certFile: join(folder, "cert.pem"), keyFile: join(folder, "key.pem"), caPem: ca.caPem };
  writeFileSync(tls.certFile, certPem);
  writeFileSync(tls.keyFile, keyPem);
  const server = await startBinary({ tls });

  const visitor = await enterDemo(server, "/dashboard/calls");
  await visitor.page.getByRole("heading", { name: "Calls", level: 1 }).waitFor();
  // The page has asked for its stream.
  await visitor.page.waitForFunction(() => localStorage.getItem("ringward-changes-holder") !== null);
  // Pushed by the event stream, without a reload.
  await createCall(server, { user_name: "Over Tls" });
  await visitor.page.getByText("Over Tls").first().waitFor();
  // The test's visitor accepts the certificate for pages, which does not count for a service worker.
  const ofWorker = "An SSL certificate error occurred when fetching the script.";
  expect(visitor.complaints.filter((text) => !text.includes(ofWorker))).toEqual([]);
  await visitor.close();

  const swagger = await visit(`${server.url}/swagger`);
  await swagger.page.locator("#operations-Account-getMe").waitFor();
  expect(swagger.complaints).toEqual([]);
  await swagger.close();
}, 180_000);
