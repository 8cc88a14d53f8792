// Settings: a menu at the side, and an address for each tab.
import type { FunctionComponent } from "preact";
import { useRoute } from "preact-iso";
import { api, call } from "../client.ts";
import { PageHead, Shown } from "../kit/parts.tsx";
import { TabRow } from "../kit/tab-row.tsx";
import { useLoaded } from "../data.ts";
import { useSession } from "../session.tsx";
import { AccountTab } from "./settings/account-tab.tsx";
import { AuditTab } from "./settings/audit-tab.tsx";
import { DataTab } from "./settings/data-tab.tsx";
import { DoNotDisturbTab } from "./settings/do-not-disturb-tab.tsx";
import { Hl7Tab } from "./settings/hl7-tab.tsx";
import { FoldersTab } from "./settings/folders-tab.tsx";
import { HoldsTab } from "./settings/holds-tab.tsx";
import { ModelServersTab } from "./settings/model-servers-tab.tsx";
import { OrganisationTab } from "./settings/organisation-tab.tsx";
import { PeopleTab } from "./settings/people-tab.tsx";
import { PlanTab } from "./settings/plan-tab.tsx";
import { PronunciationTab } from "./settings/pronunciation-tab.tsx";
import { RulesTab } from "./settings/rules-tab.tsx";
import { SharingTab } from "./settings/sharing-tab.tsx";
import { SourcesTab } from "./settings/sources-tab.tsx";
import { SystemTab } from "./settings/system-tab.tsx";
import { TrunksTab } from "./settings/trunks-tab.tsx";
import { said } from "../words.ts";
import { tabAt } from "../tabs.ts";
import { isTabOpen, tabsOf, type TabName } from "../pages.ts";
import type { TabProps } from "./settings/settings-data.ts";
import { NotFoundPage } from "./not-found.tsx";

const words = said.settings.page;

const CONTENTS: Record<TabName<"settings">, FunctionComponent<TabProps>> = {
  organisation: OrganisationTab,
  people: PeopleTab,
  plan: PlanTab,
  sharing: SharingTab,
  trunks: TrunksTab,
  models: ModelServersTab,
  rules: RulesTab,
  "do-not-disturb": DoNotDisturbTab,
  pronunciation: PronunciationTab,
  sources: SourcesTab,
  hl7: Hl7Tab,
  folders: FoldersTab,
  holds: HoldsTab,
  audit: AuditTab,
  data: DataTab,
  system: SystemTab,
  account: AccountTab,
};

/** Headings of the menu with their tabs. */
const GROUPS = {
  hospital: ["organisation", "people", "plan", "sharing"],
  calling: ["trunks", "models", "rules", "do-not-disturb", "pronunciation"],
  appliance: ["sources", "folders", "hl7", "holds", "audit", "data", "system"],
  you: ["account"],
} as const satisfies Record<string, readonly TabName<"settings">[]>;

/** Heading above the tab, if it is the first visible one of its group. */
function headingOf(tab: TabName<"settings">, offered: readonly { name: string }[]): string | undefined {
  const group = (Object.keys(GROUPS) as (keyof typeof GROUPS)[]).find(
    (each) => GROUPS[each].find((name) => offered.some((other) => other.name === name)) === tab,
  );
  return group && words.groups[group];
}

export function SettingsPage() {
  const { tab } = useRoute().params;
  const { person } = useSession();
  const settings = useLoaded(() => call(api.settings.get()), []);
  const all = tabsOf("settings");
  const offered = all.filter((each) => isTabOpen(person, each));
  const here = tabAt(tab, all, offered);
  if (!here) return <NotFoundPage />;
  const Content = CONTENTS[here.name];
  return (
    <>
      <PageHead title={words.title} />
      <div class="settings-page">
        <TabRow
          kind="settings-menu"
          label={words.tabs}
          here={here.path}
          tabs={offered.map(({ name, path }) => ({
            path,
            text: words.tabNames[name],
            group: headingOf(name, offered),
          }))}
        />
        <div class="settings-content">
          <Shown from={settings} as="cards">
            {(data) => <Content settings={data} reload={settings.reload} />}
          </Shown>
        </div>
      </div>
    </>
  );
}
