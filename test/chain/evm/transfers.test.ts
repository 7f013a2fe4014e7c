import { type Address, encodeAbiParameters, type Hex, parseAbiParameters } from 'viem';
import { describe, expect, test } from 'vitest';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import type { ChainLog, TransactionReceipt } from '../../../chain/evm/rpc/rpc-shapes.ts';
import { transfersOf } from '../../../chain/evm/transfers.ts';
import { AUTHORIZATION_USED_TOPIC, TRANSFER_TOPIC } from '../../../chain/evm/rpc/usdc.ts';
import { toTopic } from '../../../chain/evm/rpc/usdc-logs.ts';
import { randomAddress, randomHash } from './authorizations.ts';

const profile = evmProfile('base', 'local');
const usdc = profile.usdc.toLowerCase() as Address;
const [alice, bob, treasury] = [randomAddress(), randomAddress(), randomAddress()];
const [nonceA, nonceB] = [randomHash(), randomHash()];

type Written = Pick<ChainLog, 'address' | 'topics' | 'data'>;

const used = (authorizer: Address, nonce: Hex, address = usdc): Written => ({
  address,
  topics: [AUTHORIZATION_USED_TOPIC, toTopic(authorizer), nonce],
  data: '0x',
});

const moved = (from: Address, value: bigint, address = usdc): Written => ({
  address,
  topics: [TRANSFER_TOPIC, toTopic(from), toTopic(treasury)],
  data: encodeAbiParameters(parseAbiParameters('uint256'), [value]),
});

const approved = (address = usdc): Written => ({ address, topics: [randomHash()], data: '0x' });

function receiptOf(written: readonly Written[], firstLogIndex = 40): TransactionReceipt {
  const place = { block: 9, blockHash: randomHash(), transaction: randomHash() };
  const logs = written.map((log, index) => ({ ...log, ...place, logIndex: firstLogIndex + index }));
  return { ...place, succeeded: true, gasUsed: 1n, feeWei: 1n, logs };
}

/** Position, value and proven nonce of each transfer: all that pairing decides. */
const pairsOf = (written: readonly Written[], firstLogIndex?: number) =>
  transfersOf(receiptOf(written, firstLogIndex), profile).map(({ position, value, nonce }) => [position, value, nonce]);

describe('pairing of authorizations and transfers', () => {
  test('each authorization of a batch belongs to the transfer right after it', () => {
    const batch = [used(alice, nonceA), moved(alice, 1n), used(bob, nonceB), moved(bob, 2n)];
    expect(pairsOf(batch)).toEqual([
      [1, 1n, nonceA],
      [3, 2n, nonceB],
    ]);
  });

  test('a plain transfer proves none', () => {
    expect(pairsOf([moved(alice, 1n)])).toEqual([[0, 1n, undefined]]);
    expect(transfersOf(receiptOf([moved(alice, 1n)]), profile)[0]).not.toHaveProperty('authorizer');
  });

  test('a second transfer after one authorization proves none', () => {
    expect(pairsOf([used(alice, nonceA), moved(alice, 1n), moved(alice, 1n)])).toEqual([
      [1, 1n, nonceA],
      [2, 1n, undefined],
    ]);
  });

  test('an authorization followed by another authorization proves none', () => {
    expect(pairsOf([used(alice, nonceA), used(alice, nonceB), moved(alice, 1n)])).toEqual([[2, 1n, nonceB]]);
  });

  test('an authorization followed by another event of USDC proves none', () => {
    expect(pairsOf([used(alice, nonceA), approved(), moved(alice, 1n)])).toEqual([[2, 1n, undefined]]);
  });

  test('an authorization followed by a transfer out of another account proves none', () => {
    expect(pairsOf([used(alice, nonceA), moved(bob, 1n)])).toEqual([[1, 1n, undefined]]);
  });

  test('logs of other contracts in between change nothing, and none of them counts', () => {
    const other = randomAddress();
    const written = [
      used(bob, nonceB, other),
      used(alice, nonceA),
      moved(bob, 9n, other),
      approved(other),
      moved(alice, 1n),
    ];
    expect(pairsOf(written)).toEqual([[1, 1n, nonceA]]);
  });

  test('the same authorization event of a foreign contract proves nothing', () => {
    expect(pairsOf([used(alice, nonceA, randomAddress()), moved(alice, 1n)])).toEqual([[0, 1n, undefined]]);
  });

  test('position does not depend on where the block puts the transaction', () => {
    const written = [moved(alice, 1n), used(bob, nonceB), moved(bob, 2n)];
    expect(pairsOf(written, 0)).toEqual(pairsOf(written, 700));
  });

  test('a node that returns logs out of order changes nothing', () => {
    const receipt = receiptOf([used(alice, nonceA), moved(alice, 1n), used(bob, nonceB), moved(bob, 2n)]);
    const reversed = { ...receipt, logs: receipt.logs.toReversed() };
    expect(transfersOf(reversed, profile)).toEqual(transfersOf(receipt, profile));
  });

  test('control: pairing by order of appearance would credit a payment that never moved', () => {
    // Alice's authorization was used, but what follows is another owner's plain transfer.
    const logs = receiptOf([used(alice, nonceA), approved(), moved(bob, 1n)]).logs;
    const nonces = logs.filter((log) => log.topics[0] === AUTHORIZATION_USED_TOPIC);
    const transfers = logs.filter((log) => log.topics[0] === TRANSFER_TOPIC);
    const naive = transfers.map((_, index) => nonces[index]?.topics[2]);
    expect(naive).toEqual([nonceA]);
    expect(pairsOf([used(alice, nonceA), approved(), moved(bob, 1n)])).toEqual([[2, 1n, undefined]]);
  });
});
