import { expect, test } from 'vitest';
import type { AuthorizationKey } from '../../../chain/evm/rpc/authorization-reads.ts';
import { withdrawalNonce } from '../../../chain/evm/nonces.ts';
import { findLanding } from '../../../chain/evm/withdrawal-history.ts';

const id = 'c0ffee';
const fromAddress = `0x${'AB'.repeat(20)}`;

/** A token that has used up these generations: in the newest block, and in the safe one. */
function nodeWith(used: { latest: number[]; safe: number[] }) {
  const asked: AuthorizationKey[] = [];
  const authorizationStates = async (keys: readonly AuthorizationKey[], block: unknown) => {
    asked.push(...keys);
    const generations = block === 'safe' ? used.safe : used.latest;
    return keys.map(({ nonce }) => generations.some((generation) => nonce === withdrawalNonce({ id, generation })));
  };
  return { asked, authorizationStates };
}

test.each([
  ['null while none of them is used', { latest: [], safe: [] }, null],
  ['one that may still vanish', { latest: [3], safe: [] }, { transaction: null, isFinal: false }],
  ['one that is there for good', { latest: [5], safe: [5] }, { transaction: null, isFinal: true }],
  ['null for one that comes before them', { latest: [0], safe: [0] }, null],
])('answers %s', async (_title, used, landing) => {
  const node = nodeWith(used);
  expect(await findLanding(node, { id, first: 1, last: 5, fromAddress })).toEqual(landing);
  expect(new Set(node.asked.map(({ authorizer }) => authorizer))).toEqual(new Set([fromAddress.toLowerCase()]));
  expect(node.asked).toHaveLength(10);
});
