import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Paragraph, type Span } from '../../core/view.ts';
import type { TreasuryProblem } from './problem.ts';
import { TREASURY_CARD_HOURS, TREASURY_WAIT_HOURS } from '../rules/rules.ts';
import { momentIn } from '../rules/moment.ts';

/** What lies on one network; null when it does not say. */
export type TreasuryHolding = { place: string; amount: MicroUsdc | null };

/** Where money can go to on one network, and what will take its place from then on. */
export type TreasuryAddressFacts = {
  place: string;
  active: string | null;
  waiting: { address: string; at: Date } | null;
};

/** A withdrawal that a moderator has proposed; `by` as the platform numbers people: `discord:7`. */
export type TreasuryCardFacts = { amount: MicroUsdc; place: string; address: string; by: string };

/** Problems with sentences of their own; those of withdrawals have theirs already. */
export type OwnTreasuryProblem = Exclude<TreasuryProblem, { code: 'withdraw' }>;

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const time = momentIn('en-GB');

/** Everything about the money of a community. */
export const treasuryEn = {
  treasuryTitle: (): Paragraph => line`What this community has for rewards:`,
  treasuryHolds: ({ place, amount }: TreasuryHolding): Paragraph =>
    amount === null ? line`On ${place}: I can’t reach it right now.` : line`On ${place}: ${usdc(amount)}`,
  treasuryAddress: ({ place, active, waiting }: TreasuryAddressFacts): Paragraph => [
    ...(active === null
      ? line`No address to withdraw to on ${place}.`
      : line`Withdrawals on ${place} go to ${code(active)}.`),
    ...(waiting === null ? [] : line` From ${time(waiting.at)}: ${code(waiting.address)}`),
  ],
  treasuryHow: (): Paragraph[] => [
    line`Anybody can pay in: ${code('/treasury deposit')}. All can read what came and went: ${code('/treasury statement')}.`,
    line`To take money out, the owner sets an address with ${code('/treasury address 0x…')}. After ${TREASURY_WAIT_HOURS} hours ${code('/treasury withdraw 5 base')} asks here, and the owner and one other moderator press Confirm.`,
    [
      muted(
        'If I am removed, the money stays where it is, and nothing can leave. Invite me again, and all is as before.',
      ),
    ],
  ],
  treasuryDeposit: (addresses: readonly { place: string; address: string }[]): Paragraph[] => [
    line`This money is for the community’s rewards. Whoever pays in gives it away.`,
    ...addresses.flatMap(({ place, address }) => [line`${strong(`USDC on ${place}`)}:`, line`${code(address)}`]),
    line`Only USDC: anything else could be lost. From your wallet here:`,
  ],
  treasuryGive: (amount: MicroUsdc, place: string): Paragraph =>
    line`Give ${usdc(amount)} on ${strong(place)} to this community? Whoever pays in gives it away.`,
  treasuryGiveNow: (amount: MicroUsdc): string => `Give ${people(amount)} USDC`,
  treasuryStatement: (): string => 'Statement as CSV',
  treasuryStatementSays: (): Paragraph =>
    line`What went out stands there with its transaction. For what came in, the amount is exact, and the time is when I saw it: I look every hour, and sums that came between two looks are one line.`,

  treasuryAddressSet: ({ place, address, by, at }: Omit<TreasuryCardFacts, 'amount'> & { at: Date }): Paragraph[] => [
    line`${strong(by)} wants what this community withdraws on ${strong(place)} to go here:`,
    line`${code(address)}`,
    line`It counts from ${time(at)}. Until then every moderator can stop it.`,
  ],
  cancelTreasuryAddress: (place: string): string => `Stop this address on ${place}`,
  treasuryAddressCancelled: ({ place, address, by }: Omit<TreasuryCardFacts, 'amount'>): Paragraph =>
    line`The address ${code(address)} on ${place} does not count: ${strong(by)} has stopped it.`,
  treasuryAddressDropped: (place: string): Paragraph => line`Done. That address on ${strong(place)} counts no more.`,

  /** `confirmed`: who has. */
  treasuryAsk: ({ amount, place, address, by }: TreasuryCardFacts, confirmed: readonly string[]): Paragraph[] => [
    line`${strong(by)} wants to withdraw ${usdc(amount)} of this community’s money on ${strong(place)}, to:`,
    line`${code(address)}`,
    line`The owner and one other moderator have to confirm within ${TREASURY_CARD_HOURS} hours, the owner alone where nobody else moderates. One Reject ends it.`,
    ...(confirmed.length === 0 ? [] : [line`Confirmed by ${strong(confirmed.join(', '))}`]),
  ],
  treasuryConfirm: (amount: MicroUsdc): string => `Confirm ${people(amount)} USDC`,
  treasuryReject: (): string => 'Reject',
  treasuryRejected: ({ amount, place }: TreasuryCardFacts, by: string): Paragraph =>
    line`${strong(by)} has rejected the withdrawal of ${usdc(amount)} on ${place}. Nothing moved.`,
  treasuryExpired: ({ amount, place }: TreasuryCardFacts): Paragraph =>
    line`The withdrawal of ${usdc(amount)} on ${place} is over: not enough have confirmed it in time, or its address counts no more. Nothing moved.`,

  treasuryProblem: (problem: OwnTreasuryProblem): Paragraph => {
    switch (problem.code) {
      case 'elsewhere':
        return line`Say ${code('/treasury')} in the server or group whose money it is.`;
      case 'small_group':
        return line`Telegram would give this group another number when it grows, and its money would stay behind. Show the chat history to new members in the group’s settings: then it has its last number, and can have a treasury.`;
      case 'unreadable':
        return line`I can’t read ${code(problem.found)}. These work:`;
      case 'not_owner':
        return line`Only the owner can set where the community’s money goes.`;
      case 'not_moderator':
        return line`That is for those who moderate here.`;
      case 'no_owner':
        return line`Nobody owns this community now, so its money stays where it is until somebody does.`;
      case 'standing_unknown':
        return line`I can’t find out who runs this community, so I did nothing. I have to be a member here. Try again in a minute.`;
      case 'which_network':
        return line`On which network?`;
      case 'no_address':
        return line`There is no address to withdraw to on ${problem.place}. The owner sets it, and it counts after ${TREASURY_WAIT_HOURS} hours:`;
      case 'address_waits':
        return line`The address on ${problem.place} counts from ${time(problem.at)}. Until then nothing can leave.`;
      case 'busy':
        return line`Another withdrawal waits to be confirmed. Confirm or reject that one first:`;
      case 'address_over':
        return line`Nothing to stop there: that address counts already, or counts no more.`;
      case 'card_over':
        return line`That withdrawal is decided already.`;
      case 'limited':
        return line`Too many withdrawals at once, so nothing was done. Wait until one has arrived, or go on tomorrow.`;
    }
  },
};
