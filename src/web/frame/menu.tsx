// The menu: beside the page on a desk, a bar of tabs at the bottom on a phone, with the other pages behind "More".
import { useEffect, useState } from "preact/hooks";
import { api, call } from "../client.ts";
import { useChanges, useLoaded } from "../data.ts";
import { formatNumber } from "../format.ts";
import { Icon } from "../kit/icons.tsx";
import { isPageOpen, MENU } from "../pages.ts";
import { useSession } from "../session.tsx";
import { navigation } from "../words.ts";

/** With this many pages, all fit into the bar. */
const MOST_TABS = 5;

export function Menu({ here }: { here: string }) {
  const { person } = useSession();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [here]);
  const entries = MENU.filter(({ name }) => isPageOpen(person, name));
  const hasMore = entries.length > MOST_TABS;
  return (
    <nav
      aria-label={navigation.menu}
      class={isOpen ? "open" : undefined}
      onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
    >
      {entries.map(({ path, icon, isTab }) => (
        <a
          key={path}
          href={path}
          class={hasMore && !isTab ? "further" : undefined}
          aria-current={here.startsWith(path) ? "page" : undefined}
        >
          <Icon name={icon} />
          <span>{navigation[icon]}</span>
          {icon === "today" && <OpenItems />}
        </a>
      ))}
      {hasMore && (
        <button type="button" class="more-pages" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="more" />
          <span>{navigation.more}</span>
        </button>
      )}
    </nav>
  );
}

/** Number of open items of the worklist. */
function OpenItems() {
  const count = useLoaded(() => call(api.worklist.count.get()), []);
  useChanges("worklist", count.reload);
  const open = count.data?.open ?? 0;
  if (open === 0) return null;
  return (
    <>
      <span class="nav-count" aria-hidden="true">
        {formatNumber(open)}
      </span>
      <span class="visually-hidden"> {navigation.openItems(formatNumber(open))}</span>
    </>
  );
}
