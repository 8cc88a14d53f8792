// The systemd unit that is shipped: its exit codes are ours, and systemd finds little to harden.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT } from "../../src/cli/exit-codes.ts";
import { loadConfig } from "../../src/config/load.ts";

const FILE = join(import.meta.dir, "../../config/ringward.service");
const unit = readFileSync(FILE, "utf8");
const setting = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";

describe("the unit", () => {
  test("is not restarted where only a person helps, and is where a wait may", () => {
    const { usage, configuration, damaged, key, newer } = EXIT;
    expect(setting("RestartPreventExitStatus")).toBe([usage, configuration, damaged, key, newer].join(" "));
  });

  test("gives a stop the time that the settings promise", () => {
    const { server, telephony } = loadConfig({ environment: {} });
    const promised = server.shutdown_grace_seconds + telephony.sip.drain_seconds;
    expect(Number.parseInt(setting("TimeoutStopSec"))).toBeGreaterThan(2 * promised);
  });

  test("reloads by the signal that takes renewed certificates", () => {
    expect(setting("ExecReload")).toBe("/bin/kill -HUP $MAINPID");
  });

  test("leaves the JavaScript engine its compiler, and the clock check its files", () => {
    expect(setting("MemoryDenyWriteExecute")).toBe("");
    expect(setting("ProcSubset")).toBe("");
  });

  test("has an exposure of at most 2.0", () => {
    const run = Bun.spawnSync(["systemd-analyze", "security", "--offline=true", "--no-pager", FILE]);
    const [, level = "none"] = /Overall exposure level for ringward.service: ([0-9.]+)/.exec(String(run.stdout)) ?? [];
    expect(Number(level)).toBeLessThanOrEqual(2);
  });
});
