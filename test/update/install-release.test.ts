// The order of an update, and the way back from each point where it can fail.
import { describe, expect, test } from "bun:test";
import { goBack, installRelease, type UpdateWorld } from "../../src/update/install-release.ts";
import { rejectionOf } from "../support/temp.ts";

const VERSIONS = { from: "0.2.0", to: "0.3.0" };

interface Faults {
  /** Versions that become ready. */
  ready?: string[];
  tooNew?: boolean;
  withCopy?: boolean;
  running?: boolean;
  /** Steps that throw. */
  failing?: string[];
}

function worldWith({ ready = [], tooNew = false, withCopy = true, running = true, failing = [] }: Faults) {
  const steps: string[] = [];
  const said: string[] = [];
  const step = (name: string) => {
    steps.push(name);
    if (failing.includes(name)) throw new Error(`${name} failed`);
  };
  const world: UpdateWorld = {
    server: running ? { stop: async () => step("stop"), start: async () => step("start") } : null,
    becomesReady: async (version) => {
      steps.push(`wait ${version}`);
      return ready.includes(version) ? null : "no server answers.";
    },
    database: withCopy
      ? { copy: () => step("copy"), putBack: () => step("put back"), forgetCopy: () => step("forget") }
      : null,
    isDatabaseTooNew: async () => tooNew,
    swapIn: () => step("swap in"),
    swapBack: () => step("swap back"),
    say: (line) => void said.push(line),
  };
  return { world, steps, said };
}

const UPDATE = ["stop", "copy", "swap in", "start", "wait 0.3.0"];

describe("an update", () => {
  test("copies the database of a stopped server, and forgets the copy once the new version is ready", async () => {
    const { world, steps } = worldWith({ ready: ["0.3.0"] });
    expect(await installRelease(world, VERSIONS)).toBe("updated");
    expect(steps).toEqual([...UPDATE, "forget"]);
  });

  test("goes back with the database where the new version has changed it", async () => {
    const { world, steps, said } = worldWith({ ready: ["0.2.0"], tooNew: true });
    expect(await installRelease(world, VERSIONS)).toBe("gone back");
    expect(steps).toEqual([...UPDATE, "stop", "put back", "swap back", "forget", "start", "wait 0.2.0"]);
    expect(said.at(-1)).toBe("Ringward 0.2.0 is ready again.");
  });

  test("leaves the database alone where the new version did not get to change it", async () => {
    const { world, steps } = worldWith({ ready: ["0.2.0"] });
    expect(await installRelease(world, VERSIONS)).toBe("gone back");
    expect(steps).not.toContain("put back");
  });

  test("goes back where the service cannot even be started", async () => {
    const { world, steps } = worldWith({ ready: ["0.2.0"], failing: ["start"], withCopy: false });
    expect(await installRelease(world, VERSIONS)).toBe("stuck");
    expect(steps).toEqual(["stop", "swap in", "start", "stop", "swap back", "start"]);
  });

  test("starts the old version again where the stop, the copy or the swap fails", async () => {
    for (const failing of ["stop", "copy", "swap in"]) {
      const { world, steps } = worldWith({ failing: [failing] });
      expect((await rejectionOf(installRelease(world, VERSIONS))).message).toBe(`${failing} failed`);
      expect(steps.slice(-2)).toEqual(["forget", "start"]);
    }
  });

  test("without a server only swaps, and says how to go back", async () => {
    const { world, steps, said } = worldWith({ running: false, withCopy: false });
    expect(await installRelease(world, VERSIONS)).toBe("swapped");
    expect(steps).toEqual(["swap in"]);
    expect(said.join(" ")).toContain('"ringward update back"');
  });
});

describe("the way back", () => {
  test("keeps the new version serving where the old one cannot read the database and there is no copy", async () => {
    const { world, steps, said } = worldWith({ tooNew: true, withCopy: false });
    expect(await goBack(world, VERSIONS)).toBe("stuck");
    expect(steps).toEqual(["stop", "start"]);
    expect(said.join(" ")).toContain("Restore a backup or dump from before the update");
  });

  test("starts the new version again where a step fails", async () => {
    for (const failing of ["put back", "swap back"]) {
      const { world, steps } = worldWith({ tooNew: true, failing: [failing] });
      expect((await rejectionOf(goBack(world, VERSIONS))).message).toBe(`${failing} failed`);
      expect(steps.slice(-2)).toEqual([failing, "start"]);
    }
  });

  test("says so where the old version is not ready either", async () => {
    const { world } = worldWith({});
    expect(await goBack(world, VERSIONS)).toBe("stuck");
  });
});
