// Writes a Debian package: executable, systemd unit, settings, user, licences and bill of materials. Needs dpkg-deb.
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

export interface PackageFacts {
  root: string;
  version: string;
  architecture: "amd64" | "arm64";
  /** `Name <address>`. */
  maintainer: string;
  executable: string;
  billOfMaterials: string;
  licences: string;
  /** Output file. */
  target: string;
}

/** Requirements of the native libraries; SQLite's addon needs the latest of them. */
const DEPENDS = "libc6 (>= 2.34), libstdc++6 (>= 11), libgcc-s1, ca-certificates";

const SCRIPTS = ["postinst", "prerm", "postrm"];

export function writeDebianPackage(facts: PackageFacts): void {
  const tree = `${facts.target}.tree`;
  rmSync(tree, { recursive: true, force: true });
  try {
    layOut(facts, tree);
    // The executable is already compressed; every dpkg supports gzip.
    const run = Bun.spawnSync(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, facts.target], {
      stderr: "inherit",
    });
    if (!run.success) throw new Error("dpkg-deb failed; it comes with Debian and Ubuntu.");
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

function layOut(facts: PackageFacts, tree: string): void {
  const { root, executable } = facts;
  const inConfig = (name: string) => join(root, "config", name);
  const put = (path: string, content: string | Uint8Array, mode = 0o644) => {
    const file = join(tree, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    writeFileSync(file, content);
    chmodSync(file, mode);
  };
  const text = (file: string) => readFileSync(file, "utf8");
  mkdirSync(join(tree, "usr/bin"), { recursive: true });
  cpSync(executable, join(tree, "usr/bin/ringward"));
  chmodSync(join(tree, "usr/bin/ringward"), 0o755);
  put("usr/lib/systemd/system/ringward.service", packagedUnit(text(inConfig("ringward.service"))));
  put("usr/lib/sysusers.d/ringward.conf", text(inConfig("debian/sysusers.conf")));
  put("etc/ringward/ringward.toml", text(inConfig("debian/ringward.toml")), 0o640);
  for (const name of ["default.toml", "alerts.yml", "grafana-dashboard.json"])
    put(`usr/share/doc/ringward/${name}`, text(inConfig(name)));
  put("usr/share/doc/ringward/copyright", text(join(root, "LICENSE")));
  put("usr/share/doc/ringward/licences.txt.gz", gzipSync(text(facts.licences)));
  put("usr/share/doc/ringward/changelog.gz", gzipSync(text(join(root, "CHANGELOG.md"))));
  put("usr/share/doc/ringward/ringward.cdx.json", text(facts.billOfMaterials));
  for (const name of SCRIPTS) put(`DEBIAN/${name}`, text(inConfig(`debian/${name}`)), 0o755);
  put("DEBIAN/conffiles", "/etc/ringward/ringward.toml\n");
  put("DEBIAN/control", controlOf(facts, statSync(executable).size));
}

/** The unit from config/ without its instructions for a manual installation, for an executable in /usr/bin. */
export function packagedUnit(unit: string): string {
  const body = unit.slice(unit.indexOf("[Unit]"));
  return body.replace("ExecStart=/usr/local/bin/ringward", "ExecStart=/usr/bin/ringward");
}

function controlOf({ version, architecture, maintainer }: PackageFacts, bytes: number): string {
  return [
    "Package: ringward",
    // A tilde sorts before the release, as required for a pre-release.
    `Version: ${version.replace("-", "~")}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    `Depends: ${DEPENDS}`,
    "Section: comm",
    "Priority: optional",
    "Description: self-hosted voice-call appliance for hospitals",
    " Schedules phone calls by AI agents over SIP, books appointments and reports by",
    " signed webhooks. Data stays in SQLite or PostgreSQL on the hospital's machine.",
    "",
  ].join("\n");
}
