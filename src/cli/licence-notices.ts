// The licence notices of everything inside the executable. The build puts them in the place of this file (see
// scripts/build.ts); from source nothing is bundled, and every package lies in node_modules with its licence.
export const licenceFile: string | null = null;

export async function licenceNotices(): Promise<string> {
  return "Ringward runs from source here: every package brings its licence in node_modules. A built executable prints them all.\n";
}
