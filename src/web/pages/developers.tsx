// Pages for integrators: one tab each, with its own address.
import type { FunctionComponent } from "preact";
import { useRoute } from "preact-iso";
import { PageHead } from "../kit/parts.tsx";
import { TabRow } from "../kit/tab-row.tsx";
import { useSession } from "../session.tsx";
import { DeliveriesTab } from "./developers/deliveries-tab.tsx";
import { DocsTab } from "./developers/docs-tab.tsx";
import { EndpointsTab } from "./developers/endpoints-tab.tsx";
import { HookTab } from "./developers/hook-tab.tsx";
import { KeysTab } from "./developers/keys-tab.tsx";
import { ReceiverTab } from "./developers/receiver-tab.tsx";
import { tabAt } from "../tabs.ts";
import { said } from "../words.ts";
import { isTabOpen, tabsOf, type TabName } from "../pages.ts";
import { NotFoundPage } from "./not-found.tsx";

const words = said.developers.page;

const CONTENTS: Record<TabName<"developers">, FunctionComponent> = {
  keys: KeysTab,
  endpoints: EndpointsTab,
  deliveries: DeliveriesTab,
  receiver: ReceiverTab,
  hook: HookTab,
  docs: DocsTab,
};

export function DevelopersPage() {
  const { tab } = useRoute().params;
  const { demo, person } = useSession();
  // Only the demo has the receiver; elsewhere the tab does not exist.
  const known = tabsOf("developers").filter(({ name }) => demo || name !== "receiver");
  const offered = known.filter((each) => isTabOpen(person, each));
  const here = tabAt(tab, known, offered);
  if (!here) return <NotFoundPage />;
  const Content = CONTENTS[here.name];
  return (
    <>
      <PageHead title={words.title} note={words.note} />
      <TabRow
        label={words.tabs}
        here={here.path}
        tabs={offered.map(({ name, path }) => ({ path, text: words.tabNames[name] }))}
      />
      <Content />
    </>
  );
}
