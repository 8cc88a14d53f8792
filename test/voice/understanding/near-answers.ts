// Sentences that resemble a yes or no without being one, as given to reminder calls, and clear ones that must count the
// first time. Half of the former are handwritten, half generated from a seed.
import { randomFrom } from "../../support/sounds.ts";

/** Asked: the question again, or what was meant. Other: another time, a person, later, or another request. */
export type MayLeadTo = "asked" | "asked or other";

const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Their only yes is in a question, a tag, or addressed to us. */
const QUESTIONS_AND_TAGS = lines(`
  You are calling from the hospital, right?
  You are calling from the hospital right
  You're from City Clinic, yes?
  This is the hospital, correct?
  This is about my appointment, right?
  It is on Friday, no?
  It's at nine in the morning, okay?
  The doctor will be there, yes?
  You people called yesterday also, no?
  So you want me to come, right?
  That is tomorrow, yes?
  That's this Friday, correct?
  You mean the eye doctor, right?
  Your hospital is near the station, yes?
  You will send me a message, okay?
  You said Friday, right?
  It is with Doctor Iyer only, no?
  You know I live far away, right?
  They told me it was cancelled, no?
  You are a machine, right?
  This call is recorded, yes?
  It is free of charge, right?
  He is still working there, yes?
  She is the same doctor, correct?
  There is parking, yes?
  Yes?
  Yes, hello?
  Okay?
  Sorry, yes?
  Right?
  Yes, who is this?
  Okay, what time was it?
  Yes, where is it exactly?
  Okay, how much does it cost?
  Sure, which doctor is it?
  Yes, what should I bring?
  Okay, and how long will it take?
  Yes, why are you calling me?
  Okay, do I need to come fasting?
  Yes, is there parking?
  Right, when is that?
  Yeah, what about it?
  Okay, can I ask something first?
  Yes, do you have my reports?
  Fine, but who is speaking?
  Okay, will the doctor be there?
  Yes, what happened?
  Okay, where should I park?
  Aap hospital se bol rahe ho na?
  Ye appointment kal ka hai na?
  Doctor sahab honge na?
  Haan, kaun bol raha hai?
  Haan, kitne baje?
  Theek hai, kahan aana hai?
  Haan, kab aana hai?
`);

const UNCERTAIN = lines(`
  Okay whatever, I do not know yet.
  Yes, maybe.
  Maybe yes.
  Yes, perhaps.
  Okay, I guess.
  I guess so.
  I think so.
  I hope so.
  I suppose so.
  Yes, I think.
  Yes, probably.
  Probably yes.
  Most likely yes.
  Yes, hopefully.
  Hopefully I will come.
  I might come.
  I may come.
  I might be able to come.
  I think I can come.
  I believe I will be there.
  Okay, I am not sure yet.
  Yes, I'm not so sure.
  Yes, but I am not certain.
  Okay, let me see.
  Okay, I will see.
  Okay, we will see.
  Yes, let me check my diary.
  Okay, I have to ask my husband.
  Yes, I need to check with my office.
  Sure, I'll let you know.
  Okay, I will think about it.
  Yes, I will try.
  Okay, I'll try to come.
  Yes, in theory.
  Yes, sort of.
  Yeah, kind of.
  Yes, tentatively.
  It depends.
  Yes, it depends on the traffic.
  Okay, depends on my boss.
  Yes, possibly.
  Could be, yes.
  I don't know, okay.
  Sure, I have no idea.
  Okay, I cannot remember.
  Yes, I have not decided yet.
  Okay, not yet.
  Yes or no, I don't know.
  Yes and no.
  Well yes, well no.
  Haan, shayad.
  Shayad aaunga.
  Theek hai, dekhte hain.
  Haan, dekhta hoon.
  Haan, pata nahi.
  Haan, sochta hoon.
  Haan ji, puchna padega.
  Haan, koshish karunga.
  Haan, pakka nahi hai.
`);

const CONDITIONAL = lines(`
  Yes, if I get leave.
  Yes, if it does not rain.
  Okay, if my son can drive me.
  Yes, unless something comes up.
  Sure, as long as it is short.
  Yes, provided the doctor is there.
  I will come if I am well.
  I will be there unless I have to work.
  Okay, only if it is free.
  Yes, if the pain is still there.
  Yes, depending on the traffic.
  Yes, in case I find a taxi.
  Okay, subject to my boss.
  Yes, if that's possible at all.
  If I can, yes.
  If my wife agrees, okay.
  Sure, if nothing else happens.
  Agar chhutti mili to haan.
  Haan, agar beta le gaya to.
  Agar barish nahi hui to aa jaunga.
  Theek hai, agar doctor honge.
  Yadi time mila to haan.
`);

