import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { ADDRESS_REFUSALS } from '../../core/payments/payout-address.ts';
import { AT_ONCE_DAILY_MAX } from '../../core/wallets/withdrawal-wait.ts';
import { code, line, muted, strong, type Paragraph, type Span } from '../../core/view.ts';
import type { WithdrawalFailure } from '../../core/states.ts';
import type { WithdrawProblem } from './problem.ts';
import { WITHDRAWAL_WAIT_HOURS, WITHDRAWAL_WAIT_MAX_HOURS, WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';
import { nameForPayer } from '../names/person.ts';
import { momentIn } from '../rules/moment.ts';

/** A withdrawal as its texts need it. */
export type WithdrawFacts = { amount: MicroUsdc; place: string; address: string };

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const time = momentIn('en-GB');
const FAILURES: Record<WithdrawalFailure, string> = {
  insufficient_funds: 'The wallet does not hold that much any more.',
  sender_blacklisted: 'USDC does not let this wallet send.',
  recipient_blacklisted: 'USDC does not let that address receive.',
  forbidden_address: 'Money sent to that address would be lost, so it is not sent.',
  no_token_account: 'That address has no USDC account yet, and it cannot be opened now.',
  token_account_not_theirs: 'The USDC account of that address belongs to somebody else now.',
  invalid_signature: 'What was signed is not what was asked for, so it is not sent.',
  failed_on_chain: 'The network refused the transfer several times.',
  gave_up: 'It could not be sent in time. Ask for it again.',
  cancelled: 'It was cancelled.',
};
// A map, because the word comes from a row that may be older than this program.
const BY_WORD = new Map<string, string>(Object.entries(FAILURES));
/** Why nothing moved, in a sentence. */
export const whyFailedEn = (failure: string | null): string => BY_WORD.get(failure ?? '') ?? 'It could not be sent.';

/** Everything about money that leaves for an address. */
export const withdrawalsEn = {
  /** `isGuarded`, here and below: a passkey of the wallet counts, which a chat cannot ask for. */
  withdrawHelp: (isGuarded: boolean): Paragraph[] => [
    line`Tell me how much, and the address it should go to: ${code('/withdraw all 0x…')} or ${code('/withdraw 5 0x…')}.`,
    line`An address that begins with 0x is on Base, any other on Solana. I show you everything before I send it.`,
    isGuarded
      ? line`A passkey guards this money, and a chat cannot ask for it. So what you withdraw here leaves after ${WITHOUT_PASSKEY_HOURS} hours. With the passkey, on the page of your money, it is faster.`
      : line`To the first address, ${people(AT_ONCE_DAILY_MAX)} USDC a day leaves at once. More, and whatever goes to another new address, leaves after ${WITHDRAWAL_WAIT_HOURS} hours, or up to ${WITHDRAWAL_WAIT_MAX_HOURS} if we cannot tell you of it in another chat or by mail.`,
  ],
  confirmWithdraw: ({ amount, place, address }: WithdrawFacts, name: string | null): Paragraph[] => [
    line`Send ${usdc(amount)}${name === null ? '' : ` of what you kept as ${nameForPayer(name, 'en')}`} on ${strong(place)} to this address?`,
    line`${code(address)}`,
    line`Please compare it once more: what goes to a wrong address cannot be brought back.`,
  ],
  confirmWithdrawButton: (amount: MicroUsdc): string => `Send ${people(amount)} USDC`,

  withdrawLeaves: (at: Date, isGuarded: boolean): Paragraph =>
    isGuarded
      ? line`A passkey guards this money, and a chat cannot ask for it, so it leaves on ${time(at)}. Until then you can cancel it.`
      : line`This address is new to this wallet, so the money leaves on ${time(at)}, where nobody can take it unseen. Until then you can cancel it.`,
  withdrawWaits: ({ amount, place, address }: WithdrawFacts, at: Date): Paragraph =>
    line`${usdc(amount)} leave on ${time(at)}, on ${place} for ${code(address)}. Until then they stay where they are.`,
  withdrawNotYou: (): Paragraph =>
    line`If that was not you, cancel it with ${code('/withdraw cancel')} and stop all spending with ${code('/lock')}.`,
  cancelWithdraw: (): string => 'Cancel it',
  withdrawCancelled: ({ amount, place, address }: WithdrawFacts): Paragraph =>
    line`Cancelled: ${usdc(amount)} for ${code(address)} on ${place} stay where they are.`,
  withdrawBecomesKnown: ({ amount, place, address }: WithdrawFacts, at: Date): Paragraph =>
    line`${usdc(amount)} went to ${code(address)} on ${place}. From ${time(at)} any amount can leave for that address at once.`,
  withdrawNewAgain: ({ amount, place, address }: WithdrawFacts): Paragraph =>
    line`Nothing leaves for ${code(address)} on ${place} at once any more: it counts as a new address. ${usdc(amount)} had left for it.`,
  noWithdrawWaits: (): Paragraph => line`No withdrawal is waiting, so there is nothing to cancel.`,

  withdrawWaitsForAccount: ({ amount, place, address }: WithdrawFacts, at: Date): Paragraph =>
    line`${code(address)} has no USDC account on ${place} yet, and the accounts that I open in a day are used up. ${usdc(amount)} stay where they are; I try again from ${time(at)}.`,
  withdrawing: ({ amount, place, address }: WithdrawFacts): Paragraph =>
    line`Sending ${usdc(amount)} on ${place} to ${code(address)}. It may take some minutes, and it can’t be sent twice.`,
  withdrawn: ({ amount, place, address }: WithdrawFacts): Paragraph =>
    line`${usdc(amount)} arrived on ${place} at ${code(address)}.`,
  transaction: (transaction: string): Paragraph => [muted(`Transaction ${transaction}`)],
  seeTransaction: (): string => 'See the transaction',
  withdrawFailed: ({ amount }: WithdrawFacts, failure: string): Paragraph =>
    line`Your ${usdc(amount)} stayed where it was. ${whyFailedEn(failure)}`,

  withdrawProblem: (problem: WithdrawProblem): Paragraph => {
    switch (problem.code) {
      case 'network_off':
        return line`Nothing can be sent on ${problem.place} here.`;
      case 'which_network':
        return line`On which network?`;
      case 'unreachable':
        return line`I can’t reach ${problem.place} right now, so I sent nothing. Please try again in a minute.`;
      case 'address':
        return line`${ADDRESS_REFUSALS[problem.reason]}`;
      case 'own_address':
        return line`That is the address of this wallet itself. Please give one somewhere else.`;
      case 'too_little':
        return line`The least that I send is ${people(problem.least)} USDC.`;
      case 'not_enough':
        return problem.held === 0n
          ? line`There is nothing on ${problem.place}.`
          : line`There are only ${people(problem.held)} USDC on ${problem.place}.`;
    }
  },
  withdrawNotHeld: (): Paragraph => line`This wallet is not open to you any more, so I sent nothing.`,
  withdrawLimited: (detail: string): Paragraph => line`${detail}`,
};
