// Table of all dashboard pages: address, menu entry, tabs, and the lowest role with access. Routes, menu, tabs and
// tests derive from it.
import type { IconName } from "./kit/icons.tsx";

export type Role = "viewer" | "staff" | "owner";

interface PageEntry {
  /** Path of the route, with its parameters. */
  path: string;
  role: Role;
  /** Icon in the menu. The label is in the navigation texts. */
  menu?: IconName;
  tabs?: Readonly<Record<string, Role>>;
}

export const PAGES = {
  today: { path: "/dashboard/today", role: "viewer", menu: "today" },
  overview: { path: "/dashboard/overview", role: "viewer", menu: "overview" },
  calls: { path: "/dashboard/calls", role: "viewer", menu: "calls" },
  call: { path: "/dashboard/calls/:id", role: "viewer" },
  campaigns: { path: "/dashboard/campaigns", role: "viewer", menu: "campaigns" },
  newCampaign: { path: "/dashboard/campaigns/new", role: "staff" },
  campaign: { path: "/dashboard/campaigns/:id", role: "viewer" },
  people: { path: "/dashboard/people", role: "viewer", menu: "people" },
  person: { path: "/dashboard/people/:id", role: "viewer" },
  calendar: {
    path: "/dashboard/calendar/:tab?",
    role: "viewer",
    menu: "calendar",
    tabs: { week: "viewer", reminders: "viewer", waiting: "viewer", holidays: "viewer" },
  },
  agents: { path: "/dashboard/agents/:id?", role: "viewer", menu: "agents" },
  developers: {
    path: "/dashboard/developers/:tab?",
    role: "viewer",
    menu: "developers",
    tabs: { keys: "staff", endpoints: "staff", deliveries: "staff", receiver: "staff", hook: "staff", docs: "viewer" },
  },
  settings: {
    path: "/dashboard/settings/:tab?",
    role: "viewer",
    menu: "settings",
    tabs: {
      organisation: "viewer",
      people: "viewer",
      plan: "viewer",
      sharing: "viewer",
      trunks: "viewer",
      models: "owner",
      "do-not-disturb": "viewer",
      pronunciation: "viewer",
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
  role: Role;
  path: string;
}

export function tabsOf<Name extends TabbedPage>(page: Name): Tab<TabName<Name>>[] {
  const tabs = Object.entries(PAGES[page].tabs) as [TabName<Name>, Role][];
  return tabs.map(([name, role]) => ({ name, role, path: `${pathOf(page)}/${name}` }));
}

/** Menu entries, in order. */
export const MENU = (Object.keys(PAGES) as PageName[]).flatMap((name) => {
  const page: PageEntry = PAGES[name];
  return page.menu === undefined ? [] : [{ icon: page.menu, path: pathOf(name), role: page.role }];
});

const RANK: readonly Role[] = ["viewer", "staff", "owner"];

export const isEnough = (role: Role, required: Role): boolean => RANK.indexOf(role) >= RANK.indexOf(required);
