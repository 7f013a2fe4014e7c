import { type Address, encodeFunctionData, type Hex, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Authorization, encodeTransfer } from '../../../../chain/evm/authorization.ts';
import { CONTRACT_PAYER_GAS, gasLimitFor, tightGasFor } from '../../../../chain/evm/rpc/fees.ts';
import { createEvmRpc } from '../../../../chain/evm/rpc/rpc.ts';
import { ChainUnavailable } from '../../../../chain/errors.ts';
import { microUsdc } from '../../../../core/money.ts';
import { LOCAL_USDC_ABI } from '../../../../local/evm/contracts.ts';
import { signCancellation } from '../../../support/chains/base-chain.ts';
import { randomAddress, randomHash } from '../authorizations.ts';
import { answering, startFakeNode } from '../fake-node.ts';
import {
  bumped as bumpedFees,
  createPayer,
  lower,
  profile,
  sendAlone,
  type Settling,
  signTransfer,
  startSettling,
  testFees,
} from '../settling.ts';

let settling: Settling;
let chain: Settling['chain'];
let rpc: Settling['rpc'];

beforeAll(async () => {
  settling = await startSettling();
  ({ chain, rpc } = settling);
});
afterAll(() => settling.close());

describe('heads and blocks', () => {
  test('head gives three blocks of one moment in one HTTP request', async () => {
    await chain.mine(3);
    const head = await rpc.head();
    const latest = await chain.client.getBlock();
    expect(head.latest).toEqual({
      number: Number(latest.number),
      hash: latest.hash,
      parentHash: latest.parentHash,
      time: Number(latest.timestamp),
      baseFee: latest.baseFeePerGas,
    });
    expect(head.latest.number - head.safe.number).toBe(1);
    expect(head.safe.number - head.finalized.number).toBe(1);
  });

  test('heads that exclude each other are no answer', async () => {
    const header = (number: number) => ({
      number: numberToHex(number),
      hash: randomHash(),
      parentHash: randomHash(),
      timestamp: '0x1',
      baseFeePerGas: '0x1',
    });
    const heights: Record<string, number> = { latest: 5, safe: 6, finalized: 4 };
    const node = await startFakeNode(answering(({ params }) => header(heights[String(params[0])] ?? 0)));
    const fake = createEvmRpc({ url: node.url, timeoutMs: 5_000, profile });
    await expect(fake.head()).rejects.toMatchObject({ fault: 'inconsistent' });
    heights.safe = 5;
    await expect(fake.head()).resolves.toMatchObject({ safe: { number: 5 } });
    expect(node.requests()).toBe(2);
  });

  test('blocks gives what exists and stops at the head', async () => {
    const { latest } = await rpc.head();
    const headers = await rpc.blocks(latest.number - 1, latest.number + 3);
    expect(headers.map(({ number }) => number)).toEqual([latest.number - 1, latest.number]);
    expect(headers[1]?.parentHash).toBe(headers[0]?.hash);
  });

  test('a block under another number is no answer', async () => {
    const { latest } = await rpc.head();
    const block = await chain.client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] });
    const node = await startFakeNode(answering(() => block));
    const fake = createEvmRpc({ url: node.url, timeoutMs: 5_000, profile });
    await expect(fake.blocks(latest.number - 1, latest.number)).rejects.toThrow(ChainUnavailable);
  });

  test('the chain says which one it is', async () => {
    expect(await rpc.chainId()).toBe(8453);
  });
});

