import { describe, test } from 'vitest';
import { costCases } from './cases/costs.ts';
import { lostCases } from './cases/lost.ts';
import { payingCases } from './cases/paying.ts';
import { payoutCases } from './cases/payouts.ts';
import { refundCases } from './cases/refunds.ts';
import { refusalCases } from './cases/refusals.ts';
import { repetitionCases } from './cases/repetitions.ts';
import { restartCases } from './cases/restarts.ts';
import { rewardCases } from './cases/rewards.ts';
import type { NetworkUnderTest, Service, World } from './network.ts';
import { createSuite } from './suite.ts';

/** What every network must do with money, in the same cases for all of them. */
export function conformance(network: NetworkUnderTest): void {
  describe(`the conformance suite of networks, on ${network.network}`, () => {
    const suite = createSuite<Service, World>(network.network, network.open);
    payingCases(suite, network);
    repetitionCases(suite, network);
    refusalCases(suite, network);
    // Before the chain's clock is put forward: an unmodified client goes by this computer's.
    if (network.showsCommonRules) costCases(suite);
    lostCases(suite, network);
    payoutCases(suite, network);
    refundCases(suite, network);
    restartCases(suite, network);
    if (network.showsCommonRules) rewardCases(suite);

    test('in the end every invariant holds, and the books are the chain to the micro-USDC', async () => {
      const { comeToRest, assertBooksAreTheChain } = suite;
      await comeToRest(suite.service());
      await assertBooksAreTheChain(suite.service());
    });

    test('each wei or lamport that was spent is booked against the payer who caused it', async () => {
      const { comeToRest, assertCostsHaveCauses } = suite;
      await comeToRest(suite.service());
      await assertCostsHaveCauses(suite.service());
    });
  });
}
