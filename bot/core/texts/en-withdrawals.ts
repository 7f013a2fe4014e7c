import { formatUsdcForPeople, type MicroUsdc } from '../../../core/money.ts';
import { ADDRESS_REFUSALS } from '../../../core/payout-address.ts';
import { code, line, muted, strong, type Paragraph, type Span } from '../../../core/view.ts';
import { WITHDRAWAL_FAILURES } from '../../../db/withdrawals/states.ts';
import type { WithdrawProblem } from '../withdraw-problem.ts';

/** A withdrawal as its texts need it. */
export type WithdrawFacts = { amount: MicroUsdc; place: string; address: string };

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
// A map, because the word comes from a row that may be older than this program.
const FAILURES = new Map<string, string>(Object.entries(WITHDRAWAL_FAILURES));

/** Everything about money that leaves for an address. */
export const withdrawalsEn = {
  withdrawHelp: (): Paragraph[] => [
    line`Tell me how much, and the address it shall go to: ${code('/withdraw all 0x…')} or ${code('/withdraw 5 0x…')}.`,
    line`An address that begins with 0x is on Base, any other on Solana. I show you everything before I send it.`,
  ],
  confirmWithdraw: ({ amount, place, address }: WithdrawFacts, name: string | null): Paragraph[] => [
    line`Send ${usdc(amount)}${name === null ? '' : ` of what you kept as ${name}`} on ${strong(place)} to this address?`,
    line`${code(address)}`,
    line`Please compare it once more: what goes to a wrong address cannot be brought back.`,
  ],
  confirmWithdrawButton: (amount: MicroUsdc): string => `Send ${people(amount)} USDC`,

  withdrawing: ({ amount, place, address }: WithdrawFacts): Paragraph =>
    line`Sending ${usdc(amount)} on ${place} to ${code(address)}. It may take some minutes, and it can’t be sent twice.`,
  withdrawn: ({ amount, place, address }: WithdrawFacts): Paragraph =>
    line`${usdc(amount)} arrived on ${place} at ${code(address)}.`,
  transaction: (transaction: string): Paragraph => [muted(`Transaction ${transaction}`)],
  seeTransaction: (): string => 'See the transaction',
  withdrawFailed: ({ amount }: WithdrawFacts, failure: string): Paragraph =>
    line`Your ${usdc(amount)} stayed where it was. ${FAILURES.get(failure) ?? 'It could not be sent.'}`,

  withdrawProblem: (problem: WithdrawProblem): Paragraph => {
    switch (problem.code) {
      case 'network_off':
        return line`Nothing can be sent on ${problem.place} here.`;
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
          ? line`This wallet holds nothing on ${problem.place}.`
          : line`This wallet holds ${people(problem.held)} USDC on ${problem.place}, which is less.`;
    }
  },
  withdrawNotHeld: (): Paragraph => line`This wallet is not open to you any more, so I sent nothing.`,
  withdrawLimited: (detail: string): Paragraph => line`${detail}`,
};