describe('balances, code and authorization states', () => {
  test('balances are those of the asked block', async () => {
    const payer = await createPayer(chain, 5_000_000n);
    const { latest } = await rpc.head();
    await chain.mine();
    expect(await rpc.balanceOf(payer.address)).toBe(5_000_000n);
    expect(await rpc.balanceOf(payer.address, latest.number)).toBe(5_000_000n);
    expect(await rpc.balanceOf(payer.address, latest.number - 1)).toBe(0n);
    expect(await rpc.nativeBalance(payer.address)).toBe(10n ** 18n);
  });

  test('code tells contracts from plain accounts', async () => {
    const wallet = await chain.deploySmartWallet(randomAddress());
    const [contract, none] = await rpc.code([wallet, randomAddress()], 'latest');
    expect(contract?.length).toBeGreaterThan(2);
    expect(none).toBe('0x');
  });

  test('states of 1,000 authorizations come in order and in one HTTP request', async () => {
    const payer = await createPayer(chain);
    const { authorization, call } = await signTransfer(payer, { value: 1n });
    await sendAlone(settling, call);
    await chain.mine();
    const unused = Array.from({ length: 999 }, () => ({ authorizer: payer.address, nonce: randomHash() }));
    const keys = unused.toSpliced(500, 0, { authorizer: payer.address, nonce: authorization.nonce });
    const states = await rpc.authorizationStates(keys, 'latest');
    expect(states.flatMap((used, index) => (used ? [index] : []))).toEqual([500]);
    expect(states).toHaveLength(1_000);
    expect(await rpc.authorizationStates([], 'latest')).toEqual([]);
  });

  test('a canceled authorization is also "used": the state alone proves no transfer', async () => {
    const payer = await createPayer(chain);
    const nonce = randomHash();
    const signature = await signCancellation(payer, { authorizer: payer.address, nonce });
    const args = [payer.address, nonce, signature] as const;
    await sendAlone(settling, encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName: 'cancelAuthorization', args }));
    await chain.mine();
    expect(await rpc.authorizationStates([{ authorizer: payer.address, nonce }], 'latest')).toEqual([true]);
    expect(await rpc.balanceOf(payer.address)).toBe(10_000_000n);
  });

  test('an answer that is not what the contract returns is no answer', async () => {
    const node = await startFakeNode(answering(() => '0x'));
    const fake = createEvmRpc({ url: node.url, timeoutMs: 5_000, profile });
    await expect(fake.balanceOf(randomAddress())).rejects.toMatchObject({ fault: 'malformed' });
    const keys = [{ authorizer: randomAddress(), nonce: randomHash() }];
    await expect(fake.authorizationStates(keys, 'latest')).rejects.toMatchObject({ fault: 'malformed' });
  });
});

