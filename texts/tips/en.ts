import type { OtherMoney } from '../../core/grammar/rates.ts';
import { formatUsdcForPeople, sumUsdc, type MicroUsdc } from '../../core/money.ts';
import type { WireStatus } from '../../core/states.ts';
import { code, line, muted, strong, type Paragraph, type Span } from '../../core/view.ts';
import { TIP_MAX, TIP_MIN } from '../rules/rules.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('en');

/** A tip for several people, as the card shows it. */
export type SeveralFacts = {
  count: number;
  amount: MicroUsdc;
  fee: MicroUsdc;
  note: string | null;
  /** What pays was kept under this name; null for the chat's own wallet. */
  walletName: string | null;
};

/** Those who get the same; `more`: so many of them are not shown by name. */
/** `rate`: of one `typed.currency`. `source`: where the operator has it from. */
export type RateFacts = { typed: OtherMoney; amount: MicroUsdc; rate: MicroUsdc; source: string | null };

export type PartFacts = { amount: MicroUsdc; names: readonly string[]; more: number };

export type ResultFacts = { status: WireStatus; names: readonly string[]; more: number };

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const listed = (names: readonly string[], more: number): string =>
  more === 0 ? names.map(named).join(', ') : `${names.map(named).join(', ')} and ${more} more`;

const RESULTS: Record<WireStatus, string> = {
  queued: 'On its way',
  pending_claim: 'Waiting to be collected',
  paid: 'Received',
  held: 'Kept back for now',
  refunded: 'Came back',
};

/** What a message has brought its author so far. */
/** Many tips that share one message. */
export type RushFacts = { tips: number; people: number; sum: MicroUsdc };
export type SummaryFacts = { recipient: string; total: MicroUsdc; tips: number; people: number };

/** A tip as its texts need it. `walletName`: what pays was kept under this name; null for the chat's own wallet. */
export type TipFacts = { amount: MicroUsdc; fee: MicroUsdc; recipient: string; walletName: string | null };

const fromWallet = (name: string | null): string => (name === null ? '' : ` from what you kept as ${named(name)}`);
const withFee = (fee: MicroUsdc): string => (fee === 0n ? '' : ` (plus ${people(fee)} USDC fee)`);

