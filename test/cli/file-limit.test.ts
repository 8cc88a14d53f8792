import { expect, test } from "bun:test";
import { allowedIn, fileLimit, neededFiles } from "../../src/cli/file-limit.ts";
import { loadConfig } from "../../src/config/load.ts";
import { skipsFor } from "../support/skips.ts";

const config = (environment: Record<string, string> = {}) => loadConfig({ environment });

const SIP = { RINGWARD_TELEPHONY__CARRIER: "sip" };

test("the limit that holds is read from what the system tells", () => {
  const line = "Max open files            1024                 524288               files     ";
  expect(allowedIn(`Limit  Soft Limit  Hard Limit  Units\n${line}\nMax locked memory  65536  65536  bytes\n`)).toBe(
    1_024,
  );
  expect(allowedIn(line.replace("1024 ", "unlimited "))).toBeNull();
  expect(allowedIn("nothing of the kind")).toBeNull();
});

test("simulated calls need no more than the server itself", () => {
  expect(neededFiles(config())).toBe(320);
});

test("real calls need four each, as many as have ports for their audio or are allowed at once", () => {
  const ports = { RINGWARD_TELEPHONY__SIP__RTP_PORT_FROM: "10000", RINGWARD_TELEPHONY__SIP__RTP_PORT_TO: "10199" };
  expect(neededFiles(config({ ...SIP, ...ports }))).toBe(320 + 400);
  expect(neededFiles(config({ ...SIP, ...ports, RINGWARD_CALLS__CONCURRENT_CALLS: "10" }))).toBe(320 + 40);
  expect(neededFiles(config({ ...SIP, ...ports, RINGWARD_CALLS__CONCURRENT_CALLS: "5000" }))).toBe(320 + 400);
});

test.skipIf(skipsFor(process.platform !== "linux", "needs Linux"))(
  "this process has a limit, and it says for how many calls it is enough",
  () => {
    const limit = fileLimit(config(SIP));
    expect(limit?.allowed).toBeGreaterThan(0);
    expect(limit?.calls).toBe(Math.max(0, Math.floor(((limit?.allowed ?? 0) - 320) / 4)));
  },
);