describe('sending', () => {
  test('the same bytes sent again and again land once', async () => {
    const payer = await createPayer(chain);
    const { call } = await signTransfer(payer, { to: settling.treasury.address, value: 3n });
    const { raw, hash } = await settling.sign([call]);
    await rpc.sendRaw(raw);
    await rpc.sendRaw(raw);
    await chain.mine();
    await rpc.sendRaw(raw);
    await chain.mine();
    const [receipt] = await rpc.receipts([hash]);
    expect(receipt).toMatchObject({ transaction: hash, succeeded: true });
    expect(await rpc.balanceOf(payer.address)).toBe(10_000_000n - 3n);
  });

  test.each<[string, () => Promise<Hex>]>([
    [
      'a nonce that is used',
      async () =>
        (await settling.sign([(await signTransfer(await createPayer(chain), {})).call], { laneNonce: 0 })).raw,
    ],
    ['no transaction at all', async () => '0x1234'],
  ])('nothing follows from a node that refuses %s', async (_name, makeRaw) => {
    if ((await rpc.transactionCount(settling.lane, 'latest')) === 0) {
      await settling.settle([(await signTransfer(await createPayer(chain), {})).call]);
    }
    await expect(rpc.sendRaw(await makeRaw())).resolves.toBeUndefined();
  });

  test('nothing follows from a lost reply: the transaction lands', async () => {
    const payer = await createPayer(chain);
    const { raw, hash } = await settling.sign([(await signTransfer(payer, { value: 1n })).call]);
    const node = await startFakeNode((questions, response) => {
      void chain.rpc('eth_sendRawTransaction', ...(questions[0]?.params ?? [])).then(() => response.destroy());
    });
    const lossy = createEvmRpc({ url: node.url, timeoutMs: 5_000, profile });
    await lossy.sendRaw(raw);
    await chain.mine();
    expect((await rpc.receipts([hash]))[0]).toMatchObject({ succeeded: true });
  });

  /** A batch that waits in the pool. */
  async function getStuck() {
    const payer = await createPayer(chain);
    const { call } = await signTransfer(payer, { to: settling.treasury.address, value: 7n });
    const laneNonce = await rpc.transactionCount(settling.lane, 'latest');
    const { latest } = await rpc.head();
    const fees = testFees(latest.baseFee);
    const stuck = await settling.sign([call], { laneNonce, fees });
    await rpc.sendRaw(stuck.raw);
    expect(await rpc.transactionCount(settling.lane, 'pending')).toBe(laneNonce + 1);
    return { payer, call, laneNonce, fees, stuck };
  }

  test('a stuck batch is replaced at its nonce with bumped fees, and only the replacement lands', async () => {
    const { payer, call, laneNonce, fees, stuck } = await getStuck();
    const { latest } = await rpc.head();
    const bumped = await settling.sign([call], { laneNonce, fees: bumpedFees(fees, latest.baseFee) });
    await rpc.sendRaw(bumped.raw);
    await chain.mine();
    const [first, second] = await rpc.receipts([stuck.hash, bumped.hash]);
    expect(first).toBeNull();
    expect(second).toMatchObject({ succeeded: true });
    await rpc.sendRaw(stuck.raw);
    expect(await rpc.balanceOf(payer.address)).toBe(10_000_000n - 7n);
  });

  test('control: a replacement that does not raise the fees is refused, and the first one lands', async () => {
    const { laneNonce, fees, stuck, call } = await getStuck();
    const other = await settling.sign([call, call], { laneNonce, fees });
    await rpc.sendRaw(other.raw);
    await chain.mine();
    expect(await rpc.receipts([stuck.hash, other.hash])).toMatchObject([{ succeeded: true }, null]);
  });

  test('a batch that the pool dropped because the base fee ran away lands with bumped fees', async () => {
    const { call, laneNonce, fees, stuck } = await getStuck();
    const { latest } = await rpc.head();
    await chain.rpc('anvil_setNextBlockBaseFeePerGas', numberToHex(latest.baseFee * 10n));
    await chain.mine();
    expect(await rpc.receipts([stuck.hash])).toEqual([null]);
    const bumped = await settling.sign([call], { laneNonce, fees: bumpedFees(fees, latest.baseFee * 10n) });
    await rpc.sendRaw(bumped.raw);
    await chain.mine();
    expect(await rpc.receipts([bumped.hash])).toMatchObject([{ succeeded: true }]);
  });
});

describe('receipts', () => {
  const someReceipt = (transactionHash: Hex) => ({
    transactionHash,
    blockNumber: '0x5',
    blockHash: randomHash(),
    status: '0x0',
    gasUsed: '0x64',
    effectiveGasPrice: '0x3',
    l1Fee: '0x7',
    logs: [],
  });

  test('what a transaction cost includes its fee on Ethereum', async () => {
    const node = await startFakeNode(answering(({ params }) => someReceipt(params[0] as Hex)));
    const fake = createEvmRpc({ url: node.url, timeoutMs: 5_000, profile });
    expect(await fake.receipts([randomHash()])).toMatchObject([{ succeeded: false, gasUsed: 100n, feeWei: 307n }]);
  });

  test('the receipt of another transaction is no answer', async () => {
    const node = await startFakeNode(answering(() => someReceipt(randomHash())));
    const fake = createEvmRpc({ url: node.url, timeoutMs: 5_000, profile });
    await expect(fake.receipts([randomHash()])).rejects.toMatchObject({ fault: 'malformed' });
  });

  test('a log that was reorganised away meanwhile is no answer', async () => {
    const place = { blockNumber: '0x5', blockHash: randomHash(), transactionHash: randomHash(), logIndex: '0x0' };
    const log = { address: profile.usdc, topics: [], data: '0x', removed: true, ...place };
    const node = await startFakeNode(answering(() => [log]));
    const fake = createEvmRpc({ url: node.url, timeoutMs: 5_000, profile });
    await expect(fake.transfersInBlock([randomAddress()], randomHash())).rejects.toMatchObject({ fault: 'malformed' });
  });
});

