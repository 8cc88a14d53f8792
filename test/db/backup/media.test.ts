// Recordings and captures in a backup: which are included, and how they are restored.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkArchive } from "../../../src/db/archive/archive-reader.ts";
import { makeBackup } from "../../../src/db/backup/make-backup.ts";
import { writePersonKeys } from "../../../src/db/backup/person-keys-file.ts";
import { tempFolder } from "../../support/temp.ts";
import { addCalls, backUp, folderWith, restoreInto, soundOf } from "./backups.ts";

describe("recordings and captures", () => {
  test("are included and restored byte for byte; those of the folder before are kept aside", async () => {
    const source = await folderWith("a");
    addCalls(source, ["one", "two"]);
    const dataDir = await folderWith("old");
    addCalls(dataDir, ["mine"]);
    const { files, setAside } = restoreInto(dataDir, backUp(source));
    expect(files).toBe(4);
    expect(readdirSync(join(dataDir, "recordings")).toSorted()).toEqual(["one.wav", "two.wav"]);
    expect(readFileSync(join(dataDir, "recordings", "two.wav")).equals(soundOf("two"))).toBeTrue();
    expect(readFileSync(join(dataDir, "captures", "one.pcap"), "utf8")).toBe("packets of one");
    expect(setAside.map((path) => path.slice(dataDir.length + 1))).toEqual([
      "ringward.db.before-restore-now",
      "captures.before-restore-now",
      "recordings.before-restore-now",
    ]);
    expect(readdirSync(join(dataDir, "recordings.before-restore-now"))).toEqual(["mine.wav"]);
  });

  test("are excluded by default, and a restore then does not touch those of the folder", async () => {
    const source = await folderWith("a");
    addCalls(source, ["one"]);
    const backup = backUp(source, { withRecordings: false });
    expect(readFileSync(backup).includes(soundOf("one").subarray(0, 64))).toBeFalse();
    const dataDir = await folderWith("old");
    addCalls(dataDir, ["mine"]);
    expect(restoreInto(dataDir, backup).files).toBeNull();
    expect(readdirSync(join(dataDir, "recordings"))).toEqual(["mine.wav"]);
  });

  test("are included only for finished calls of the copied database, and never through a link", async () => {
    const dataDir = await folderWith("a");
    addCalls(dataDir, ["done", "linked"]);
    addCalls(dataDir, ["talking"], { finished: false });
    writeFileSync(join(dataDir, "recordings", "stranger.wav"), "whose?");
    rmSync(join(dataDir, "recordings", "linked.wav"));
    symlinkSync("/etc/hostname", join(dataDir, "recordings", "linked.wav"));
    const into = tempFolder();
    restoreInto(into, backUp(dataDir));
    expect(readdirSync(join(into, "recordings"))).toEqual(["done.wav"]);
    expect(readdirSync(join(into, "captures")).toSorted()).toEqual(["done.pcap", "linked.pcap"]);
  });

  test.each([
    ["before it is reached", "Copying and verifying the database"],
    ["after it was copied", "Reading back"],
  ])("of a call erased while the backup is made, %s, are not in it", async (_, step) => {
    const dataDir = await folderWith("a");
    addCalls(dataDir, ["erased", "kept"]);
    const backup = backUp(dataDir, {
      progress(present) {
        if (present !== step) return;
        for (const file of ["recordings/erased.wav", "captures/erased.pcap"])
          rmSync(join(dataDir, file), { force: true });
      },
    });
    const listed = Bun.spawnSync(["tar", "-tf", backup]).stdout.toString();
    expect([listed.includes("kept.wav"), listed.includes("erased.wav")]).toEqual([true, false]);
    const into = tempFolder();
    expect(restoreInto(into, backup).files).toBe(2);
    expect(readdirSync(join(into, "recordings"))).toEqual(["kept.wav"]);
    expect(readFileSync(join(into, "recordings", "kept.wav")).equals(soundOf("kept"))).toBeTrue();
  });

  test("that grow or shrink while they are copied cause no failure", async () => {
    const dataDir = await folderWith("a");
    addCalls(dataDir, ["one"]);
    const backup = backUp(dataDir, {
      progress: (step) => step === "Writing" && writeFileSync(join(dataDir, "recordings", "one.wav"), "x"),
    });
    checkArchive(backup);
  });
});

describe("recordings of simulated calls", () => {
  test("are synthesised again on request, so a backup excludes them", async () => {
    const dataDir = await folderWith("a");
    addCalls(dataDir, ["real", "listened.simulated", "unheard.simulated"]);
    rmSync(join(dataDir, "recordings", "unheard.simulated.wav"));
    const target = join(tempFolder(), "backup.tar");
    const order = { dataDir, target, withRecordings: true, madeBy: "0.1.0", madeAt: "2026-03-01T00:00:00.000Z" };
    // The real call also has a capture.
    expect(makeBackup(order)).toMatchObject({ files: 2, missing: 0 });
    writePersonKeys({ dataDir }, dirname(target));
    const restored = tempFolder();
    restoreInto(restored, target);
    expect(readdirSync(join(restored, "recordings"))).toEqual(["real.wav"]);
  });
});
