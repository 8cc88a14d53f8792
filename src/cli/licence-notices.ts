// Licence notices of everything inside the executable. The build replaces this file (see scripts/build.ts). From source
// nothing is bundled, and each package in node_modules has its own licence file.
export const licenceFile: string | null = null;

export async function licenceNotices(): Promise<string> {
  return "Ringward runs from source here: every package brings its licence in node_modules. A built executable prints them all.\n";
}