describe('states of payers', () => {
  const keyOf = (authorizer: Address, nonce = randomHash()) => ({ authorizer, nonce });

  test('one call tells of each payer whether its authorization is used, whether it has code, and its balance', async () => {
    const [used, rich, none] = [await createPayer(chain, 5_000n), await createPayer(chain), randomAddress()];
    const owner = await createPayer(chain, 0n);
    const wallet = await chain.deploySmartWallet(owner.address);
    const { authorization, call } = await signTransfer(used, { value: 2_000n });
    await settling.settle([call]);
    const keys = [keyOf(used.address, authorization.nonce), keyOf(used.address), keyOf(rich.address)];
    expect(await rpc.payerStates([...keys, keyOf(wallet), keyOf(none)], 'latest')).toEqual([
      { used: true, hasCode: false, balanceMicroUsdc: 3_000n },
      { used: false, hasCode: false, balanceMicroUsdc: 3_000n },
      { used: false, hasCode: false, balanceMicroUsdc: 10_000_000n },
      { used: false, hasCode: true, balanceMicroUsdc: 0n },
      { used: false, hasCode: false, balanceMicroUsdc: 0n },
    ]);
    expect(await rpc.payerStates([], 'latest')).toEqual([]);
  });

  test('what waits in the pool shows at pending', async () => {
    const payer = await createPayer(chain);
    const { authorization, call } = await signTransfer(payer, { value: 1n });
    await sendAlone(settling, call);
    const key = keyOf(payer.address, authorization.nonce);
    const [latest, pending] = [await rpc.payerStates([key], 'latest'), await rpc.payerStates([key], 'pending')];
    expect([latest[0]?.used, pending[0]?.used]).toEqual([false, true]);
    await chain.mine();
  });

  test('a crowd is told in its order, in as few calls as its size allows', async () => {
    const payer = await createPayer(chain, 7n);
    let calls = 0;
    const node = await startFakeNode((questions, response) => {
      calls += questions.length;
      const asked = questions.map(async ({ id, method, params }) => ({
        id,
        result: await chain.rpc(method, ...params),
      }));
      void Promise.all(asked).then((replies) => response.end(JSON.stringify(replies)));
    });
    const counted = createEvmRpc({ url: node.url, timeoutMs: 10_000, profile });
    const crowd = Array.from({ length: 500 }, (_, index) => (index === 450 ? payer.address : randomAddress()));
    const states = await counted.payerStates(
      crowd.map((address) => keyOf(address)),
      'pending',
    );
    expect(states.findIndex(({ balanceMicroUsdc }) => balanceMicroUsdc === 7n)).toBe(450);
    expect([states.length, calls]).toEqual([500, 2]);
  });

  test('a token that does not answer is no answer', async () => {
    const elsewhere = { ...profile, usdc: randomAddress() };
    const lost = createEvmRpc({ url: chain.rpcUrl, timeoutMs: 10_000, profile: elsewhere });
    await expect(lost.payerStates([keyOf(randomAddress())], 'latest')).rejects.toThrow(ChainUnavailable);
  });
});

