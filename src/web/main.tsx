// Entry point of the dashboard. The session decides between sign-in, first setup and the pages.
import { render, type FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { LocationProvider, Route, Router, useLocation } from "preact-iso";
import { isAside } from "./aside.tsx";
import { followTabs } from "./change-stream.ts";
import { ApiError, api, call, messageOf } from "./client.ts";
import { Layout } from "./frame/layout.tsx";
import { Problem } from "./kit/parts.tsx";
import { Skeleton } from "./kit/skeleton.tsx";
import { keepStart } from "./first-asks.ts";
import { askFirst } from "./first-view.ts";
import { doorsOf } from "./doors.tsx";
import { noteTouch, useIdleLock } from "./idle.ts";
import { openOffline } from "./installed.ts";
import { laterPage } from "./later-page.tsx";
import { keepNothingForBack, tellOtherTabs, useSessionEnd } from "./leaving.ts";
import { AgentsPage } from "./pages/agents.tsx";
import { CalendarPage } from "./pages/calendar.tsx";
import { CallPage } from "./pages/call.tsx";
import { CallsPage } from "./pages/calls.tsx";
import { CampaignPage } from "./pages/campaign.tsx";
import { CampaignsPage } from "./pages/campaigns.tsx";
import { ContactPage } from "./pages/contact.tsx";
import { ContactsPage } from "./pages/contacts.tsx";
import { NewCampaignPage } from "./pages/new-campaign.tsx";
import { LockPage } from "./pages/lock.tsx";
import { NotFoundPage } from "./pages/not-found.tsx";
import { OverviewPage } from "./pages/overview.tsx";
import { OwnAppointmentsPage } from "./pages/own-appointments.tsx";
import { firstPage, isPageOpen, PAGES, pathOf, type PageName } from "./pages.ts";
import { ProviderPage } from "./pages/provider.tsx";
import { ForgotPage } from "./pages/forgot.tsx";
import { NewPasswordPage } from "./pages/new-password.tsx";
import { SettingsPage } from "./pages/settings.tsx";
import { SetupPage } from "./pages/setup.tsx";
import { SignInPage } from "./pages/sign-in.tsx";
import { TodayPage } from "./pages/today.tsx";
import { SessionProvider, useSession, type SignedIn } from "./session.tsx";
import { watchForms } from "./unsaved.ts";
import { spokenLanguages } from "./words.ts";
import { completeAsIn } from "./phone-number.ts";
import { keepLanguage, spokenLanguage, writeAsIn } from "./language.ts";

type Who =
  | { kind: "unknown" }
  | { kind: "nobody" }
  | { kind: "locked" }
  | { kind: "somebody"; session: Omit<SignedIn, "reload"> }
  | { kind: "fault"; message: string };

/** Few people open it, and it is large. */
const DevelopersPage = laterPage(async () => (await import("./pages/developers.tsx")).DevelopersPage);

const VIEWS: Record<PageName, FunctionComponent> = {
  today: TodayPage,
  appointments: OwnAppointmentsPage,
  overview: OverviewPage,
  calls: CallsPage,
  call: CallPage,
  campaigns: CampaignsPage,
  newCampaign: NewCampaignPage,
  campaign: CampaignPage,
  people: ContactsPage,
  person: ContactPage,
  calendar: CalendarPage,
  agents: AgentsPage,
  developers: DevelopersPage,
  settings: SettingsPage,
};

function FirstPage() {
  const Page = VIEWS[firstPage(useSession().person)];
  return <Page />;
}

function App() {
  const [who, setWho] = useState<Who>({ kind: "unknown" });
  const { path } = useLocation();
  const look = async () => {
    try {
      const { signed_in, locked } = await call(api.welcome.get());
      if (!signed_in || locked) {
        setWho({ kind: signed_in ? "locked" : "nobody" });
        return;
      }
      const session = await call(api.session.get());
      writeAsIn(session.organisation.time_zone);
      completeAsIn(session.organisation.time_zone);
      if (keepLanguage(session.person.language, spokenLanguages)) {
        location.reload();
        return;
      }
      keepStart(pathOf(firstPage(session.person)));
      setWho({ kind: "somebody", session });
    } catch (error) {
      setWho(
        error instanceof ApiError && error.status === 401
          ? { kind: "nobody" }
          : { kind: "fault", message: messageOf(error) },
      );
    }
  };
  useEffect(() => void look(), []);
  const person = who.kind === "somebody" ? who.session.person : null;
  const doors = doorsOf(person?.person_id ?? null, person?.name ?? null);
  useSessionEnd(person !== null, doors);

  const reload = () => void look();
  const enter = () => {
    noteTouch();
    tellOtherTabs("signed-in");
    reload();
  };
  const open = () => {
    noteTouch();
    tellOtherTabs("unlocked");
    reload();
  };
  if (path.startsWith("/dashboard/setup") && who.kind !== "somebody") return <SetupPage onDone={reload} />;
  // Also for people who are signed in: the link may be for somebody else at this computer.
  if (path === "/dashboard/password") return <NewPasswordPage />;
  if (path === "/dashboard/oidc") return <ProviderPage />;
  if (path === "/dashboard/forgot" && who.kind === "nobody") return <ForgotPage />;
  if (who.kind === "unknown")
    return (
      <main class="door">
        <Skeleton />
      </main>
    );
  if (who.kind === "fault") return <Problem text={who.message} onRetry={reload} />;
  if (who.kind === "nobody") return <SignInPage onDone={enter} />;
  if (who.kind === "locked") return <LockPage name={null} onOpen={open} />;
  return (
    <SessionProvider value={{ ...who.session, reload }}>
      <IdleLock minutes={who.session.organisation.idle_lock_minutes} lock={doors.lock} />
      <Layout>
        <Router>
          {(Object.keys(PAGES) as PageName[]).map((name) => (
            <Route
              key={name}
              path={PAGES[name].path}
              component={isPageOpen(who.session.person, name) ? VIEWS[name] : NotFoundPage}
            />
          ))}
          <Route path="/dashboard" component={FirstPage} />
          <Route default component={NotFoundPage} />
        </Router>
      </Layout>
    </SessionProvider>
  );
}

/** Locks this tab, the session and all other tabs. */
function IdleLock({ minutes, lock }: { minutes: number; lock: () => void }) {
  useIdleLock(minutes, () => {
    if (isAside()) return;
    lock();
    tellOtherTabs("locked");
    // Not reachable: the page is hidden anyway.
    call(api.lock.post()).catch(() => {});
  });
  return null;
}

askFirst(location.pathname, location.search);
keepNothingForBack();
watchForms();
followTabs();
openOffline();
document.documentElement.lang = spokenLanguage();
const root = document.getElementById("app");
if (root) {
  render(
    <LocationProvider>
      <App />
    </LocationProvider>,
    root,
  );
}
