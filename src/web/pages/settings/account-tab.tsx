// The person's own language and password. A password change requires the old password.
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { PasswordField, SelectField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { useForm } from "../../kit/use-form.ts";
import { Card, Facts, Problem } from "../../kit/parts.tsx";
import { useSession } from "../../session.tsx";
import { FactorsCard } from "./factors-card.tsx";
import { roleNames } from "./role-words.ts";
import { OwnSessions } from "./sessions-list.tsx";
import { said, spokenLanguages } from "../../words.ts";
import { keepLanguage, ownName } from "../../language.ts";

const words = said.settings.accountTab;

export function AccountTab() {
  const { person } = useSession();
  if (person.is_emergency) return <EmergencyAccount />;
  return <OwnAccount />;
}

/** The emergency account has its sealed password only. */
function EmergencyAccount() {
  return (
    <div class="settings-content">
      <Card title={words.you}>
        <p class="note">{said.signIn.breakGlass.youAre}</p>
      </Card>
      <LanguageCard />
    </div>
  );
}

function OwnAccount() {
  const { person } = useSession();
  const form = useForm({ current: "", password: "" });
  const change = async () => {
    if (await form.run(() => call(api.password.post(form.values)), words.changed)) form.reset();
  };
  return (
    <>
      <div class="columns">
        <div class="settings-content">
          <Card title={words.you}>
            <Facts
              rows={[
                [words.name, person.name],
                [words.email, person.email],
                [words.role, roleNames[person.role]],
              ]}
            />
          </Card>
          <LanguageCard />
        </div>
        <Card title={words.title}>
          <p class="note">{words.note}</p>
          <Form submission={form} submit={words.change} onSubmit={change} layout="stack">
            <input
              class="whose-password"
              type="text"
              autoComplete="username"
              value={person.email}
              readOnly
              tabIndex={-1}
              aria-hidden="true"
            />
            <PasswordField label={words.current} {...form.at("current")} />
            <PasswordField isNew label={words.next} hint={words.nextHint} {...form.at("password")} />
          </Form>
        </Card>
      </div>
      <FactorsCard />
      <OwnSessions />
    </>
  );
}

/** Each language in its own name, so that everyone finds theirs. A change reloads the page. */
function LanguageCard() {
  const { person } = useSession();
  const { busy, error, run } = useAction();
  const choose = async (chosen: string) => {
    const language = chosen === "" ? null : chosen;
    if (!(await run(() => call(api.account.language.put({ language }))))) return;
    keepLanguage(language, spokenLanguages);
    location.reload();
  };
  return (
    <Card title={words.languageTitle}>
      <Problem text={error} />
      <SelectField
        label={words.language}
        hint={words.languageHint}
        value={person.language ?? ""}
        onValue={choose}
        disabled={busy}
        options={[["", words.asBrowser], ...spokenLanguages.map((tag) => [tag, ownName(tag)] as const)]}
      />
    </Card>
  );
}
