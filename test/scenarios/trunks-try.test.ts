// ringward trunks try, as an administrator runs it, against a PBX in its default configuration.
import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { appliance, on } from "../support/appliance.ts";
import { leaveNothingBehind, runBinary, tempFolder } from "../support/binary.ts";
import { audioPorts, freeSipPort } from "../support/free-ports.ts";
import { ENFORCED } from "../support/unenforced.ts";
import { stockExchange, type StockExchange } from "../telephony/sip/trunk/stock-exchange.ts";

leaveNothingBehind();

const SECRET = "tr0ub4dor-and-3";
const CALLEE = "+919800000001";
const WITHDRAWN = "+919800000003";
/** The test runs at any hour of the day. */
const REASON = ["--reason", "The telephone is a script."];
let exchange: StockExchange;
afterEach(() => exchange.peer.close());

test("a registered extension is tried, and each problem is reported with the fix and the side to change", async () => {
  exchange = await stockExchange({ username: "2001", secret: SECRET });
  const dataDir = await appliance();
  const secretFile = join(tempFolder(), "secret");
  writeFileSync(secretFile, SECRET);
  const at = ["--host", "127.0.0.1", "--port", String(exchange.peer.port)];
  const account = ["--username", "2001", "--register", "yes", "--secret-file", secretFile];
  expect((await on(dataDir, "trunks", "add", "--name", "pbx", ...at, ...account, "--prefixes", "+91")).code).toBe(0);
  const rtp = audioPorts(4);
  const env = {
    ...ENFORCED,
    RINGWARD_TELEPHONY__SIP__ADDRESS: "127.0.0.1",
    RINGWARD_TELEPHONY__SIP__PORT: String(freeSipPort()),
    RINGWARD_TELEPHONY__SIP__RTP_PORT_FROM: String(rtp.from),
    RINGWARD_TELEPHONY__SIP__RTP_PORT_TO: String(rtp.to),
  };
  const tried = (...args: string[]) => runBinary(["trunks", "try", "pbx", ...args, "--data", dataDir], { env });

  const well = await tried("--for", "asterisk");
  expect(well).toMatchObject({ code: 0, stderr: "" });
  expect(well.stdout).toMatch(/ok +registration +Registered as 2001\./);
  expect(well.stdout).toMatch(/ok +options +Answered after/);
  expect(well.stdout).toMatch(/- +inbound +Nobody answers who dials 2001/);
  expect(well.stdout).toContain("[2001]\ntype=endpoint");
  expect(well.stdout).not.toContain(SECRET);
  expect(exchange.taken).toEqual([]);

  for (const [number, words] of [
    ["+12125550100", "allowed prefixes"],
    ["112", "E.164"],
  ] as const) {
    expect(await tried("--number", number)).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
  }
  expect((await on(dataDir, "dnd", "add", CALLEE)).code).toBe(0);
  expect((await tried("--number", CALLEE, ...REASON)).stderr).toContain("do-not-disturb");
  const consent = [WITHDRAWN, "--purpose", "promotional"];
  expect((await on(dataDir, "consents", "grant", ...consent, "--basis", "written")).code).toBe(0);
  expect((await on(dataDir, "consents", "withdraw", ...consent)).code).toBe(0);
  expect((await tried("--number", WITHDRAWN, ...REASON)).stderr).toContain("withdrawn the consent");
  expect((await tried(...REASON)).code).toBe(2);
  expect(exchange.taken).toEqual([]);

  expect((await on(dataDir, "trunks", "change", "pbx", "--from-user", "number")).code).toBe(0);
  const refused = await tried("--number", "+919800000002", ...REASON, "--json");
  expect(refused.code).toBe(1);
  const { findings } = JSON.parse(refused.stdout) as { findings: { step: string }[] };
  expect(findings.find(({ step }) => step === "call")).toMatchObject({
    state: "FAIL",
    message: expect.stringContaining("does not know the From user"),
    here: expect.stringContaining("from_user"),
  });
});
