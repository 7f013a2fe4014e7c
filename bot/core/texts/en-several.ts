import { formatUsdcForPeople, sumUsdc, type MicroUsdc } from '../../../core/money.ts';
import type { WireStatus } from '../../../core/states.ts';
import { line, muted, strong, type Paragraph, type Span } from '../../../core/view.ts';

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
export type PartFacts = { amount: MicroUsdc; names: readonly string[]; more: number };
export type ResultFacts = { status: WireStatus; names: readonly string[]; more: number };

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const listed = (names: readonly string[], more: number): string =>
  more === 0 ? names.join(', ') : `${names.join(', ')} and ${more} more`;

const RESULTS: Record<WireStatus, string> = {
  queued: 'On its way',
  pending_claim: 'Waiting to be collected',
  paid: 'Received',
  held: 'Kept back for now',
  refunded: 'Came back',
};

/** Everything about tips for several people at once. */
export const severalEn = {
  people: (count: number): string => (count === 1 ? '1 person' : `${count} people`),

  askSeveral: ({ count, amount, fee, note, walletName }: SeveralFacts): Paragraph[] => {
    const kept = walletName === null ? '' : ` from what you kept as ${walletName}`;
    const question = line`Send ${usdc(amount)} in all to ${strong(severalEn.people(count))}${kept}?`;
    const total = line`With a fee of ${people(fee)} USDC that is ${strong(`${people(sumUsdc([amount, fee]))} USDC`)}.`;
    return [question, ...(fee === 0n ? [] : [total]), ...(note === null ? [] : [line`With the note ${strong(note)}`])];
  },
  part: ({ amount, names, more }: PartFacts): Paragraph =>
    names.length + more === 1
      ? line`${strong(names[0] ?? '')}: ${people(amount)} USDC`
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
};
