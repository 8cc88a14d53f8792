// Lines of the worklist.
import type { WorklistPage } from "../../../worklist/worklist-view.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Badge, Button, Card, LinkButton } from "../../kit/parts.tsx";
import { Phone } from "../../kit/phone.tsx";
import { sayDone, sayProblem } from "../../said.ts";
import { formatDate, formatNumber, formatShortTime, formatTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { said } from "../../words.ts";
import { useAskFirst } from "../dial-ahead.tsx";
import { CALLS_PATH } from "../calls/filters.ts";
import { HeldActions, HeldList } from "./held.tsx";
import { fileText } from "./file-text.ts";
import { calendarAt } from "./paths.ts";

const words = said.today;

export type Item = WorklistPage["data"][number];

const TONES: Record<string, string> = {
  emergency: "failed",
  not_understood: "failed",
  calls_held: "failed",
  calls_overdue: "failed",
  trunk_down: "down",
  endpoint_down: "down",
  call_failed: "queued",
  campaign_failed: "queued",
  source_folder: "down",
};

const kindText = (item: Item): string => words.kinds[item.kind] ?? item.kind;

function aboutText({ call: subject, trunk, endpoint, campaign, held, wish, file, folder }: Item): string {
  if (file) return `${file.source_name}: ${file.name}`;
  if (folder) return folder.source_name;
  if (held) return words.heldCount(formatNumber(held.count));
  if (wish) return wish.contact_name ?? wish.contact_number ?? wish.external_id ?? "";
  return subject?.contact_name ?? subject?.contact_number ?? trunk?.name ?? endpoint?.host ?? campaign?.name ?? "";
}

function whatText({ kind, detail, trunk, endpoint, campaign, wish, file, folder }: Item): string {
  if (file) return fileText(file);
  if (folder) return said.folders.problems[folder.problem];
  if (wish) {
    const at = `${formatDate(wish.date)}, ${wish.start_time}`;
    return wish.wish === "cancel"
      ? words.wishCancel(at, wish.source_name)
      : words.wishMove(at, wish.source_name, wish.wish_text);
  }
  if (campaign && kind === "campaign_failed") {
    const { not_reached, row_count } = campaign;
    return words.notReached(formatNumber(not_reached), formatNumber(row_count));
  }
  if (kind === "calls_held" || kind === "calls_overdue") return words.heldWhy[kind];
  if (campaign) return words.everybodyCalled(formatNumber(campaign.row_count));
  return trunk?.fault ?? endpoint?.fault ?? words.details[detail ?? ""] ?? "";
}

interface ListProps {
  items: readonly Item[];
  onChanged: () => void;
}

export function OpenList({ items, onChanged }: ListProps) {
  return (
    <ul class="card worklist">
      {items.map((item) => (
        <OpenItem key={item.id} item={item} onChanged={onChanged} />
      ))}
    </ul>
  );
}

function OpenItem({ item, onChanged }: { item: Item; onChanged: () => void }) {
  const zone = useSession().organisation.time_zone;
  const isStaff = useMay("staff");
  const { busy, run } = useAction();
  const done = async () => {
    await run(() => call(api.worklist({ id: item.id }).done.post()).catch(sayProblem));
    onChanged();
  };
  const number = item.call?.contact_number ?? item.wish?.contact_number;
  return (
    <li class="worklist-item">
      <div class="worklist-what">
        <span class="worklist-head">
          <Badge state={TONES[item.kind] ?? "held"} text={kindText(item)} />
          <strong>
            <About item={item} />
          </strong>
          {number && (
            <span class="muted">
              <Phone number={number} />
            </span>
          )}
        </span>
        <p>{whatText(item)}</p>
        {item.held && <HeldList held={item.held} onChanged={onChanged} />}
        <small>
          {formatShortTime(item.at, zone)}
          {item.call && `, ${words.by(item.call.agent_name)}`}
        </small>
      </div>
      <div class="actions">
        {isStaff && (
          <Button busy={busy} aria-label={words.markDoneOf(aboutText(item))} onClick={done} label={words.markDone} />
        )}
        <Next item={item} onChanged={onChanged} />
      </div>
    </li>
  );
}

function About({ item }: { item: Item }) {
  return item.call ? <a href={`${CALLS_PATH}/${item.call.call_id}`}>{aboutText(item)}</a> : <>{aboutText(item)}</>;
}

/** Kinds whose next step is in the calendar. */
const IN_CALENDAR = ["another_time", "nothing_open"];
/** Kinds for which the agent may call again. */
const TRIED_AGAIN = ["call_failed", "not_saved", "unsettled"];

/** The next step, as one button. */
function Next({ item, onChanged }: { item: Item; onChanged: () => void }) {
  const zone = useSession().organisation.time_zone;
  const isStaff = useMay("staff");
  const { kind, detail, call: subject } = item;
  const isOf = (list: readonly string[]) => list.includes(kind) || list.includes(detail ?? "");
  if (item.wish) return <Leads to={calendarAt(item.wish)} text={words.openCalendar} />;
  if (item.held) return isStaff && item.held.count > 0 ? <HeldActions held={item.held} onChanged={onChanged} /> : null;
  if (item.file ?? item.folder) return <Leads to="/dashboard/settings/folders" text={words.openFolders} />;
  if (kind === "trunk_down") return <Leads to="/dashboard/settings/trunks" text={words.openTrunk} />;
  if (kind === "endpoint_down") return <Leads to="/dashboard/developers/endpoints" text={words.openEndpoint} />;
  if (kind === "campaign_failed" && item.campaign && isStaff && item.campaign.failed > 0)
    return <AllAgain campaign={item.campaign} onChanged={onChanged} />;
  if (item.campaign)
    return <Leads to={`/dashboard/campaigns/${item.campaign.campaign_id}`} text={words.openCampaign} />;
  if (!subject) return null;
  if (isOf(IN_CALENDAR)) return <Leads to={calendarAt(subject.appointment)} text={words.openCalendar} />;
  if (subject.next_call) {
    const { call_id, scheduled_at } = subject.next_call;
    return (
      <a class="worklist-next" href={`${CALLS_PATH}/${call_id}`}>
        {words.nextCall(formatShortTime(scheduled_at, zone))}
      </a>
    );
  }
  if (isStaff && isOf(TRIED_AGAIN) && subject.call_direction === "outbound")
    return <Again callId={subject.call_id} about={aboutText(item)} onChanged={onChanged} />;
  return <Leads to={`${CALLS_PATH}/${subject.call_id}`} text={words.openCall} />;
}

function Leads({ to, text }: { to: string; text: string }) {
  return <LinkButton kind="primary" href={to} label={text} />;
}

function Again({ callId, about, onChanged }: { callId: string; about: string; onChanged: () => void }) {
  const zone = useSession().organisation.time_zone;
  const { busy, run } = useAction();
  const first = useAskFirst(words.callAgain);
  const again = async () => {
    await run(async () => {
      try {
        const made = await call(api.calls({ call_id: callId }).again.post({}));
        sayDone(words.callAgainDone(formatTime(made.scheduled_at, zone)));
      } catch (error) {
        sayProblem(error);
      }
    });
    onChanged();
  };
  return (
    <>
      <Button
        kind="primary"
        busy={busy}
        aria-label={`${words.callAgain}: ${about}`}
        onClick={() => first.ask({ call_ids: [callId] }, again)}
        label={words.callAgain}
      />
      {first.question}
    </>
  );
}

/** Requeues everyone in the campaign who was not reached, at once. */
function AllAgain({ campaign, onChanged }: { campaign: NonNullable<Item["campaign"]>; onChanged: () => void }) {
  const { busy, run } = useAction();
  const { campaign_id, name, failed } = campaign;
  const first = useAskFirst(words.allAgain(formatNumber(failed)));
  const again = async () => {
    await run(async () => {
      try {
        await call(api.campaigns({ campaign_id }).retry.post());
        sayDone(words.allAgainDone(formatNumber(failed)));
      } catch (error) {
        sayProblem(error);
      }
    });
    onChanged();
  };
  return (
    <>
      <LinkButton href={`/dashboard/campaigns/${campaign_id}?state=done`} label={words.seeThem} />
      <Button
        kind="primary"
        busy={busy}
        aria-label={`${words.allAgain(formatNumber(failed))}: ${name}`}
        onClick={() => first.ask({ campaign_id }, again)}
        label={words.allAgain(formatNumber(failed))}
      />
      {first.question}
    </>
  );
}

export function DoneList({ items, onChanged }: ListProps) {
  return (
    <Card title={words.done}>
      <ul class="worklist worklist-done">
        {items.map((item) => (
          <DoneItem key={item.id} item={item} onChanged={onChanged} />
        ))}
      </ul>
    </Card>
  );
}

function DoneItem({ item, onChanged }: { item: Item; onChanged: () => void }) {
  const zone = useSession().organisation.time_zone;
  const isStaff = useMay("staff");
  const { busy, run } = useAction();
  const undo = async () => {
    await run(() => call(api.worklist({ id: item.id }).undo.post()).catch(sayProblem));
    onChanged();
  };
  return (
    <li class="worklist-item">
      <div class="worklist-what">
        <span>
          <About item={item} /> <span class="muted">{kindText(item)}</span>
        </span>
        <small>{item.done && words.doneBy(item.done.by, formatShortTime(item.done.at, zone))}</small>
      </div>
      {isStaff && (
        <Button kind="quiet" busy={busy} aria-label={words.undoOf(aboutText(item))} onClick={undo} label={words.undo} />
      )}
    </li>
  );
}
