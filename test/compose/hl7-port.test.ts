// The MLLP port takes changed lists of revoked certificates while it runs.
import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { siu } from "../support/hl7.ts";
import { codeOf, connectMllp, type MllpClient } from "../support/mllp-client.ts";
import { createPrivateCa, type Certificate } from "../support/private-ca.ts";
import { reservedPort } from "../support/free-ports.ts";
import { tempFolder } from "../support/temp.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";
import { until } from "../support/until.ts";

let app: TestApp;
afterEach(() => app.close());

const ca = createPrivateCa();
const own = ca.issue(["127.0.0.1"]);
const sender = ca.issue(["sender.example"]);

async function openPort() {
  const folder = tempFolder();
  const port = reservedPort();
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  app = await createTestApp({
    settings: {
      RINGWARD_HL7__HOST: "127.0.0.1",
      RINGWARD_HL7__PORT: String(port),
      RINGWARD_HL7__ALLOW: "127.0.0.1",
      RINGWARD_HL7__TLS_CERT_FILE: write("cert.pem", own.certPem),
      RINGWARD_HL7__TLS_KEY_FILE: write("key.pem", own.keyPem),
      RINGWARD_HL7__CLIENT_CA_FILE: write("ca.pem", ca.caPem),
      RINGWARD_HL7__CLIENT_CRL_FILE: write("crl.pem", ca.revoke()),
    },
  });
  await app.app.start();
  return { port, write };
}

const connect = (port: number, { certPem: cert, keyPem: key }: Certificate): Promise<MllpClient> =>
  connectMllp(port, { ca: ca.caPem, cert, key });
const message = siu({ trigger: "S12", controlId: "C1", id: "A1", sentAt: "20261114120000" });

test("a certificate that was revoked is refused after the files are read again", async () => {
  const { port, write } = await openPort();
  const client = await connect(port, sender);
  // No source has this sender yet.
  expect(codeOf(await client.ask(message))).toBe("AR");
  write("crl.pem", "damaged");
  app.app.reload();
  expect(codeOf(await client.ask(message))).toBe("AR");
  write("crl.pem", ca.revoke(sender));
  app.app.reload();
  await until(() => client.isClosed);
  const again = await connect(port, sender);
  await until(() => again.isClosed);
  const other = await connect(port, ca.issue(["other.example"]));
  expect(codeOf(await other.ask(message))).toBe("AR");
  other.close();
});
