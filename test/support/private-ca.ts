// A certificate authority made for one test run, as a hospital might keep one. Needs the openssl command.
import { writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { tempFolder } from "./temp.ts";

export interface Certificate {
  certPem: string;
  keyPem: string;
}

export interface PrivateCa {
  caPem: string;
  /** A server certificate for these host names and addresses; `expired` makes one that ended yesterday. */
  issue(names: readonly string[], options?: { expired?: boolean }): Certificate;
  /** Its list of revoked certificates with these among them. */
  revoke(...certificates: readonly Certificate[]): string;
}

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

export function createPrivateCa(commonName = "Ringward test authority"): PrivateCa {
  const folder = tempFolder();
  const caKey = join(folder, "ca.key");
  const caCert = join(folder, "ca.pem");
  const caPem = openssl(["req", "-x509", ...NEW_KEY, "-keyout", caKey, "-days", "2", "-subj", `/CN=${commonName}`]);
  writeFileSync(caCert, caPem);
  let serial = 0;

  return {
    caPem,
    revoke(...certificates) {
      const file = (name: string) => join(folder, name);
      const config = `[ca]\ndefault_ca=own\n[own]\ndatabase=${file("index")}\ncrlnumber=${file("number")}\ndefault_md=sha256\n`;
      writeFileSync(file("config"), config);
      writeFileSync(file("index"), "");
      writeFileSync(file("number"), "01\n");
      const own = ["ca", "-config", file("config"), "-cert", caCert, "-keyfile", caKey];
      for (const { certPem } of certificates) {
        writeFileSync(file("revoked.pem"), certPem);
        openssl([...own, "-revoke", file("revoked.pem")]);
      }
      return openssl([...own, "-gencrl", "-crldays", "2"]);
    },
    issue(names, { expired = false } = {}) {
      serial += 1;
      const file = (suffix: string) => join(folder, `leaf-${serial}.${suffix}`);
      const request = openssl(["req", ...NEW_KEY, "-keyout", file("key"), "-subj", `/CN=leaf ${serial}`]);
      writeFileSync(file("csr"), request);
      const alternatives = names.map((name) => `${isIP(name) ? "IP" : "DNS"}:${name}`).join(",");
      writeFileSync(file("ext"), `subjectAltName=${alternatives}\nextendedKeyUsage=serverAuth,clientAuth\n`);
      const signing = ["-CA", caCert, "-CAkey", caKey, "-set_serial", String(serial), "-extfile", file("ext")];
      const certPem = openssl(["x509", "-req", "-in", file("csr"), ...signing, "-days", expired ? "-1" : "1"]);
      return { certPem, keyPem: openssl(["pkey", "-in", file("key")]) };
    },
  };
}

function openssl(args: readonly string[]): string {
  const run = Bun.spawnSync(["openssl", ...args], { stdout: "pipe", stderr: "pipe" });
  if (!run.success) throw new Error(`openssl ${args[0]} failed: ${run.stderr.toString()}`);
  return run.stdout.toString();
}
