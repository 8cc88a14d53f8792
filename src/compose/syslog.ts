// The syslog collector of the settings, for every stream that goes there. Its files are read again for each connection,
// so renewed certificates need no restart.
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import type { SecureContext } from "node:tls";
import { ConfigError } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { messageOf } from "../core/errors.ts";
import { createSyslogClient, type SyslogClient } from "../net/syslog.ts";
import { trustedBy } from "../net/tls.ts";

/** Null without an address. A bad setting is a configuration error. */
export function syslogOf({ syslog }: Pick<Config, "syslog">): SyslogClient | null {
  if (syslog.address === "") return null;
  try {
    const trust = trustOf(syslog);
    if (syslog.address.startsWith("tls:")) trust();
    return createSyslogClient({
      address: syslog.address,
      trust,
      origin: { hostName: syslog.host_name || hostname(), appName: "ringward", procId: String(process.pid) },
      maxMessageBytes: syslog.max_message_bytes,
    });
  } catch (error) {
    throw new ConfigError([`syslog: ${messageOf(error)}`]);
  }
}

/** Reading the system's authorities takes milliseconds, so a context is made only for changed files. */
function trustOf({ ca_file, tls_cert_file, tls_key_file }: Config["syslog"]): () => SecureContext {
  let kept: { key: string; context: SecureContext } | null = null;
  const text = (file: string) => (file === "" ? null : readFileSync(file, "utf8"));
  return () => {
    const [caPem, certPem, keyPem] = [text(ca_file), text(tls_cert_file), text(tls_key_file)];
    const key = JSON.stringify([caPem, certPem, keyPem]);
    if (kept?.key !== key) {
      const own = certPem !== null && keyPem !== null ? { certPem, keyPem } : null;
      kept = { key, context: trustedBy(caPem, own) };
    }
    return kept.context;
  };
}
