// The Debian package, installed into a root of its own by dpkg: files, user, settings, upgrade and removal.
import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeDebianPackage } from "../../scripts/releasing/debian-package.ts";
import { isOwnedByPackage } from "../../src/update/installed-package.ts";
import { tempFolder } from "../support/temp.ts";

const ROOT = join(import.meta.dir, "../..");
/** Files belong to root in a package: fakeroot lets others install it, too. */
const AS_ROOT = process.getuid?.() === 0 ? [] : ["fakeroot"];
const folder = tempFolder();
const root = join(folder, "root");
const inRoot = (path: string) => join(root, path);
const text = (path: string) => readFileSync(inRoot(path), "utf8");
const modeOf = (path: string) => (statSync(inRoot(path)).mode & 0o777).toString(8);

/** The executable is a stand-in: what is inside it is no matter of packaging. */
function packageOf(version: string): string {
  const target = join(folder, `ringward_${version}_amd64.deb`);
  const files = { executable: join(folder, "ringward"), licences: join(folder, "licences"), bom: join(folder, "bom") };
  writeFileSync(files.executable, `#!/bin/sh\necho ringward ${version}\n`, { mode: 0o755 });
  writeFileSync(files.licences, "licences\n");
  writeFileSync(files.bom, "{}\n");
  writeDebianPackage({
    root: ROOT,
    version,
    architecture: "amd64",
    maintainer: "Test <test@localhost>",
    executable: files.executable,
    billOfMaterials: files.bom,
    licences: files.licences,
    target,
  });
  return target;
}

/** The libraries of the machine are not in this root, so dependencies are not asked for. */
function dpkg(...args: string[]) {
  const options = [`--root=${root}`, "--force-depends", "--force-script-chrootless", "--force-architecture"];
  // dpkg runs only with the programs of root in its path.
  const env = { ...process.env, LC_ALL: "C", PATH: `${process.env["PATH"] ?? ""}:/usr/local/sbin:/usr/sbin:/sbin` };
  const run = Bun.spawnSync([...AS_ROOT, "dpkg", ...options, ...args], { env });
  return { code: run.exitCode, output: `${run.stdout.toString()}${run.stderr.toString()}` };
}

beforeAll(() => {
  for (const path of ["var/lib/dpkg/info", "var/lib/dpkg/updates", "etc"]) mkdirSync(inRoot(path), { recursive: true });
  writeFileSync(inRoot("var/lib/dpkg/status"), "");
});

describe("the package", () => {
  test("installs executable, unit, settings, user and papers", () => {
    const { code, output } = dpkg("--install", packageOf("0.2.0"));
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("systemctl enable --now ringward") });
    expect(modeOf("usr/bin/ringward")).toBe("755");
    expect(isOwnedByPackage("/usr/bin/ringward", root)).toBe(true);

    const unit = text("usr/lib/systemd/system/ringward.service");
    const [, executable = "", settings = ""] = /^ExecStart=(\S+) serve --config (\S+)$/m.exec(unit) ?? [];
    expect([existsSync(inRoot(executable)), existsSync(inRoot(settings))]).toEqual([true, true]);
    expect(unit).not.toContain("/usr/local");

    const [, user = ""] = /^User=(.+)$/m.exec(unit) ?? [];
    const account =
      text("etc/passwd")
        .split("\n")
        .find((line) => line.startsWith(`${user}:`)) ?? "";
    expect(account.split(":").slice(5)).toEqual(["/var/lib/ringward", expect.stringContaining("nologin")]);
    expect(text("etc/group")).toContain(`${user}:`);

    expect([modeOf("etc/ringward"), modeOf("etc/ringward/ringward.toml")]).toEqual(["750", "640"]);
    const [, dataDir = ""] = /^Environment=RINGWARD_DATA__DIR=(.+)$/m.exec(unit) ?? [];
    expect(Bun.TOML.parse(text("etc/ringward/ringward.toml"))).toEqual({ data: { dir: dataDir } });
    for (const paper of ["copyright", "licences.txt.gz", "ringward.cdx.json", "changelog.gz", "default.toml"])
      expect([paper, existsSync(inRoot(`usr/share/doc/ringward/${paper}`))]).toEqual([paper, true]);
  });

  test("keeps the operator's settings and the user through an upgrade, and a pre-release is older", () => {
    const settings = `${text("etc/ringward/ringward.toml")}\n[server]\nport = 9000\n`;
    writeFileSync(inRoot("etc/ringward/ringward.toml"), settings);
    const passwd = text("etc/passwd");
    const older = dpkg("--refuse-downgrade", "--install", packageOf("0.2.0-rc.1"));
    expect(older.output).toContain("will not downgrade ringward from 0.2.0 to 0.2.0~rc.1");
    expect(dpkg("--force-confold", "--install", packageOf("0.3.0"))).toMatchObject({ code: 0 });
    expect(text("usr/bin/ringward")).toContain("0.3.0");
    expect(text("etc/ringward/ringward.toml")).toBe(settings);
    expect(text("etc/passwd")).toBe(passwd);
  });

  test("leaves patient data where it is, even after a purge", () => {
    mkdirSync(inRoot("var/lib/ringward"), { recursive: true });
    writeFileSync(inRoot("var/lib/ringward/ringward.db"), "patients");
    const { code, output } = dpkg("--purge", "ringward");
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining("/var/lib/ringward was left as it is"),
    });
    expect(existsSync(inRoot("usr/bin/ringward"))).toBe(false);
    expect(existsSync(inRoot("etc/ringward/ringward.toml"))).toBe(false);
    expect(text("var/lib/ringward/ringward.db")).toBe("patients");
  });
});
