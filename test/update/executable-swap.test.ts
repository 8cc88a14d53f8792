// At every moment of a swap there is a complete executable at its path.
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { previousOf, sha256Of, stage, stagedOf, swapBack, swapIn } from "../../src/update/executable-swap.ts";
import { tempFolder } from "../support/temp.ts";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

function installed() {
  const folder = tempFolder();
  const executable = join(folder, "ringward");
  const file = join(folder, "release");
  writeFileSync(executable, "old", { mode: 0o755 });
  writeFileSync(file, "new");
  return { executable, file, content: (path = executable) => readFileSync(path, "utf8") };
}

describe("a swap", () => {
  test("keeps the previous executable, and goes back to it", () => {
    const { executable, file, content } = installed();
    expect(sha256Of(file)).toBe(hashOf("new"));
    stage(file, executable, hashOf("new"));
    expect(content()).toBe("old");
    swapIn(executable);
    expect([content(), content(previousOf(executable))]).toEqual(["new", "old"]);
    expect(statSync(executable).mode & 0o777).toBe(0o755);
    swapBack(executable);
    expect(content()).toBe("old");
    expect(() => swapBack(executable)).toThrow("to go back to");
  });

  test("that is cut off at any step leaves the old or the new one, and can be made again", () => {
    const places: string[] = [];
    for (let cutAt = 1; ; cutAt++) {
      const { executable, file, content } = installed();
      writeFileSync(previousOf(executable), "older");
      stage(file, executable, hashOf("new"));
      let steps = 0;
      const cut = () => {
        if (++steps === cutAt) throw new Error("cut");
      };
      try {
        swapIn(executable, cut);
        break;
      } catch {
        places.push(content());
        expect(["older", "old"]).toContain(content(previousOf(executable)));
        stage(file, executable, hashOf("new"));
        swapIn(executable);
        expect(content()).toBe("new");
      }
    }
    expect(places).toEqual(["old", "old", "old", "new"]);
  });
});

describe("staging", () => {
  test("refuses a file that is not what was verified, and leaves nothing behind", () => {
    const { executable, file, content } = installed();
    expect(() => stage(file, executable, hashOf("other"))).toThrow("changed while it was read");
    expect(existsSync(stagedOf(executable))).toBe(false);
    expect(content()).toBe("old");
  });

  test("says where the executable cannot be replaced", () => {
    const { executable, content } = installed();
    expect(() => swapIn(executable)).toThrow(`${executable} cannot be replaced (ENOENT).`);
    expect(content()).toBe("old");
  });
});
