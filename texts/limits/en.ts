import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { LimitName } from '../../core/wallets/spending-limits.ts';
import { code, line, muted, strong, type Paragraph, type Span } from '../../core/view.ts';
import { SPENDING_WAIT_HOURS } from '../rules/rules.ts';
import { namesIn } from '../names/person.ts';
import { momentIn } from '../rules/moment.ts';

const named = namesIn('en');

/** One limit: `value` holds now, `raise` from then on. */
export type LimitFacts = { name: LimitName; value: MicroUsdc; raise: { to: MicroUsdc; at: Date } | null };

/** Why the limits of a wallet do not let a tip go. `left`: what the day still allows. */
export type SpendingProblem =
  /** `until`: when the lock ends; null: not by itself. */
  | { code: 'wallet_locked'; until: Date | null }
  /** What leaves it has to be agreed to with a passkey, which no chat can ask for. */
  | { code: 'passkey_needed' }
  | { code: 'over_tip_limit'; limit: MicroUsdc }
  | { code: 'over_day_limit'; limit: MicroUsdc; left: MicroUsdc };

/** A tip for one person, as the card shows it. */
export type OneFacts = {
  recipient: string;
  amount: MicroUsdc;
  fee: MicroUsdc;
  note: string | null;
  walletName: string | null;
};

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const time = momentIn('en-GB');

const LIMITS: Record<LimitName, (value: MicroUsdc) => Paragraph> = {
  tip: (value) => line`For one person, at most: ${usdc(value)}`,
  ask: (value) =>
    value === 0n ? line`I ask you first: ${strong('always')}` : line`I ask you first above: ${usdc(value)}`,
  day: (value) => line`In one day, at most: ${usdc(value)}`,
};
const raised = ({ to, at }: { to: MicroUsdc; at: Date }): Paragraph => line` · from ${time(at)}: ${usdc(to)}`;

/** Everything about what tips may take out of a wallet: limits, the question before a tip, and the lock. */
export const limitsEn = {
  limitsTitle: (walletName: string | null): Paragraph =>
    walletName === null
      ? line`What your tips may take out of your wallet here:`
      : line`What your tips may take out of what you kept as ${strong(named(walletName))}:`,
  limit: ({ name, value, raise }: LimitFacts): Paragraph => [
    ...LIMITS[name](value),
    ...(raise === null ? [] : raised(raise)),
  ],
  spentToday: (spent: MicroUsdc): Paragraph => line`Used today: ${usdc(spent)}. A day begins at midnight UTC.`,
  limitsHint: (): Paragraph => [
    muted(
      `Lower limits hold at once, higher ones after ${SPENDING_WAIT_HOURS} hours. Withdrawing is never limited by them.`,
    ),
  ],
  limitLowered: (): Paragraph => line`Done. From now on:`,
  limitWillRise: (): Paragraph =>
    line`Noted. It changes in ${SPENDING_WAIT_HOURS} hours, so that nobody else can do it unseen. Until then you can take it back:`,
  limitTooLarge: (largest: MicroUsdc): Paragraph => line`More than ${usdc(largest)} is not possible there.`,
  limitTooSmall: (smallest: MicroUsdc): Paragraph =>
    line`At least ${usdc(smallest)}. ${code('/lock')} stops all spending.`,
  limitsUnreadable: (found: string): Paragraph =>
    line`I can’t read ${code(found)} as a limit. This is how they are changed:`,
  limitsInDirectChat: (): Paragraph =>
    line`Limits are changed where only the two of us read along: write to me directly. Now these hold:`,
  cancelRaises: (): string => 'Keep the limits as they are',
  raisesCancelled: (): Paragraph => line`Done. No limit will rise. These hold:`,
  noRaises: (): Paragraph => line`No limit was about to rise. These hold:`,

  spendingProblem: (problem: SpendingProblem): Paragraph => {
    switch (problem.code) {
      case 'wallet_locked':
        return problem.until === null
          ? line`You have locked spending, so nothing was sent. ${code('/unlock')} opens it again, after ${SPENDING_WAIT_HOURS} hours.`
          : line`Spending is locked until ${time(problem.until)}, so nothing was sent.`;
      case 'passkey_needed':
        return line`This money leaves with its passkey only, so nothing was sent. You can send it on its page:`;
      case 'over_tip_limit':
        return line`One person gets at most ${usdc(problem.limit)} from this wallet, so nothing was sent.`;
      case 'over_day_limit':
        return line`That is over your ${usdc(problem.limit)} a day, so nothing was sent. Until midnight UTC ${usdc(problem.left)} is left.`;
    }
  },
  spendingWasOver: (): Paragraph =>
    line`That was over a limit of your wallet when I tried, so nothing was sent. Now it would fit: type it again.`,

  askOne: ({ recipient, amount, fee, note, walletName }: OneFacts): Paragraph[] => {
    const kept = walletName === null ? '' : ` from what you kept as ${named(walletName)}`;
    return [
      line`Send ${usdc(amount)} to ${strong(named(recipient))}${kept}?`,
      ...(fee === 0n ? [] : [line`There is a fee of ${people(fee)} USDC on top.`]),
      ...(note === null ? [] : [line`With the note ${strong(note)}`]),
    ];
  },
  neverTipped: (): Paragraph =>
    line`You have never tipped this name from here. Is it really who you mean? Have a look before you send.`,
  openProfile: (name: string): string => `See ${named(name)}`,

  holdsMuch: (most: MicroUsdc): Paragraph =>
    line`That is a lot for a chat: better keep no more than ${usdc(most)} here. ${code('/withdraw')} sends the rest to an address of yours.`,

  locked: (): Paragraph =>
    line`Locked. Nothing is spent from your wallets any more, in no chat. ${code('/withdraw')} still works.`,
  unlocksAt: (at: Date): Paragraph =>
    line`Spending is possible again from ${time(at)}. If that was not you, ${code('/lock')} keeps it locked.`,
  notLocked: (): Paragraph => line`Nothing is locked.`,
  isLocked: (until: Date | null): Paragraph =>
    until === null ? line`Spending is locked.` : line`Spending is locked until ${time(until)}.`,

  undo: (): string => 'Take it back',
  undone: (amount: MicroUsdc, recipient: string): Paragraph =>
    line`Taken back: ${usdc(amount)} for ${strong(named(recipient))}. It is on its way to your wallet.`,
  undoTooLate: (recipient: string): Paragraph =>
    line`Too late: ${strong(named(recipient))} has it, or has begun to collect it.`,
  undoLater: (): Paragraph => line`I couldn’t take it back just now. Nothing is lost: please press again in a minute.`,
};
