// Role and branches that the groups of a directory give.
import { expect, test } from "bun:test";
import type { GroupRole } from "../../../src/config/sign-in-settings.ts";
import { accessOf, type DirectoryAccess } from "../../../src/accounts/directories/model.ts";

const A = "01890000-0000-7000-8000-00000000000a";
const B = "01890000-0000-7000-8000-00000000000b";
const ENTRIES: readonly GroupRole[] = [
  { group: "owners", role: "owner" },
  { group: "audit", role: "auditor" },
  { group: "ward a", role: "staff", branches: [A] },
  { group: "ward b", role: "staff", branches: [B] },
  { group: "everywhere", role: "staff" },
  { group: "readers a", role: "viewer", branches: [A] },
];

test.each<[string[], DirectoryAccess | null]>([
  [["ward a"], { role: "staff", branches: [A] }],
  [["ward a", "ward b"], { role: "staff", branches: [A, B] }],
  [["ward a", "everywhere"], { role: "staff", branches: null }],
  [["readers a", "ward b"], { role: "staff", branches: [B] }],
  [["owners", "ward a"], { role: "owner", branches: null }],
  [["audit"], { role: "auditor", branches: null }],
  [["others"], null],
  [[], null],
])("the groups %p give %p", (groups, access) => expect(accessOf(ENTRIES, groups)).toEqual(access));

test("without branches in the settings, they are set here", () => {
  const [owners] = ENTRIES;
  expect(accessOf([owners!, { group: "ward", role: "staff" }], ["ward"])).toEqual({
    role: "staff",
    branches: undefined,
  });
});

test("groups are compared as told", () => {
  expect(accessOf(ENTRIES, ["WARD A"])).toBeNull();
  expect(accessOf(ENTRIES, ["WARD A"], (group) => group.toLowerCase())?.branches).toEqual([A]);
});