/** Everything about tips: paying them, for one person and for several, and what a message brought its author. */
export const tipsEn = {
  thinking: (): Paragraph => line`One moment…`,
  askingPrice: (): Paragraph => line`Asking for the price…`,
  paying: ({ amount, fee, recipient, walletName }: TipFacts): Paragraph =>
    line`Paying ${usdc(amount)} to ${strong(named(recipient))}${withFee(fee)}${fromWallet(walletName)}…`,
  stillPaying: ({ amount, recipient }: TipFacts): Paragraph =>
    line`Still paying ${usdc(amount)} to ${strong(named(recipient))}. It can’t be charged twice.`,
  payingLater: ({ amount, recipient }: TipFacts): Paragraph[] => [
    line`Paying ${usdc(amount)} to ${strong(named(recipient))} takes longer than usual.`,
    line`You can close this: I keep trying, and I’ll say here how it ended. It can’t be charged twice.`,
  ],
  sent: ({ amount, fee, recipient, walletName }: TipFacts): Paragraph =>
    line`Sent ${usdc(amount)} to ${strong(named(recipient))}${withFee(fee)}${fromWallet(walletName)}.`,
  tryAgain: (): string => 'Try again',
  nothingToSend: (amount: MicroUsdc): Paragraph =>
    amount === 0n
      ? line`There is nothing to send yet. ${code('/deposit')} shows how to add money.`
      : line`You have ${usdc(amount)}, and the smallest tip is ${strong(`${TIP_MIN} USDC`)}. ${code('/deposit')} shows how to add money.`,
  tooMuchAtOnce: (amount: MicroUsdc): Paragraph =>
    line`That would be ${usdc(amount)}, and one tip is at most ${strong(`${TIP_MAX} USDC`)}.`,
  buttonIsOver: (): Paragraph => line`That button no longer works. Type the command again for a new one.`,
  somethingWrong: (): Paragraph => line`Something went wrong on my side, and nothing was charged. Please try again.`,

  selfTip: (name: string): Paragraph => line`${strong(named(name))} is you. Send it to someone else:`,
  ownBotTip: (): Paragraph => line`That is me, and I need no tips. Send it to someone else:`,
  botTip: (name: string): Paragraph =>
    line`${strong(named(name))} is a bot, and bots can’t collect money. Send it to a person:`,
  nobodyByName: (name: string): Paragraph =>
    line`I have seen nobody called ${strong(name)} in this group lately, so nothing was sent. Reply to a message of theirs with ${code('/tip 1')}, or ask them to write ${code('/help')} here first.`,
  namesInGroups: (name: string, platform: string): Paragraph =>
    line`${platform} does not tell me who ${strong(name)} is, so nothing was sent. In a group on ${platform} where I am too, reply to a message of theirs with ${code('/tip 1')}.`,

  people: (count: number): string => (count === 1 ? '1 person' : `${count} people`),

  askSeveral: ({ count, amount, fee, note, walletName }: SeveralFacts): Paragraph[] => {
    const kept = walletName === null ? '' : ` from what you kept as ${named(walletName)}`;
    const question = line`Send ${usdc(amount)} in all to ${strong(tipsEn.people(count))}${kept}?`;
    const total = line`With a fee of ${people(fee)} USDC that is ${strong(`${people(sumUsdc([amount, fee]))} USDC`)}.`;
    return [question, ...(fee === 0n ? [] : [total]), ...(note === null ? [] : [line`With the note ${strong(note)}`])];
  },
  part: ({ amount, names, more }: PartFacts): Paragraph =>
    names.length + more === 1
      ? line`${strong(named(names[0] ?? ''))}: ${people(amount)} USDC`
      : line`${people(amount)} USDC each: ${listed(names, more)}`,
  unevenSplit: (extra: MicroUsdc): Paragraph => [
    muted(`It does not divide evenly, so the first get ${people(extra)} USDC more.`),
  ],
  namedTwice: (names: readonly string[], more: number): Paragraph => [
    muted(`Named more than once, counted once: ${listed(names, more)}.`),
  ],
  askedFor: (minutes: number): Paragraph => [muted(`Nothing is sent before you confirm, within ${minutes} minutes.`)],
  confirmSeveral: (total: MicroUsdc): string => `Send ${people(total)} USDC`,
  cancel: (): string => 'Cancel',

  cancelled: (): Paragraph => line`Cancelled. Nothing was charged.`,
  cardExpired: (minutes: number): Paragraph =>
    line`You did not confirm within ${String(minutes)} minutes, so nothing was sent. Type it again if you still want to:`,
  askAtRate: ({ typed, amount, rate, source }: RateFacts): Paragraph =>
    line`${people(typed.amount)} ${typed.currency} is ${strong(`${people(amount)} USDC`)} now: one ${typed.currency} is ${people(rate)} USDC${source === null ? '' : ` (${source})`}. Send this?`,
  payAtRate: (): string => 'Send at this rate',
  rateHolds: (seconds: number): Paragraph => [
    muted(`Nothing is sent before you press, and the rate holds for ${seconds} seconds.`),
  ],
  rateIsOver: (): Paragraph => line`That rate is over, so nothing was sent. Type it again for a new one.`,
  allEach: (): Paragraph => line`That can only go to one person. Do you want to share it out?`,
  oneWasRefused: (): Paragraph => line`So nobody was paid. Without that name:`,

  lineResults: ({ status, names, more }: ResultFacts): Paragraph =>
    line`${RESULTS[status]}: ${strong(listed(names, more))}`,
  moreReceipts: (count: number): Paragraph => [muted(`The other ${count} receipts are in your history.`)],

  undoWaiting: (): string => 'Take back what waits',
  undoneFor: ({ amount, names, more }: PartFacts): Paragraph =>
    line`Taken back: ${usdc(amount)} for ${strong(listed(names, more))}. It is on its way to your wallet.`,
  undoTooLateFor: (names: readonly string[], more: number): Paragraph =>
    line`Too late for ${strong(listed(names, more))}: they have it, or have begun to collect it.`,

  notYourButton: (): Paragraph => line`Only whoever asked for this can press it. You can send a tip of your own:`,

  tipped: ({ recipient, total, tips, people }: SummaryFacts): Paragraph => {
    const from = people === 1 ? '1 person' : `${String(people)} people`;
    const many = tips > people ? `${from}, in ${String(tips)} tips` : from;
    return line`${strong(named(recipient))} got ${strong(`${formatUsdcForPeople(total)} USDC`)} for this, from ${many}.`;
  },
  rushTitle: (facts: RushFacts): Paragraph =>
    line`${facts.tips === 1 ? '1 tip' : `${String(facts.tips)} tips`} from ${facts.people === 1 ? '1 person' : `${String(facts.people)} people`}, ${usdc(facts.sum)} in all:`,
  rushLine: (giver: string, recipient: string, amount: MicroUsdc): Paragraph =>
    line`${giver} → ${named(recipient)} · ${people(amount)} USDC`,
  rushMore: (count: number): Paragraph => [muted(`and ${count} before them`)],
  rushCall: (names: readonly string[], more: number): Paragraph =>
    line`${strong(listed(names, more))}: something was sent to you here. Type ${code('/claim')} to collect it.`,
  takenBackAll: (): Paragraph => line`What people gave for this was taken back.`,
  openReceipt: (): string => 'Open the receipt',
};
