import { HOLDER_WAIT_HOURS, SMALL_TIP } from '../rules/rules.ts';
import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { WireStatus } from '../../core/states.ts';
import { code, line, muted, strong, type Paragraph, type Span } from '../../core/view.ts';
import { claimPagesEn } from '../claim-pages/en.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('en');

/** One of the tips that a person sent. `number`: its place in the list, from 1. */
export type HistoryFacts = {
  number: number;
  sentAt: Date;
  amount: MicroUsdc;
  recipient: string;
  status: WireStatus;
};

/** Where this person's wallet of the chat receives money. */
export type LinkAddress = { place: string; address: string };

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const STATES: Record<WireStatus, string> = {
  queued: 'on its way',
  pending_claim: 'waiting to be collected',
  paid: 'received',
  held: 'kept back for now',
  refunded: 'came back',
};

/** Everything about a person and what is known of them: history, language, collecting, privacy. */
export const accountEn = {
  historyTitle: (): Paragraph => line`The last tips that you sent:`,
  historyLine: ({ number, sentAt, amount, recipient, status }: HistoryFacts): Paragraph =>
    line`${String(number)}. ${usdc(amount)} to ${strong(named(recipient))}, ${STATES[status]} (${days.format(sentAt)})`,
  historyReceipt: (number: number, recipient: string): string => `${String(number)}. ${named(recipient)}`,
  historyCsv: (): string => 'All of them as CSV',
  noHistory: (): Paragraph => line`You have not sent a tip yet.`,

  askLanguage: (): Paragraph => line`Which language shall I speak with you?`,
  asMyApp: (): string => 'As my app says',
  speaksNow: (language: string): Paragraph => line`From now on I speak ${strong(language)} with you.`,
  speaksAsApp: (): Paragraph => line`From now on I speak the language of your app, where I know it.`,
  noSuchLanguage: (): Paragraph => line`I don’t speak that one. Choose one of these:`,

  waitsForYou: (total: MicroUsdc): Paragraph =>
    line`${usdc(total)} waits for you. Keep it here and you can tip from it at once, or send it to an address with ${code('/withdraw')}.`,
  nothingWaits: (): Paragraph =>
    line`Nothing waits for this account. If you were told of a tip to another name of yours, collect it by that name:`,
  receiveHere: (): string => 'Let tips come here by themselves',
  keepHere: (total: MicroUsdc): string => `Keep ${people(total)} USDC here`,
  kept: (): Paragraph =>
    line`Done. It arrives in your wallet here within a minute, and later tips do so by themselves.`,
  keptNoRoom: (): Paragraph =>
    line`Done. Part of it waits: no more may be kept here for you now. Send some on or withdraw some, and it comes by itself; if nothing changes, it goes back to its sender.`,
  collectElsewhere: (): Paragraph =>
    line`Open the page, prove that the name is yours, and choose where the money goes. It takes a minute.`,
  collectWhich: (): Paragraph => line`By which name were you tipped? Money is collected by that name:`,
  collectAs: (name: string): string => `Collect as ${named(name)}`,
  claimRefused: (): Paragraph => line`That can’t be collected just now. Type ${code('/claim')} to look again.`,
  claimUnreachable: (): Paragraph =>
    line`I can’t reach the service right now. Nothing is lost: please try again in a minute.`,

  linkWhich: (): Paragraph => line`Which name of yours should pay into your wallet here? Write it like this:`,
  linkKeep: (name: string): Paragraph =>
    line`Open the page, prove that ${strong(named(name))} is yours, and choose ${strong(claimPagesEn.keep)}. What people send to it can then be tipped from this chat.`,
  linkChat: (): Paragraph =>
    line`Open the page in the browser in which you sign in to your money. There you connect it with this chat: each can then look at what the other one has, and send it ${HOLDER_WAIT_HOURS} hours later where no passkey guards it.`,
  openPage: (): string => 'Open the page',

  smallAreQuiet: (): Paragraph => line`Tips below ${SMALL_TIP} USDC: one line a day instead of a message for each.`,
  smallAreHeard: (): Paragraph => line`Tips below ${SMALL_TIP} USDC: a message for each.`,
  quietSmall: (): string => 'One line a day',
  ringSmall: (): string => 'A message for each',
  declinedTip: (): Paragraph => line`Done. It goes back to whoever sent it.`,
  noteFrom: (giver: string, amount: MicroUsdc): Paragraph => line`${giver} sent you ${usdc(amount)} and wrote:`,
  readsNotes: (): Paragraph => line`Done. What they write comes with their next tips at once.`,

  blockWhom: (): Paragraph => line`These people sent you something lately. Whom you block is not told:`,
  giver: (number: number, name: string, isBlocked: boolean): Paragraph =>
    line`${String(number)}. ${strong(name)}${isBlocked ? ' (blocked)' : ''}`,
  blockGiver: (number: number): string => `Block ${number}`,
  allowGiver: (number: number): string => `Allow ${number} again`,
  nobodyGave: (): Paragraph => line`Nobody has sent you anything yet.`,
  blockedGiver: (): Paragraph =>
    line`Done. Nothing of theirs reaches you any more, under any name that you have proven here. What waits from them goes back.`,
  allowedGiver: (): Paragraph => line`Done. They can send you something again.`,

  privacy: (): Paragraph[] => [
    line`I know which tips you sent from here, with their notes, and how you want things: your language and your wallet.`,
    line`You can have all of it as a file, or have the tips that are over erased. Then I send no more news about them.`,
    [muted('Wallets, withdrawals, receipts and the books of payments stay: they say whose the money is.')],
  ],
  exportJson: (): string => 'Get it as a file',
  eraseNow: (): string => 'Erase my tips now',
  erased: (count: number): Paragraph =>
    line`Erased: ${count === 1 ? '1 tip' : `${String(count)} tips`}. Your money and its books are untouched.`,
  optOut: (): string => 'Refuse all tips to me',
  optedOut: (): Paragraph =>
    line`Done. What waited for you goes back, and nobody can tip this account. ${code('/claim')} undoes it.`,
  linkLasts: (minutes: number): Paragraph => [
    muted(`The link is for you alone and works for ${String(minutes)} minutes.`),
  ],
};
