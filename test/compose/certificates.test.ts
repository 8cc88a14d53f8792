// Certificates of our own ports, renewed while they are served.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCertificates } from "../../src/compose/certificates.ts";
import { loadConfig } from "../../src/config/load.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { createMetrics } from "../../src/core/metrics.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { createPrivateCa } from "../support/private-ca.ts";
import { tempFolder } from "../support/temp.ts";

const ca = createPrivateCa();

function served() {
  const folder = tempFolder();
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  const place = () => {
    const { certPem, keyPem } = ca.issue(["localhost"]);
    writeFileSync(files.cert, certPem);
    writeFileSync(files.key, keyPem);
    return certPem;
  };
  place();
  const flags = { "server.tls_cert_file": files.cert, "server.tls_key_file": files.key };
  const config = loadConfig({ environment: {}, flags });
  const clock = createManualClock(Date.now());
  const certificates = createCertificates({ config, clock, logger: silentLogger, metrics: createMetrics() });
  return { certificates, place, clock };
}

test("one whose port cannot be opened is noted, and tried again until it can", () => {
  const { certificates, place, clock } = served();
  const taken: string[] = [];
  let isPortFree = false;
  certificates.https.renewed(({ certPem }) => {
    if (!isPortFree) throw new Error("The port is taken.");
    taken.push(certPem);
  });
  const before = certificates.https.current();
  const renewed = place();
  certificates.look();
  expect(certificates.https.current()).toEqual(before);
  expect(certificates.note()).toContain("are not taken");
  isPortFree = true;
  certificates.look();
  expect(taken).toEqual([renewed]);
  expect(certificates.https.current()?.certPem).toBe(renewed);
  // These are valid for a day, and what expires soon is noted.
  expect(certificates.note()).toContain("expires on");
  clock.pass(2 * DAY_MS);
  expect(certificates.note()).toContain("expired on");
});

test("files that did not change are not taken again", () => {
  const { certificates } = served();
  let count = 0;
  certificates.https.renewed(() => void (count += 1));
  certificates.look();
  certificates.look();
  expect(count).toBe(0);
});
