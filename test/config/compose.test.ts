// The compose file that is shipped meets the points of CIS Docker Benchmark 5 that a compose file decides.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/config/load.ts";

interface Service {
  [key: string]: unknown;
  restart: string;
  user: string;
  cap_drop: string[];
  security_opt: string[];
  volumes: string[];
  ports: string[];
  healthcheck: { test: string[] };
  tmpfs: string[];
  ulimits: { nofile: number };
  stop_grace_period: string;
}

const read = (file: string) => readFileSync(join(import.meta.dir, "../..", file), "utf8");
const { services } = Bun.YAML.parse(read("config/compose.yaml")) as { services: Record<string, Service> };
const service = (): Service => {
  const [only, ...others] = Object.values(services);
  if (!only || others.length > 0) throw new Error("One service is expected.");
  return only;
};

/** Point → whether the service meets it. Each sees only what it names, so a missing key fails. */
const POINTS: Record<string, (service: Service) => boolean> = {
  "5.1 AppArmor is not switched off": (it) => !it.security_opt.some((option) => option.startsWith("apparmor")),
  "5.2 SELinux is not switched off": (it) => !it.security_opt.some((option) => option.startsWith("label")),
  "5.3 no capability": (it) => it.cap_drop.includes("ALL") && it["cap_add"] === undefined,
  "5.4 not privileged": (it) => it["privileged"] === undefined,
  "5.5 no folder of the host": (it) => it.volumes.every((volume) => /^[a-z]+:\/data$/.test(volume)),
  "5.7 no privileged port": (it) => it.ports.every((port) => Number(port.split(":")[1]) > 1023),
  "5.9 not the host's network": (it) => it["network_mode"] === undefined,
  "5.10 memory is limited": (it) => /^\d+g$/.test(String(it["mem_limit"])),
  "5.11 a share of the processor": (it) => Number(it["cpu_shares"]) > 0,
  "5.12 the root is read-only": (it) => it["read_only"] === true,
  "5.13 ports of one address": (it) => it.ports.every((port) => port.startsWith("127.0.0.1:")),
  "5.14 five restarts": (it) => it.restart === "on-failure:5",
  "5.15 not the host's processes": (it) => it["pid"] === undefined,
  "5.16 not the host's IPC": (it) => it["ipc"] === "private",
  "5.17 no device": (it) => it["devices"] === undefined,
  "5.18 limits of its own": (it) => it.ulimits.nofile > 0,
  "5.19 no shared mounts": (it) => it.volumes.every((volume) => !volume.includes("shared")),
  "5.20 not the host's UTS": (it) => it["uts"] === undefined,
  "5.21 seccomp is not switched off": (it) => !it.security_opt.some((option) => option.startsWith("seccomp")),
  "5.24 the cgroup of the engine": (it) => it["cgroup_parent"] === undefined && it["cgroup"] === undefined,
  "5.25 no new privileges": (it) => it.security_opt.includes("no-new-privileges:true"),
  "5.26 health is checked": (it) => it.healthcheck.test.join(" ") === "CMD /ringward health",
  "5.28 processes are limited": (it) => Number(it["pids_limit"]) > 0,
  "5.30 user namespaces are not shared": (it) => it["userns_mode"] === undefined,
  "5.31 no socket of the engine": (it) => !JSON.stringify(it).includes("docker.sock"),
};

describe("the compose file", () => {
  test.each(Object.entries(POINTS))("%s", (_point, isMet) => {
    expect(isMet(service())).toBe(true);
  });

  test("a change of a point is noticed", () => {
    const open: Service = {
      ...service(),
      cap_drop: [],
      read_only: false,
      restart: "always",
      network_mode: "host",
      privileged: true,
      devices: ["/dev/kvm"],
      pid: "host",
      uts: "host",
      userns_mode: "host",
      cgroup_parent: "own",
      ipc: "host",
      volumes: ["/var/run/docker.sock:/var/run/docker.sock:rshared"],
      ports: ["80:80"],
      ulimits: { nofile: 0 },
      security_opt: ["apparmor:unconfined", "label:disable", "seccomp:unconfined"],
      healthcheck: { test: ["NONE"] },
      mem_limit: undefined,
      cpu_shares: undefined,
      pids_limit: undefined,
    };
    const stillMet = Object.entries(POINTS).filter(([, isMet]) => isMet(open));
    expect(stillMet.map(([point]) => point)).toEqual([]);
  });

  test("the handbook says of every point 5.1 to 5.31 how it is met", () => {
    const [, section = ""] = read("src/handbook/operation.md").split("\n### In a container\n");
    const named = [...section.split("\n### ")[0]!.matchAll(/^\| (5\.[\d., -]*?) +\|/gm)].flatMap(([, cell = ""]) =>
      cell.split(", ").flatMap((part) => {
        const [from = 0, to = from] = part.split("-").map((point) => Number(point.replace("5.", "")));
        return Array.from({ length: to - from + 1 }, (_, i) => from + i);
      }),
    );
    expect(named.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 31 }, (_, i) => i + 1));
    const checked = Object.keys(POINTS).map((point) => Number(/^5\.(\d+) /.exec(point)?.[1]));
    // Of the image, of those who run the container, and of the network that compose makes.
    expect(named.filter((point) => !checked.includes(point)).toSorted((a, b) => a - b)).toEqual([6, 8, 22, 23, 27, 29]);
  });

  test("runs as the user of the image, who is not root", () => {
    expect(read("Dockerfile")).toContain(`\nUSER ${service().user}\n`);
    expect(service().user).not.toStartWith("0");
  });

  test("executes nothing from memory", () => {
    expect(service().tmpfs.every((mount) => mount.includes("noexec"))).toBe(true);
    expect(read("Dockerfile")).toContain("TMPDIR=/data");
  });

  test("gives a stop the time that the settings promise", () => {
    const { server, telephony } = loadConfig({ environment: {} });
    const promised = server.shutdown_grace_seconds + telephony.sip.drain_seconds;
    expect(Number.parseInt(service().stop_grace_period)).toBeGreaterThan(2 * promised);
  });
});
