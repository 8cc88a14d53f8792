// The parts of a release that need no build: the signature as others' tools read it, the key's handling, the image
// recipe.
import { describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { imageRecipe } from "../../scripts/releasing/image-recipe.ts";
import { readSigningKey, signFolder } from "../../scripts/releasing/signed-folder.ts";
import { tempFolder } from "../support/temp.ts";

const ROOT = join(import.meta.dir, "../..");
const sh = (folder: string, script: string) => {
  const run = Bun.spawnSync(["sh", "-ec", script], { cwd: folder });
  return { code: run.exitCode, output: `${run.stdout.toString()}${run.stderr.toString()}`.trim() };
};

describe("a signed folder", () => {
  test("is verified by sha256sum and openssl, and a changed one is not", () => {
    const folder = tempFolder();
    const keys = tempFolder();
    expect(
      sh(
        keys,
        "umask 077; openssl genpkey -algorithm ed25519 -out key.pem; openssl pkey -in key.pem -pubout -out pub.pem",
      ).code,
    ).toBe(0);
    writeFileSync(join(folder, "ringward-0.2.0-linux-x64"), "program");
    writeFileSync(join(folder, "licences.txt"), "licences");
    signFolder(folder, readSigningKey(join(keys, "key.pem"), ROOT));
    const verify = `sha256sum --check --strict --quiet SHA256SUMS
      openssl pkeyutl -verify -pubin -inkey ${keys}/pub.pem -rawin -sigfile SHA256SUMS.sig -in SHA256SUMS`;
    expect(sh(folder, verify)).toEqual({ code: 0, output: "Signature Verified Successfully" });
    writeFileSync(join(folder, "SHA256SUMS"), `${readFileSync(join(folder, "SHA256SUMS"), "utf8")}\n`);
    expect(sh(folder, verify).code).not.toBe(0);
  });

  test("takes no key that others may read, of another kind, or from inside the repository", () => {
    const folder = tempFolder();
    sh(
      folder,
      "umask 077; openssl genpkey -algorithm ed25519 -out key.pem; openssl genpkey -algorithm X25519 -out x.pem",
    );
    const key = join(folder, "key.pem");
    expect(readSigningKey(key, ROOT).asymmetricKeyType).toBe("ed25519");
    expect(() => readSigningKey(key, folder)).toThrow("outside the repository");
    expect(() => readSigningKey(join(folder, "x.pem"), ROOT)).toThrow("not an Ed25519 key");
    chmodSync(key, 0o644);
    expect(() => readSigningKey(key, ROOT)).toThrow("Others may read");
  });
});

describe("the image of a release", () => {
  const dockerfile = readFileSync(join(ROOT, "Dockerfile"), "utf8");
  const recipe = imageRecipe(dockerfile, { amd64: "ringward-0.2.0-linux-x64", arm64: "ringward-0.2.0-linux-arm64" });

  test("is the last stage of the repository's own, with a released executable", () => {
    expect(recipe).toContain(
      "FROM scratch AS arm64\nWORKDIR /empty\nCOPY --chmod=755 ringward-0.2.0-linux-arm64 /ringward\n",
    );
    expect(recipe).toMatch(/^FROM \$\{TARGETARCH\} AS released$/m);
    expect(recipe).not.toContain("AS build");
    const own = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));
    for (const line of own.split("\n").filter((each) => !each.startsWith("COPY")))
      expect(recipe.split("\n")).toContain(line);
  });

  test("is refused where the Dockerfile copies something else from its build", () => {
    expect(() => imageRecipe(`${dockerfile}COPY --from=build /extra /\n`, {})).toThrow("does not have");
  });

  test("runs by the compose file as the image was proved: read-only, without capabilities, /data kept", () => {
    const compose = Bun.YAML.parse(readFileSync(join(ROOT, "config/compose.yaml"), "utf8")) as {
      services: { ringward: Record<string, unknown> };
      volumes: Record<string, unknown>;
    };
    const { ringward } = compose.services;
    expect(ringward).toMatchObject({ read_only: true, cap_drop: ["ALL"], volumes: ["data:/data"] });
    expect(Object.keys(compose.volumes)).toEqual(["data"]);
    expect(dockerfile).toContain("VOLUME /data");
    expect(dockerfile).toContain("EXPOSE 8080");
  });
});
