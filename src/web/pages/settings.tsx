// Settings: a menu beside them, and an address for each.
import { Fragment } from "preact";
import { useRoute } from "preact-iso";
import { api, call } from "../client.ts";
import { PageHead, Shown } from "../kit/parts.tsx";
import { TabRow } from "../kit/tab-row.tsx";
import { useLoaded } from "../data.ts";
import { useMay } from "../session.tsx";
import { AccountTab } from "./settings/account-tab.tsx";
import { AuditTab } from "./settings/audit-tab.tsx";
import { DataTab } from "./settings/data-tab.tsx";
import { DoNotDisturbTab } from "./settings/do-not-disturb-tab.tsx";
import { ModelServersTab } from "./settings/model-servers-tab.tsx";
import { OrganisationTab } from "./settings/organisation-tab.tsx";
import { PeopleTab } from "./settings/people-tab.tsx";
import { PlanTab } from "./settings/plan-tab.tsx";
import { PronunciationTab } from "./settings/pronunciation-tab.tsx";
import { SharingTab } from "./settings/sharing-tab.tsx";
import { SystemTab } from "./settings/system-tab.tsx";
import { TrunksTab } from "./settings/trunks-tab.tsx";
import { said } from "../words.ts";
import { tabAt } from "../tabs.ts";
import { NotFoundPage } from "./not-found.tsx";

const words = said.settings.page;

/** In the order of the menu, under the heading of each group. */
const TABS = [
  { name: "organisation", group: "hospital", forOwners: false, Content: OrganisationTab },
  { name: "people", group: "hospital", forOwners: false, Content: PeopleTab },
  { name: "plan", group: "hospital", forOwners: false, Content: PlanTab },
  { name: "sharing", group: "hospital", forOwners: false, Content: SharingTab },
  { name: "trunks", group: "calling", forOwners: false, Content: TrunksTab },
  { name: "models", group: "calling", forOwners: true, Content: ModelServersTab },
  { name: "do-not-disturb", group: "calling", forOwners: false, Content: DoNotDisturbTab },
  { name: "pronunciation", group: "calling", forOwners: false, Content: PronunciationTab },
  { name: "audit", group: "appliance", forOwners: true, Content: AuditTab },
  { name: "data", group: "appliance", forOwners: false, Content: DataTab },
  { name: "system", group: "appliance", forOwners: false, Content: SystemTab },
  { name: "account", group: "you", forOwners: false, Content: AccountTab },
] as const;

const GROUPS = ["hospital", "calling", "appliance", "you"] as const;

export function SettingsPage() {
  const { tab } = useRoute().params;
  const isOwner = useMay("owner");
  const settings = useLoaded(() => call(api.settings.get()), []);
  const offered = TABS.filter(({ forOwners }) => isOwner || !forOwners);
  const here = tabAt(tab, TABS, offered);
  if (!here) return <NotFoundPage />;
  return (
    <>
      <PageHead title={words.title} />
      <div class="settings-page">
        <TabRow kind="settings-menu" label={words.tabs} here={here.name}>
          {GROUPS.map((group) => (
            <Fragment key={group}>
              <span class="settings-group">{words.groups[group]}</span>
              {offered
                .filter((each) => each.group === group)
                .map(({ name }) => (
                  <a
                    key={name}
                    href={`/dashboard/settings/${name}`}
                    aria-current={name === here.name ? "page" : undefined}
                  >
                    {words.tabNames[name]}
                  </a>
                ))}
            </Fragment>
          ))}
        </TabRow>
        <div class="settings-content">
          <Shown from={settings} as="cards">
            {(data) => <here.Content settings={data} reload={settings.reload} />}
          </Shown>
        </div>
      </div>
    </>
  );
}
