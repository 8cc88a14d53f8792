// A doctor's own appointments from today on.
import type { Appointment } from "../../payloads/appointment.ts";
import { toIso } from "../../core/clock.ts";
import { api, call } from "../client.ts";
import { useChanges, useLoaded } from "../data.ts";
import { Badge, Card, PageHead, Shown } from "../kit/parts.tsx";
import { Phone } from "../kit/phone.tsx";
import { Table } from "../kit/table.tsx";
import { appointmentStates, common, navigation, said } from "../words.ts";

const words = said.settings.bounds;
const PAGE_SIZE = 100;
/** A doctor's next weeks. */
const MOST_PAGES = 5;

/** In the order of their times. */
async function loadOwn(): Promise<Appointment[]> {
  const found: Appointment[] = [];
  const from = toIso(Date.now()).slice(0, 10);
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = { from, status: "confirmed" as const, limit: String(PAGE_SIZE), ...(cursor !== null && { cursor }) };
    const answer: { data: Appointment[]; next_cursor: string | null } = await call(api.appointments.get({ query }));
    found.push(...answer.data);
    cursor = answer.next_cursor;
    if (cursor === null) break;
  }
  const timeOf = ({ date, start_time }: Appointment) => `${date} ${start_time}`;
  return found.toSorted((a, b) => timeOf(a).localeCompare(timeOf(b)));
}

export function OwnAppointmentsPage() {
  const configuration = useLoaded(() => call(api.calendar.configuration.get()), []);
  const list = useLoaded(loadOwn, []);
  useChanges("appointment", list.reload);
  const branches = configuration.data?.branches ?? [];
  return (
    <>
      <PageHead title={navigation.appointments} />
      <Card>
        <Shown from={list} as="rows" isEmpty={(rows) => rows.length === 0} empty={<p>{words.ownEmpty}</p>}>
          {(rows) => (
            <Table
              label={navigation.appointments}
              narrow="cards"
              rows={rows}
              keyOf={({ appointment_id }) => appointment_id}
              columns={[
                [words.when, ({ date, start_time }) => `${date} ${start_time}`, { isRowHead: true }],
                [
                  words.patient,
                  ({ contact_name, contact_number }) => (
                    <>
                      {contact_name ?? common.none} {contact_number && <Phone number={contact_number} />}
                    </>
                  ),
                ],
                [words.branch, (one) => branches.find(({ branch_id }) => branch_id === one.branch_id)?.name ?? ""],
                [
                  said.settings.peopleTab.state,
                  ({ status }) => <Badge state={status} text={appointmentStates[status] ?? status} />,
                ],
              ]}
            />
          )}
        </Shown>
      </Card>
    </>
  );
}
