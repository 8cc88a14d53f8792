import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { syslogOf } from "../../src/compose/syslog.ts";
import { loadConfig } from "../../src/config/load.ts";
import { createPrivateCa } from "../support/private-ca.ts";
import { startSyslogCollector } from "../support/syslog-collector.ts";
import { tempFolder } from "../support/temp.ts";

const NOTE = { facility: "daemon", severity: "info", at: 0, msgId: "TEST", data: {}, text: "x" } as const;
const configOf = (flags: Record<string, string | number>) => loadConfig({ flags });

test("without an address there is no client", () => {
  expect(syslogOf(configOf({}))).toBeNull();
});

test("a renewed authority is taken for the next connection", async () => {
  const [old, renewed] = [createPrivateCa(), createPrivateCa("Renewed")];
  const collector = startSyslogCollector({ certificate: renewed.issue(["127.0.0.1"]) });
  try {
    const caFile = join(tempFolder(), "ca.pem");
    writeFileSync(caFile, old.caPem);
    const client = syslogOf(configOf({ "syslog.address": collector.address, "syslog.ca_file": caFile }));
    await expect(client?.send(NOTE)).rejects.toThrow("certificate");
    writeFileSync(caFile, renewed.caPem);
    await client?.send(NOTE);
    expect(collector.got).toHaveLength(1);
  } finally {
    collector.stop();
  }
});

describe("a bad setting is named", () => {
  test.each<[Record<string, string | number>, string]>([
    [{ "syslog.address": "udp://h:514" }, "syslog.address: must be an address such as"],
    [{ "syslog.address": "tls://h:0" }, "syslog: must have a port"],
    [{ "syslog.address": "tls://h:1", "syslog.ca_file": join(import.meta.dir, "nowhere.pem") }, "syslog: ENOENT"],
    [{ "syslog.address": "tcp://h:1", "syslog.ca_file": "/x" }, "syslog.ca_file: it is for an address that begins"],
    [
      { "syslog.address": "tls://h:1", "syslog.tls_cert_file": "/x" },
      "syslog.tls_cert_file and syslog.tls_key_file: give",
    ],
    [{ "syslog.max_message_bytes": 100 }, "syslog.max_message_bytes"],
  ])("%j", (flags, message) => {
    expect(() => syslogOf(configOf(flags))).toThrow(message);
  });
});
