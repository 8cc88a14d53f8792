// Table of all dashboard pages: address, menu entry, tabs, and the lowest role with access. Routes, menu, tabs and
// tests derive from it.
import type { IconName } from "./kit/icons.tsx";

/** In their order: each includes the ones before it. */
type Rank = "viewer" | "staff" | "owner";
/** Roles outside the order see what is listed for them. */
type Special = "doctor" | "auditor";
export type Role = Rank | Special;

interface PageEntry {
  /** Path of the route, with its parameters. */
  path: string;
  role: Rank | "doctor";
  /** Other roles with access. */
  also?: readonly Special[];
  /** Concerns the whole organisation: closed to people of branches. */
  isWhole?: true;
  /** Icon in the menu. The label is in the navigation texts. */
  menu?: IconName;
  /** In the tab bar of a phone; the other menu entries are behind "More". */
  isTab?: true;
  tabs?: Readonly<Record<string, Rank>>;
}

export const PAGES = {
  today: { path: "/dashboard/today", role: "viewer", menu: "today", isTab: true },
  overview: { path: "/dashboard/overview", role: "viewer", isWhole: true, menu: "overview" },
  appointments: { path: "/dashboard/appointments", role: "doctor", menu: "appointments", isTab: true },
  calls: { path: "/dashboard/calls", role: "viewer", also: ["doctor"], menu: "calls", isTab: true },
  call: { path: "/dashboard/calls/:id", role: "viewer", also: ["doctor"] },
  campaigns: { path: "/dashboard/campaigns", role: "viewer", menu: "campaigns" },
  newCampaign: { path: "/dashboard/campaigns/new", role: "staff" },
  campaign: { path: "/dashboard/campaigns/:id", role: "viewer" },
  people: { path: "/dashboard/people", role: "viewer", menu: "people", isTab: true },
  person: { path: "/dashboard/people/:id", role: "viewer" },
  calendar: {
    path: "/dashboard/calendar/:tab?",
    role: "viewer",
    menu: "calendar",
    isTab: true,
    tabs: { week: "viewer", reminders: "viewer", waiting: "viewer", holidays: "viewer" },
  },
  agents: { path: "/dashboard/agents/:id?", role: "viewer", also: ["auditor"], menu: "agents" },
  developers: {
    path: "/dashboard/developers/:tab?",
    role: "viewer",
    menu: "developers",
    tabs: { keys: "staff", endpoints: "staff", deliveries: "staff", receiver: "staff", hook: "staff", docs: "viewer" },
  },
  settings: {
    path: "/dashboard/settings/:tab?",
    role: "viewer",
    also: ["doctor", "auditor"],
    menu: "settings",
    tabs: {
      organisation: "viewer",
      people: "viewer",
      plan: "viewer",
      sharing: "viewer",
      trunks: "viewer",
      models: "owner",
      rules: "viewer",
      "do-not-disturb": "viewer",
      pronunciation: "viewer",
      sources: "viewer",
      hl7: "owner",
      folders: "viewer",
      holds: "owner",
      audit: "owner",
      data: "viewer",
      system: "viewer",
      account: "viewer",
    },
  },
} as const satisfies Record<string, PageEntry>;

export type PageName = keyof typeof PAGES;
type TabbedPage = { [Name in PageName]: (typeof PAGES)[Name] extends { tabs: object } ? Name : never }[PageName];
export type TabName<Name extends TabbedPage> = keyof (typeof PAGES)[Name]["tabs"] & string;

/** Target of the menu entry: the route without its parameters. */
export const pathOf = (name: PageName): string => PAGES[name].path.replace(/\/:.*$/, "");

export interface Tab<Name extends string> {
  name: Name;
  role: Rank;
  path: string;
}

export function tabsOf<Name extends TabbedPage>(page: Name): Tab<TabName<Name>>[] {
  const tabs = Object.entries(PAGES[page].tabs) as [TabName<Name>, Rank][];
  return tabs.map(([name, role]) => ({ name, role, path: `${pathOf(page)}/${name}` }));
}

/** Menu entries, in order. */
export const MENU = (Object.keys(PAGES) as PageName[]).flatMap((name) => {
  const page: PageEntry = PAGES[name];
  if (page.menu === undefined) return [];
  return [{ name, icon: page.menu, path: pathOf(name), role: page.role, isTab: page.isTab === true }];
});

const RANK: readonly string[] = ["viewer", "staff", "owner"];

export const isEnough = (role: Role, required: Rank | "doctor"): boolean =>
  role === required || (RANK.includes(required) && RANK.indexOf(role) >= RANK.indexOf(required));

export interface Reader {
  role: Role;
  /** Bound to branches. */
  is_bound: boolean;
}

export function isPageOpen({ role, is_bound }: Reader, name: PageName): boolean {
  const page: PageEntry = PAGES[name];
  if (is_bound && page.isWhole) return false;
  return isEnough(role, page.role) || page.also?.some((each) => each === role) === true;
}

/** Tabs with data of the whole organisation. */
const WHOLE_TABS: readonly string[] = [
  "do-not-disturb",
  "folders",
  "keys",
  "endpoints",
  "deliveries",
  "receiver",
  "hook",
];
const SPECIAL_TABS: Readonly<Record<Special, readonly string[]>> = {
  doctor: ["account"],
  auditor: [
    "organisation",
    "people",
    "plan",
    "sharing",
    "trunks",
    "models",
    "rules",
    "pronunciation",
    "sources",
    "audit",
    "system",
    "account",
  ],
};

export function isTabOpen({ role, is_bound }: Reader, tab: { name: string; role: Rank }): boolean {
  if (role === "doctor" || role === "auditor") return SPECIAL_TABS[role].includes(tab.name);
  return isEnough(role, tab.role) && !(is_bound && WHOLE_TABS.includes(tab.name));
}

/** The page without a path. */
export function firstPage({ role }: Reader): PageName {
  const special = { doctor: "appointments", auditor: "settings", owner: "overview" } as const;
  return role in special ? special[role as keyof typeof special] : "today";
}
