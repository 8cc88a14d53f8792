// Sixty sentences from hospital calls, for measuring voices and recognisers. `written` is the agent's text, `said` its
// spoken form.

export interface ClinicSentence {
  written: string;
  said: string;
}

const same = (written: string): ClinicSentence => ({ written, said: written });

export const CLINIC_SENTENCES: readonly ClinicSentence[] = [
  same("Hello, this is the appointment desk of City Hospital, calling for Mister Kumar."),
  {
    written: "You have an appointment with Dr. Mehta on Friday the 21st at 10:30.",
    said: "you have an appointment with doctor mehta on friday the twenty first at ten thirty",
  },
  same("Can you still come, or would you like another day?"),
  {
    written: "I can offer Monday at 9:15, Tuesday at 2:00 p.m., or Wednesday at 4:30.",
    said: "i can offer monday at nine fifteen tuesday at two p m or wednesday at four thirty",
  },
  same("Please bring your insurance card and the list of your medicines."),
  same("Thank you. I have moved your visit to Tuesday the fourth of March."),
  same("If this is an emergency, please hang up and call an ambulance."),
  same("Please do not eat anything for eight hours before the blood test."),
  same("Would you like me to connect you with a nurse at the front desk?"),
  same("I am sorry, I did not understand. Please say yes or no, or press one."),
  same("Your prescription for metformin is ready at the pharmacy."),
  same("We will call you again tomorrow morning. Goodbye."),
  same("Am I speaking with Anita Desai?"),
  same("This call is about your visit next week."),
  same("Is this a good time to talk?"),
  same("I can call you back later today, if you prefer."),
  {
    written: "Take 500 mg twice a day after meals.",
    said: "take five hundred milligrams twice a day after meals",
  },
  { written: "Take 1/2 tablet in the morning.", said: "take half a tablet in the morning" },
  { written: "Give the child 5 ml every 6 hours.", said: "give the child five millilitres every six hours" },
  { written: "The consultation costs $45.50.", said: "the consultation costs forty five dollars and fifty cents" },
  { written: "The deposit is ₹1,500.", said: "the deposit is one thousand five hundred rupees" },
  { written: "Your bill is Rs. 2,350.", said: "your bill is two thousand three hundred fifty rupees" },
  {
    written: "Our number is +1 415 555 0132.",
    said: "our number is plus one four one five five five five oh one three two",
  },
  { written: "Please come to room 204 on the 2nd floor.", said: "please come to room two oh four on the second floor" },
  { written: "The OPD opens at 8:00 a.m.", said: "the o p d opens at eight a m" },
  { written: "Your MRI is on 2026-12-03.", said: "your m r i is on thursday the third of december" },
  { written: "About 25% of our patients come by bus.", said: "about twenty five percent of our patients come by bus" },
  { written: "Your temperature was 38.5 degrees.", said: "your temperature was thirty eight point five degrees" },
  same("Do you have a fever, a cough, or a sore throat?"),
  same("Have you had any surgery in the last six months?"),
  same("Are you allergic to any medicine?"),
  same("Your test results are ready, and the doctor would like to see you."),
  same("The doctor is running about twenty minutes late today."),
  same("Parking is behind the main building."),
  same("Please arrive fifteen minutes early to fill in the forms."),
  same("Would the morning or the afternoon suit you better?"),
  same("The earliest place is on Thursday at half past nine."),
  same("I have booked that for you."),
  same("Shall I cancel the appointment?"),
  same("Your appointment is cancelled. Get well soon."),
  same("I will not call you on this number again."),
  same("Somebody from the hospital will call you within an hour."),
  same("One moment, please. I am putting you through."),
  same("Nobody is free to take your call at the moment."),
  same("Could you say that again, a little slower?"),
  same("To confirm, press one. For another time, press two."),
  same("Your next vaccination is due this month."),
  same("Please drink plenty of water before the ultrasound."),
  same("You can take your blood pressure tablet with a sip of water."),
  same("Doctor Sharma sees patients on weekdays."),
  same("Your daughter can come with you."),
  same("The eye clinic has moved to the ground floor."),
  same("Please keep the wound dry for three days."),
  same("We close at one on Saturdays."),
  same("How would you rate your last visit, from one to five?"),
  same("A wheelchair will be waiting at the entrance."),
  same("Your insurance has approved the operation."),
  same("Please stop taking aspirin a week before the procedure."),
  same("It was nice talking to you."),
  same("Take care, and goodbye."),
];
