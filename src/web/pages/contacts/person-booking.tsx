// Books an appointment for a known person, and puts them on the waiting list: the dialogs of the calendar with name
// and number filled in.
import { useLoaded } from "../../data.ts";
import { todayIn } from "../../format.ts";
import { api, call } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { Shown } from "../../kit/parts.tsx";
import { sayDone } from "../../said.ts";
import { said } from "../../words.ts";
import { NewAppointment, type KnownPerson } from "../calendar/booking-dialogs.tsx";
import { CalendarContext, type Calendar, type Directory } from "../calendar/calendar-context.ts";
import { loadDirectory } from "../calendar/loading.ts";
import { timeIn } from "../calendar/week-dates.ts";
import { words as calendarWords } from "../calendar/words.ts";
import { WaitingForm } from "../waiting/waiting-form.tsx";

interface PersonBookingProps {
  kind: "book" | "wait";
  person: KnownPerson;
  onClose: () => void;
  onDone: () => void;
}

export function PersonBooking({ kind, person, onClose, onDone }: PersonBookingProps) {
  const directory = useLoaded(loadDirectory, []);
  const agents = useLoaded(async () => (await call(api.agents.get())).filter(({ type }) => type === "outbound"), []);
  const done = (text: string) => {
    onClose();
    sayDone(text);
    onDone();
  };
  return (
    <Dialog title={kind === "book" ? calendarWords.newAppointment : said.waiting.add} open onClose={onClose}>
      <Shown
        from={directory}
        isEmpty={({ branches }) => branches.length === 0}
        empty={<a href="/dashboard/calendar">{calendarWords.firstTitle}</a>}
      >
        {(known) =>
          kind === "book" ? (
            <Booking directory={known} person={person} onDone={done} />
          ) : (
            <Shown from={agents}>
              {(callers) => (
                <WaitingForm
                  directory={known}
                  agents={callers}
                  entry={null}
                  branchId={known.branches[0]?.branch_id ?? ""}
                  person={person}
                  onDone={done}
                />
              )}
            </Shown>
          )
        }
      </Shown>
    </Dialog>
  );
}

interface BookingProps {
  directory: Directory;
  person: KnownPerson;
  onDone: (text: string) => void;
}

function Booking({ directory, person, onDone }: BookingProps) {
  const [branch] = directory.branches;
  if (!branch) return null;
  const today = todayIn(branch.time_zone);
  const calendar: Calendar = {
    directory,
    branch,
    today,
    time: timeIn(branch.time_zone),
    may: true,
    open: () => {},
    finish: onDone,
    reloadDirectory: () => {},
  };
  return (
    <CalendarContext.Provider value={calendar}>
      <NewAppointment slot={null} from={today} person={person} />
    </CalendarContext.Provider>
  );
}