describe('simulation', () => {
  const outcomes = (results: readonly { success: boolean }[]) => results.map(({ success }) => success);

  test('one failing call of three is found, and the batch then does the same', async () => {
    const [rich, poor, other] = await Promise.all([createPayer(chain), createPayer(chain, 0n), createPayer(chain)]);
    const to = settling.treasury.address;
    const transfers = [rich, poor, other].map((payer) => signTransfer(payer!, { to, value: 1_000n }));
    const calls = (await Promise.all(transfers)).map(({ call }) => call);
    const simulated = await rpc.simulateBatch({ calls, from: settling.lane });
    expect(outcomes(simulated)).toEqual([true, false, true]);
    // Error(string) of the token, for callers that show it.
    expect(simulated[1]?.data.startsWith('0x08c379a0')).toBe(true);
    const before = await rpc.balanceOf(to);
    expect(await settling.settle(calls)).toMatchObject({ succeeded: true });
    expect(await rpc.balanceOf(to)).toBe(before + 2_000n);
  });

  test('a second transfer that the balance does not cover fails after the first', async () => {
    const payer = await createPayer(chain, 1_500n);
    const pair = await Promise.all([signTransfer(payer, { value: 1_000n }), signTransfer(payer, { value: 1_000n })]);
    const calls = pair.map(({ call }) => call);
    expect(outcomes(await rpc.simulateBatch({ calls, from: settling.lane }))).toEqual([true, false]);
  });

  test('a transfer that waits in the pool is seen at pending, not at latest', async () => {
    const payer = await createPayer(chain);
    const { call } = await signTransfer(payer, { value: 1n });
    await sendAlone(settling, call);
    const batch = { calls: [call], from: settling.lane };
    expect(outcomes(await rpc.simulateBatch(batch))).toEqual([false]);
    expect(outcomes(await rpc.simulateBatch({ ...batch, block: 'latest' }))).toEqual([true]);
    await chain.mine();
  });

  test('the batch is judged with the gas that it would have', async () => {
    const payers = await Promise.all(Array.from({ length: 3 }, () => createPayer(chain)));
    const calls = (await Promise.all(payers.map((payer) => signTransfer(payer, { value: 1n })))).map(
      ({ call }) => call,
    );
    expect(outcomes(await rpc.simulateBatch({ calls, from: settling.lane }))).toEqual([true, true, true]);
    // Control: with gas for one, the answer is another one, so the limit does reach the node.
    const starved = await rpc
      .simulateBatch({ calls, from: settling.lane, gasLimit: 110_000n })
      .then(outcomes, (error: unknown) => error);
    expect(starved).not.toEqual([true, true, true]);
  });

  test('a wallet with code pays by ERC-1271, alone, within its fixed gas limit', async () => {
    const owner = await createPayer(chain, 0n);
    const wallet = await chain.deploySmartWallet(owner.address);
    await chain.fundUsdc(wallet, microUsdc(5_000n));
    const { call } = await signTransfer(owner, { from: wallet, to: settling.treasury.address, value: 5_000n });
    const gasLimit = CONTRACT_PAYER_GAS;
    expect(outcomes(await rpc.simulateBatch({ calls: [call], from: settling.lane, gasLimit }))).toEqual([true]);
    await settling.settle([call], { gasLimit });
    expect(await rpc.balanceOf(wallet)).toBe(0n);
  });

  test('a wallet that burns all gas fails alone, and in a batch it starves the others', async () => {
    const owner = await createPayer(chain, 0n);
    const wallet = await chain.deploySmartWallet(owner.address);
    await chain.setBurning(wallet, true);
    const hostile = await signTransfer(owner, { from: wallet, value: 1n });
    const honest = await signTransfer(await createPayer(chain), { value: 1n });
    const alone = { calls: [hostile.call], from: settling.lane, gasLimit: CONTRACT_PAYER_GAS };
    expect(outcomes(await rpc.simulateBatch(alone))).toEqual([false]);
    // Control: this is why such payers never share a batch.
    const shared = await rpc
      .simulateBatch({ calls: [hostile.call, honest.call], from: settling.lane })
      .then(outcomes, (error: unknown) => error);
    expect(shared).not.toEqual([false, true]);
  });
});

describe('gas of real batches', () => {
  async function gasOf(count: number): Promise<bigint> {
    // Payers and recipients that never touched USDC before: the dearest case.
    const payers = await Promise.all(Array.from({ length: count }, () => createPayer(chain, 1_000n)));
    const signed = await Promise.all(payers.map((payer) => signTransfer(payer, { value: 999n, to: randomAddress() })));
    const receipt = await settling.settle(signed.map(({ call }) => call));
    const states = await rpc.authorizationStates(
      signed.map(({ authorization }) => keyOf(authorization)),
      'latest',
    );
    expect(states).not.toContain(false);
    return receipt.gasUsed;
  }
  const keyOf = ({ from, nonce }: Authorization) => ({ authorizer: lower(from), nonce });

  test.each([1, 2, 30])('the limit for %d items leaves a quarter of room in the dearest case', async (count) => {
    expect((await gasOf(count)) * 5n).toBeLessThan(gasLimitFor(count) * 4n);
  });
});