const SARCASTIC_OR_CARELESS = lines(`
  Yeah right.
  Yeah, right.
  Oh yeah, right.
  Yeah, whatever.
  Okay, whatever.
  Sure, whatever you say.
  Fine, whatever.
  Yes, as you like.
  Okay, as you wish.
  Sure, when pigs fly.
  Yes, in your dreams.
  Oh sure, because I have nothing else to do.
  Yeah, like I care.
  Sure, like that will happen.
  Yes, over my dead body.
  Okay, good luck with that.
  Yeah, fat chance.
  Right, very funny.
  Yes, you must be joking.
  Okay, what a joke.
  Ha, sure.
  Oh great, another call.
  Lovely, now a robot.
  Okay, I don't care.
  Yes, it does not matter.
  Sure, makes no difference.
  Okay, up to you.
  Yes, if you say so.
  Okay, if you insist.
  Sure, suit yourself.
  Fine, do what you like.
  Yes, I am kidding.
  Haan, kuch bhi.
  Theek hai, jo marzi.
  Haan, aapki marzi.
`);

const QUOTED = lines(`
  My wife says yes.
  My son said okay.
  She said yes.
  The doctor said it is fine.
  He told me to say yes.
  They want me to say yes.
  You want me to say yes?
  Just write that I said yes.
  Suppose I say yes.
  Let's say I agreed.
  If I say yes, what happens?
  Last time I said yes also.
  I never said yes.
  I did not say okay.
  Who said yes?
  Nobody said yes.
  My husband has said yes for me.
  Pretend I said yes.
  What if I say yes?
  Maan lo maine haan bola.
  Usne haan bola.
`);

/** A yes to something other than the question. */
const OF_SOMETHING_ELSE = lines(`
  Yes, but my daughter has an exam.
  Okay, but it is very far.
  Yes, but not alone.
  Sure, but I have no car.
  Okay, but later.
  Yes, but I am in Delhi now.
  Fine, but it is too expensive.
  Yes, although I have a fever.
  Okay, except that I have no money.
  Yes, however there is a problem.
  Yes, I got your message.
  Yes, I got the message already.
  Okay, I saw the SMS.
  Yes, I received your letter.
  Yes, I know.
  Yes, I know about it.
  Okay, I understand.
  Yes, I remember.
  Yes, I have an appointment.
  Yes, I had an appointment.
  Yes, I was going to call you.
  I would have come, yes.
  Yes, I was there last week.
  Okay, I will tell her.
  Yes, I will tell my mother.
  Okay, I'll pass it on.
  Sure, I'll give her the message.
  Yes, I can hear you.
  Okay, I am listening.
  Yes, tell me.
  Yes, go on.
  Yes, speak.
  Yes, hello.
  Okay, continue.
  Yes, I am here.
  Haan, boliye.
  Haan ji, bataiye.
  Haan, bolo.
  Ji, kahiye.
  Haan, sun raha hoon.
  Haan, lekin door hai.
  Theek hai, lekin paise nahi hain.
  Haan, magar abhi nahi.
  Haan, message mila.
  Haan, yaad hai.
  Haan, pata hai.
  Haan, main bata dunga unko.
`);

const NEAR_NO = lines(`
  No idea.
  No clue.
  I have no idea.
  No?
  No, really?
  No, what?
  No, who is this?
  No, why are you asking?
  No, where is it?
  No, how much is it?
  Maybe no.
  Perhaps no.
  I guess no.
  No, I think.
  No, I don't know.
  No, I am not sure.
  No, if it rains.
  No, unless my son comes.
  No, depends.
  No, it depends on my boss.
  No, let me check.
  No, I have to ask my wife.
  No, whatever.
  No, I don't care.
  No, up to you.
  No, haha.
  No, I am joking.
  No, yes, no.
  No wait, yes.
  It is on Friday, no
  You are the hospital, no
  He told you no.
  She said no.
  My wife says no.
  What if I say no?
  If I say no, what happens?
  Suppose I say no.
  No, shayad.
  Nahi, pata nahi.
  Nahi, dekhte hain.
`);

/** Handwritten. */
export const NEAR_YES_BY_HAND: readonly string[] = [
  ...QUESTIONS_AND_TAGS,
  ...UNCERTAIN,
  ...CONDITIONAL,
  ...SARCASTIC_OR_CARELESS,
  ...QUOTED,
  ...OF_SOMETHING_ELSE,
];
export const NEAR_NO_BY_HAND: readonly string[] = NEAR_NO;

const YESES =
  "Yes|Yeah|Okay|Sure|Fine|Alright|Yes, okay|Okay, fine|Right|Yep|Correct|Okay, sure|Good|Haan|Haan ji|Theek hai".split(
    "|",
  );
