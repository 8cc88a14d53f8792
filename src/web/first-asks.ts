// What each page requests when it opens: addresses below /dashboard/api/, exactly as the page asks them. A browser test
// compares both for the pages that people start on.

export const FIRST_API = "/dashboard/api/";

/** Of the menu and the signs above every page. */
const OF_EVERY_PAGE = ["worklist/count", "account/notices"];

/** localStorage key of the page without a path, which depends on the person's role. */
const START = "ringward-start";

export function keepStart(path: string): void {
  localStorage.setItem(START, path);
}

const query = (search: string, name: string): string | null => new URLSearchParams(search).get(name);

const PAGES: readonly [path: RegExp, asks: (search: string, found: RegExpExecArray) => readonly string[]][] = [
  [
    /^\/dashboard\/today$/,
    (search) => {
      const kind = query(search, "kind");
      const worklist = kind === null ? "worklist" : `worklist?${new URLSearchParams({ kind })}`;
      return [worklist, "now", "campaigns", "agents", "health"];
    },
  ],
  [/^\/dashboard\/overview$/, (search) => [`overview?days=${query(search, "days") ?? "14"}`, "checklist", "trunks"]],
  [
    /^\/dashboard\/calls$/,
    // Filters are completed by the page, which knows the time zone.
    (search) => [...(search === "" ? ["calls?limit=25"] : []), "call-filters", "agents", "campaigns"],
  ],
  [/^\/dashboard\/calls\/([\w-]+)$/, (_, [, id = ""]) => [`calls/${id}`]],
  [/^\/dashboard\/campaigns$/, () => ["campaigns?limit=25"]],
];

export function firstAsks(path: string, search: string): string[] {
  const at = path.replace(/\/$/, "");
  const page = at === "/dashboard" && "localStorage" in globalThis ? (localStorage.getItem(START) ?? at) : at;
  for (const [pattern, asks] of PAGES) {
    const found = pattern.exec(page);
    if (found) return [...OF_EVERY_PAGE, ...asks(search, found)];
  }
  return OF_EVERY_PAGE;
}
