// What integrators need, a tab each with an address of its own.
import { useRoute } from "preact-iso";
import { PageHead } from "../kit/parts.tsx";
import { TabRow } from "../kit/tab-row.tsx";
import { useMay, useSession } from "../session.tsx";
import { DeliveriesTab } from "./developers/deliveries-tab.tsx";
import { DocsTab } from "./developers/docs-tab.tsx";
import { EndpointsTab } from "./developers/endpoints-tab.tsx";
import { HookTab } from "./developers/hook-tab.tsx";
import { KeysTab } from "./developers/keys-tab.tsx";
import { ReceiverTab } from "./developers/receiver-tab.tsx";
import { tabAt } from "../tabs.ts";
import { said } from "../words.ts";
import { NotFoundPage } from "./not-found.tsx";

const words = said.developers.page;

const TABS = [
  { name: "keys", forViewers: false, Content: KeysTab },
  { name: "endpoints", forViewers: false, Content: EndpointsTab },
  { name: "deliveries", forViewers: false, Content: DeliveriesTab },
  { name: "receiver", forViewers: false, Content: ReceiverTab },
  { name: "hook", forViewers: false, Content: HookTab },
  { name: "docs", forViewers: true, Content: DocsTab },
] as const;

export function DevelopersPage() {
  const { tab } = useRoute().params;
  const isStaff = useMay("staff");
  const { demo } = useSession();
  // The receiver comes with the demo; elsewhere nobody knows its address.
  const known = TABS.filter(({ name }) => demo || name !== "receiver");
  const offered = known.filter(({ forViewers }) => isStaff || forViewers);
  const here = tabAt(tab, known, offered);
  if (!here) return <NotFoundPage />;
  return (
    <>
      <PageHead title={words.title} note={words.note} />
      <TabRow label={words.tabs} here={here.name}>
        {offered.map(({ name }) => (
          <a key={name} href={`/dashboard/developers/${name}`} aria-current={name === here.name ? "page" : undefined}>
            {words.tabNames[name]}
          </a>
        ))}
      </TabRow>
      <here.Content />
    </>
  );
}