const NOES = "No|Nope|No no|Nah|No, sorry".split("|");
const AFTER = lines(`
  if I feel better by then
  if my brother has the car
  if they give me the day off
  unless I am still at work
  unless my mother falls ill
  as long as there is no strike
  depending on how I feel
  it depends on my shift
  maybe
  perhaps
  probably
  I guess
  I suppose
  I don't know yet
  I am not sure
  I'm not certain about that
  I have to ask my daughter
  I need to check my calendar
  let me think
  I will let you know
  we will see
  I will think about it
  whatever
  I don't care
  it does not matter
  as you like
  up to you
  in your dreams
  when pigs fly
  what is this about
  where is the clinic
  how much will it cost
  which doctor is that
  what time is it
  do I need to bring my reports
  why do you ask
`);
const AFTER_YES = lines(`
  but I have no way to get there
  but my back hurts
  but there is one problem
  although it is difficult for me
  I got your message yesterday
  I know about the appointment
  I will tell my father
  I was going to ring you
  I can hear you well
  tell me
`);
const STATEMENTS = lines(`
  You are calling from the clinic
  You are the lady from the hospital
  This is about the blood test
  It is next to the bus stand
  The doctor is in on Saturdays
  You have my number in the system
  That appointment was moved last week
  You called my brother also
  It is the same place as before
  They are open on Sunday
`);
const TAGS = "right|correct|yes|no|okay|yeah|isn't it|is it".split("|");
const LEADS = "Hmm, |Well, |Oh, |Listen, |Actually, |See, ||||".split("|");

/** Generated from a seed, so always the same. */
export function generatedNear(seed: number, count: number): { yes: string[]; no: string[] } {
  const random = randomFrom(seed);
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? "";
  const near = { yes: new Set<string>(), no: new Set<string>() };
  const stop = () => pick([".", ".", "", "!"]);
  while (near.yes.size < count) {
    const kind = random();
    const comma = pick([", ", ", ", " ", ". "]);
    if (kind < 0.55) near.yes.add(`${pick(LEADS)}${pick(YESES)}${comma}${pick(AFTER)}${stop()}`);
    else if (kind < 0.8) near.yes.add(`${pick(LEADS)}${pick(YESES)}${comma}${pick(AFTER_YES)}${stop()}`);
    else near.yes.add(`${pick(STATEMENTS)}${pick([", ", " "])}${pick(TAGS)}${pick(["?", "?", ".", ""])}`);
  }
  while (near.no.size < count / 4)
    near.no.add(`${pick(LEADS)}${pick(NOES)}${pick([", ", " ", ". "])}${pick(AFTER)}${stop()}`);
  return { yes: [...near.yes], no: [...near.no] };
}

/** Answers to "Will you come?" that count at once. */
export const PLAIN_YES = lines(`
  Yes.
  Yes, I will.
  Yes, I will come.
  Yes I will be there.
  Yes, of course.
  Yes, sure.
  Yes, definitely.
  Yes, please.
  Yes, that's fine.
  Yes, that works for me.
  Yes, I can come.
  Yes, I'm coming.
  Yes, thank you.
  Yes, see you then.
  Yes, confirmed.
  Yes, I confirm.
  Yes, no problem.
  Yes, absolutely.
  Yes, correct.
  Yes, certainly.
  Yes yes.
  Yes, okay.
  Yes, okay, I will come.
  Yeah.
  Yeah, sure.
  Yeah, I'll be there.
  Yeah, that's fine.
  Yep.
  Yep, I'll come.
  Yup.
  Sure.
  Sure, I will come.
  Sure thing.
  Of course.
  Of course I will come.
  Absolutely.
  Definitely.
  Certainly.
  Okay.
  Okay, I will come.
  Okay, fine.
  Okay, sure.
  Okay, that's good.
  Okay, see you on Friday.
  Fine.
  Fine, I will be there.
  That's fine.
  That is fine with me.
  That works.
  That works for me.
  That suits me.
  Sounds good.
  Perfect.
  Perfect, I will come.
  I will come.
  I will be there.
  I'll be there.
  I will definitely come.
  I will attend.
  I am coming.
  I can make it.
  I can come.
  I'll make it.
  I will come for the appointment.
  Please confirm it.
  Confirm it, please.
  You can confirm.
  Count me in.
  No problem, I will come.
  No problem.
  Not a problem.
  Sure, no problem.
  Alright.
  Alright, I will come.
  Haan.
  Haan ji.
  Ji haan.
  Haan, main aaunga.
  Haan, aa jaunga.
  Ji, theek hai.
  Theek hai.
  Theek hai, aa jaunga.
  Bilkul.
  Zaroor.
  Haan, confirm kar dijiye.
  हाँ
  जी हाँ
  हाँ, मैं आऊँगा
  ठीक है
`);

export const PLAIN_NO = lines(`
  No.
  No, I can't.
  No, I cannot come.
  No, I will not come.
  No, I won't be there.
  No, sorry.
  No, I am not coming.
  No, not possible.
  No, thank you.
  Nope.
  I can't come.
  I cannot make it.
  I will not be able to come.
  I won't make it.
  I'm not coming.
  I am not able to come.
  Sorry, I can't.
  Unfortunately not.
  Not possible.
  That is not possible for me.
  Nahi.
  Ji nahi.
  Nahi aa sakta.
  Main nahi aaunga.
  नहीं
  नहीं, मैं नहीं आ सकता
`);
