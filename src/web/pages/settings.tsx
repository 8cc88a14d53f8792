// Settings, a tab each with an address of its own.
import { useRoute } from "preact-iso";
import { api, call } from "../client.ts";
import { PageHead, Shown } from "../components/parts.tsx";
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

const TABS = [
  { name: "organisation", forOwners: false, Content: OrganisationTab },
  { name: "plan", forOwners: false, Content: PlanTab },
  { name: "sharing", forOwners: false, Content: SharingTab },
  { name: "trunks", forOwners: false, Content: TrunksTab },
  { name: "models", forOwners: true, Content: ModelServersTab },
  { name: "do-not-disturb", forOwners: false, Content: DoNotDisturbTab },
  { name: "pronunciation", forOwners: false, Content: PronunciationTab },
  { name: "people", forOwners: false, Content: PeopleTab },
  { name: "audit", forOwners: true, Content: AuditTab },
  { name: "data", forOwners: false, Content: DataTab },
  { name: "system", forOwners: false, Content: SystemTab },
  { name: "account", forOwners: false, Content: AccountTab },
] as const;

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
      <nav class="tabs" aria-label={words.tabs}>
        {offered.map(({ name }) => (
          <a key={name} href={`/dashboard/settings/${name}`} aria-current={name === here.name ? "page" : undefined}>
            {words.tabNames[name]}
          </a>
        ))}
      </nav>
      <Shown from={settings} as="cards">
        {(data) => <here.Content settings={data} reload={settings.reload} />}
      </Shown>
    </>
  );
}
