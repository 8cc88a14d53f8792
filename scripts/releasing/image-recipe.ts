// The Dockerfile of a release: the last stage of the repository's Dockerfile, with the released executables instead of
// a build.

const LAST_STAGE = /^FROM (?!.* AS build$)[^\n]+$/m;

/** `executables`: file name by Docker's architecture name. */
export function imageRecipe(dockerfile: string, executables: Readonly<Record<string, string>>): string {
  const at = dockerfile.search(LAST_STAGE);
  if (at === -1) throw new Error("The Dockerfile has no last stage.");
  // A folder for the volume, because an image without a shell cannot create one.
  const stages = Object.entries(executables).map(
    ([architecture, file]) =>
      `FROM scratch AS ${architecture}\nWORKDIR /empty\nCOPY --chmod=755 ${file} /ringward\n` +
      `COPY ${file}.cdx.json /ringward.cdx.json\nCOPY licences.txt /\n`,
  );
  const last = dockerfile
    .slice(at)
    .replace("--from=build /ringward/dist/ringward /ringward", "--from=released /ringward /ringward")
    .replace(
      "--from=build /ringward/dist/licences.txt /ringward/dist/ringward.cdx.json",
      "--from=released /licences.txt /ringward.cdx.json",
    )
    .replace("--from=build --chown", "--from=released --chown");
  if (last.includes("--from=build")) throw new Error("The Dockerfile copies something that a release does not have.");
  return [
    "# The image of a release. In the folder of the release: docker compose up -d",
    "ARG TARGETARCH",
    stages.join("\n"),
    `FROM \${TARGETARCH} AS released\n`,
    last,
  ].join("\n");
}