test('a crowd that pays one recipient fits the tight limit, with the room that its simulation proves', async () => {
  const payers = await Promise.all(Array.from({ length: 60 }, () => createPayer(chain, 1_000n)));
  const to = settling.treasury.address;
  const calls = (await Promise.all(payers.map((payer) => signTransfer(payer, { to, value: 999n })))).map(
    ({ call }) => call,
  );
  const { limit, proof } = tightGasFor(calls.length);
  const simulated = await rpc.simulateBatch({ calls, from: settling.lane, gasLimit: proof });
  expect(simulated.every(({ success }) => success)).toBe(true);
  expect((await settling.settle(calls, { gasLimit: limit })).gasUsed).toBeLessThan(proof);
});

test('a lone item goes to the token itself, which costs less than through the batch contract', async () => {
  const gasOf = async (count: number) => {
    const payers = await Promise.all(Array.from({ length: count }, () => createPayer(chain)));
    const to = settling.treasury.address;
    const signed = await Promise.all(payers.map((payer) => signTransfer(payer, { to, value: 1n })));
    return (await settling.settle(signed.map(({ call }) => call))).gasUsed;
  };
  const [alone, two, three] = [await gasOf(1), await gasOf(2), await gasOf(3)];
  // What two of a batch share is what three share as well.
  expect(alone).toBeLessThan(two - (three - two));
});

test('a whole settlement needs few HTTP requests', async () => {
  let requests = 0;
  const node = await startFakeNode((questions, response) => {
    requests += 1;
    const asked = questions.map(async ({ id, method, params }) => ({ id, result: await chain.rpc(method, ...params) }));
    void Promise.all(asked).then((replies) => response.end(JSON.stringify(replies)));
  });
  const counted = createEvmRpc({ url: node.url, timeoutMs: 5_000, profile });
  const payer = await createPayer(chain);
  const { authorization, call } = await signTransfer(payer, { to: settling.treasury.address, value: 1n });
  const payers: Address[] = [payer.address];

  await Promise.all([
    counted.code(payers, 'latest'),
    counted.authorizationStates([{ authorizer: payer.address, nonce: authorization.nonce }], 'latest'),
    counted.simulateBatch({ calls: [call], from: settling.lane }),
    counted.transactionCount(settling.lane, 'latest'),
    counted.head(),
  ]);
  expect(requests).toBe(1);
  const { raw, hash } = await settling.sign([call]);
  await counted.sendRaw(raw);
  await chain.mine();
  expect((await counted.receipts([hash]))[0]).toMatchObject({ succeeded: true });
  expect(requests).toBe(3);
});

test('an authorization of the treasury lands once, however often it is put into a batch', async () => {
  const { treasury } = settling;
  await chain.fundUsdc(treasury.address, microUsdc(1_000n));
  const to = randomAddress();
  const window = { validAfter: 0, validBefore: 4_000_000_000 };
  const call = async (payoutId: string, value = 100n) => {
    const { authorization, signature } = await treasury.signPayout({ payoutId, to, value, ...window });
    return encodeTransfer(authorization, signature);
  };
  await settling.settle([await call('payout-a'), await call('payout-a')]);
  // As from restored books, which know another amount, or give back what was paid out.
  await settling.settle([await call('payout-a', 90n)]);
  expect(await rpc.balanceOf(to)).toBe(100n);
  // Control: a nonce that does not come from the payout alone pays again.
  await settling.settle([await call('payout-a-1')]);
  expect(await rpc.balanceOf(to)).toBe(200n);
});
