// Settings → Rules: what holds for whom, with its source, and what this organisation changed.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { basedOn } from "../../kit/conflict.tsx";
import { ConfirmButton } from "../../kit/dialog.tsx";
import { Badge, Button, Card, Shown } from "../../kit/parts.tsx";
import { Table } from "../../kit/table.tsx";
import { useLoaded } from "../../data.ts";
import { formatShortTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { said } from "../../words.ts";
import type { Versioned } from "../../../core/entity-tag.ts";
import type { RuleView } from "../../../rules/book/model.ts";
import { RuleChange } from "./rule-change.tsx";
import { TryNumber } from "./rule-try.tsx";
import { scopeInWords, valueInWords } from "./rule-value.ts";

const words = said.rules;

const load = () => call(api.rules.get());
type Rules = Awaited<ReturnType<typeof load>>;

export function RulesTab() {
  const rules = useLoaded(load, []);
  return (
    <>
      <TryNumber />
      <Shown from={rules} as="cards">
        {(data) => (
          <>
            {data.data.map((book) => (
              <BookCard key={book.version} book={book} isEnforced={data.enforced} reload={rules.reload} />
            ))}
            <History history={data.history} rules={data.data.flatMap((book) => book.rules)} />
          </>
        )}
      </Shown>
    </>
  );
}

interface BookProps {
  book: Rules["data"][number];
  isEnforced: boolean;
  reload: () => void;
}

function BookCard({ book, isEnforced, reload }: BookProps) {
  const [changing, setChanging] = useState<Versioned<RuleView> | null>(null);
  const title = `${words.title}: ${words.countries[book.country]}`;
  const ofStates = book.rules.filter(({ states }) => states !== null);
  const shared = { reload, onChange: setChanging };
  return (
    <Card title={title}>
      {!isEnforced && <p class="call-warn">{words.notEnforced}</p>}
      <p class="note">
        {isEnforced && words.note} {words.strictest} {book.disclaimer} {words.version(book.version)}
      </p>
      <RuleTable {...shared} label={title} rules={book.rules.filter(({ states }) => states === null)} />
      {ofStates.length > 0 && (
        <details class="rules-of-states" open={ofStates.some(({ change }) => change !== null)}>
          <summary>{words.ofStates(ofStates.length)}</summary>
          <RuleTable {...shared} label={words.ofStates(ofStates.length)} rules={ofStates} />
        </details>
      )}
      {changing && <RuleChange rule={changing} onClose={() => setChanging(null)} onChanged={reload} />}
    </Card>
  );
}

interface RuleTableProps extends Omit<BookProps, "book" | "isEnforced"> {
  label: string;
  rules: Versioned<RuleView>[];
  onChange: (rule: Versioned<RuleView>) => void;
}

function RuleTable({ label, rules, reload, onChange }: RuleTableProps) {
  const mayEdit = useMay("owner");
  return (
    <Table
      label={label}
      class="settings-table rules-table"
      narrow="cards"
      rows={rules}
      keyOf={({ rule_id }) => rule_id}
      columns={[
        [words.rule, (rule) => <RuleName rule={rule} />, { isRowHead: true }],
        [words.value, (rule) => <Holding rule={rule} />],
        [words.source, (rule) => <Source rule={rule} />],
        mayEdit && [
          words.changed,
          (rule) =>
            rule.setting !== "notices" && (
              <div class="actions">
                {rule.change && <ResetButton rule={rule} reload={reload} />}
                <Button
                  kind="quiet"
                  aria-label={`${words.change}: ${nameOf(rule)}`}
                  onClick={() => onChange(rule)}
                  label={words.change}
                />
              </div>
            ),
          { class: "number", isTitleHidden: true },
        ],
      ]}
    />
  );
}

const nameOf = (rule: RuleView) => `${words.settings[rule.setting]}, ${scopeInWords(rule)}`;

function RuleName({ rule }: { rule: RuleView }) {
  return (
    <>
      {words.settings[rule.setting]}
      <p class="note">{scopeInWords(rule)}</p>
    </>
  );
}

function Holding({ rule }: { rule: RuleView }) {
  const { setting, value, book_value, change } = rule;
  return (
    <>
      {valueInWords(setting, value)}
      {change && (
        <p class="note">
          <Badge
            state={change.is_looser ? "held" : "completed"}
            text={change.is_looser ? words.looser : words.stricter}
          />{" "}
          {words.book(valueInWords(setting, book_value))} {change.reason}
        </p>
      )}
    </>
  );
}

const ADDRESS = /https?:\/\/[^\s]+[^\s.,;]/;

function Source({ rule: { basis, source, rule_id } }: { rule: RuleView }) {
  const [address] = ADDRESS.exec(source) ?? [];
  const text = address === undefined ? source : source.replace(address, "").replace(/[:\s]+(?=\.|$)/, "");
  return (
    <p class="note">
      {words.basis[basis]}: <span lang="en">{text}</span>{" "}
      {address !== undefined && (
        <a href={address} target="_blank" rel="noreferrer" aria-label={`${words.link}: ${rule_id}`}>
          {words.link}
        </a>
      )}
    </p>
  );
}

function ResetButton({ rule, reload }: { rule: Versioned<RuleView>; reload: () => void }) {
  return (
    <ConfirmButton
      look="quiet"
      title={nameOf(rule)}
      text={words.resetNote}
      action={words.reset}
      about={`${words.reset}: ${nameOf(rule)}`}
      onConfirm={() => call(api.rules.reset.post({ rule_id: rule.rule_id }, basedOn(rule.version)))}
      done={words.resetDone}
      onDone={reload}
    />
  );
}

function History({ history, rules }: { history: Rules["history"]; rules: readonly RuleView[] }) {
  const { organisation } = useSession();
  const byId = new Map(rules.map((rule) => [rule.rule_id, rule]));
  const shown = (ruleId: string, value: unknown) => {
    const rule = byId.get(ruleId);
    return value === null || !rule ? words.backToBook : valueInWords(rule.setting, value);
  };
  return (
    <Card title={words.history}>
      {history.length === 0 ? (
        <div class="empty">{words.noHistory}</div>
      ) : (
        <Table
          label={words.history}
          class="settings-table rules-table"
          narrow="cards"
          rows={history}
          keyOf={({ revision }) => revision}
          columns={[
            [words.at, ({ at }) => formatShortTime(at, organisation.time_zone)],
            [words.who, ({ actor_name }) => actor_name ?? words.otherActor],
            [
              words.rule,
              ({ rule_id }) => {
                const rule = byId.get(rule_id);
                return rule ? nameOf(rule) : rule_id;
              },
              { isRowHead: true },
            ],
            [words.value, ({ rule_id, value }) => shown(rule_id, value)],
            [words.why, ({ is_looser, reason }) => reason ?? (is_looser ? words.looser : "–")],
          ]}
        />
      )}
    </Card>
  );
}
