/** Skill-named calls: what a task asks for, and which transaction does not pay for it. What pays is tested on real chains. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stopSigning } from '../../../db/store/stops.ts';
import { HEAD, NOW_MS, PARAMS, rpc, say, SKILL, startWorld, TASK_ADDRESS, USDC, type World, X402 } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => {
  world.clock.nowMs = NOW_MS;
  world.landed.clear();
});
afterAll(() => world.close());

type Asked = {
  network: string;
  amount: string;
  recipient: string;
  token: string;
  price: string;
  extra: string;
  memo?: string;
};
type Opened = { taskId: string; payments: [Asked, Asked] };

async function open(params: Record<string, unknown> = PARAMS, skill = SKILL): Promise<Opened> {
  const { result, text } = await say(world, rpc(skill, params));
  if (result?.['status'] !== 'PAYMENT_REQUIRED') throw new Error(`expected a task, found ${text}`);
  return result as Opened;
}

describe('the first call', () => {
  test('answers an amount of its own on each network, and when its time is over', async () => {
    const { result } = await say(world, rpc(SKILL, PARAMS));
    const { payments } = result as Opened;
    const [base, solana] = payments;
    expect(result).toMatchObject({
      taskId: expect.stringMatching(/^task_[0-9a-f]{32}$/),
      status: 'PAYMENT_REQUIRED',
      payment: { network: 'eip155:8453', amount: base.amount, token: USDC.base, recipient: TASK_ADDRESS.base },
      price: '1500000',
      extra: base.extra,
      expiresAt: new Date(NOW_MS + 3_600_000).toISOString(),
    });
    expect(solana).toMatchObject({
      network: 'solana:mainnet',
      token: USDC.solana,
      recipient: TASK_ADDRESS.solana,
      memo: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    for (const { amount, price, extra } of payments) {
      expect(BigInt(amount)).toBe(BigInt(price) + BigInt(extra));
      expect(Number(extra)).toBeGreaterThan(0);
      expect(BigInt(amount) % 1_000n).not.toBe(0n);
    }
  });

  test('opens another task each time, for batches and for photo as well', async () => {
    const receivers = [
      { receiver: 'alice.smith', amount: 1 },
      { receiver: 'bob', amount: '0.5' },
    ];
    const [one, other] = [await open({ receivers }, 'pennypost.batch-pay.photo'), await open()];
    expect(one.payments[0].price).toBe('1500000');
    expect(other.taskId).not.toBe(one.taskId);
    expect(other.payments[0].amount).not.toBe(one.payments[0].amount);
  });

  test('takes an alias of a platform, which is the same skill', async () => {
    const { taskId } = await open(PARAMS, 'pennypost.pay.twitter');
    expect((await say(world, rpc(SKILL, { ...PARAMS, taskId }))).result['taskId']).toBe(taskId);
  });

  test('takes a refund address that may be paid, and no other', async () => {
    await open({ ...PARAMS, refund_address: `0x${'ab'.repeat(20)}` });
    for (const refund_address of ['0x12', [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`]]) {
      const refused = await say(world, rpc(SKILL, { ...PARAMS, refund_address }));
      expect(refused.error).toMatchObject({
        code: -32602,
        data: { error: 'invalid_payout_address', field: 'refund_address' },
      });
    }
  });

  test('knows the skills of the bot’s own platforms for the bot alone', async () => {
    const call = rpc('pennypost.pay.discord', { receiver: '1234567890123456789', amount: 1 });
    expect((await say(world, call)).error).toMatchObject({ code: -32601 });
    const asBot = await say(world, call, {
      'X-A2A-Extensions': X402,
      authorization: `Bearer ${world.dependencies.settings.botApiToken}`,
    });
    expect(asBot.result).toMatchObject({ status: 'PAYMENT_REQUIRED' });
  });
});

describe('with its taskId', () => {
  test('and nothing else, or the same arguments, the call answers what the task asks for', async () => {
    const { taskId, payments } = await open();
    for (const params of [
      { taskId },
      { ...PARAMS, taskId },
      { taskId, amount: PARAMS.amount, receiver: PARAMS.receiver },
    ]) {
      expect((await say(world, rpc(SKILL, params))).result).toMatchObject({ taskId, payments });
    }
  });

  test.each([
    ['another amount', SKILL, { ...PARAMS, amount: 1.6 }],
    ['another receiver', SKILL, { ...PARAMS, receiver: 'mallory' }],
    ['a part of the arguments', SKILL, { receiver: PARAMS.receiver }],
    ['one more argument', SKILL, { ...PARAMS, description: 'more' }],
    ['another refund address', SKILL, { refund_address: `0x${'ab'.repeat(20)}` }],
    ['another skill', 'pennypost.pay.code', PARAMS],
  ])('and %s it is refused', async (_name, skill, params) => {
    const { taskId } = await open();
    const refused = await say(world, rpc(skill, { ...params, taskId }));
    expect(refused.error).toMatchObject({ code: -32602, data: { error: 'task_arguments_changed' } });
  });
});

const HASHES = { base: `0x${'ab'.repeat(32)}`, solana: '5'.repeat(88) };
const NAMES = { base: 'eip155:8453', solana: 'solana:mainnet' };

describe('a transaction', () => {
  const present = (taskId: string, network: string, transactionHash: string) =>
    say(world, rpc(SKILL, { taskId, payment: { network, transactionHash } }));

  test('that is not on the chain yet is asked for again', async () => {
    const task = await open();
    const answer = await present(task.taskId, NAMES.base, HASHES.base);
    expect(answer.result).toMatchObject({
      taskId: task.taskId,
      status: 'PAYMENT_REQUIRED',
      payments: task.payments,
      error: 'payment_not_found_yet',
    });
    expect(answer.result['metadata']).toBeUndefined();
  });

  test('that fits and is not safe yet is waited for, and then asked for again', async () => {
    const task = await open();
    land('base', { amountMicroUsdc: BigInt(task.payments[0].amount) });
    const answer = await present(task.taskId, 'base', HASHES.base.toUpperCase().replace('0X', '0x'));
    expect(answer.result['error']).toBe('payment_not_found_yet');
    expect(world.clock.nowMs).toBe(NOW_MS + 2_000);
  });

  type Landed = { amountMicroUsdc?: bigint; to?: string; block?: number; failed?: boolean; memo?: string | null };
  function land(network: 'base' | 'solana', { amountMicroUsdc = 0n, to, block, failed, memo }: Landed, moves = true) {
    const transfer = { from: 'somebody', to: to ?? TASK_ADDRESS[network], amountMicroUsdc };
    world.landed.set(HASHES[network].toLowerCase(), {
      kind: 'found',
      transfers: moves ? [transfer] : [],
      block: block ?? HEAD + 1,
      failed: failed ?? false,
      memo: memo ?? null,
    });
  }

  type Case = [string, (amount: bigint, price: bigint) => void, string];
  const cases: Case[] = [
    ['that failed', (amountMicroUsdc) => land('base', { amountMicroUsdc, failed: true }, false), 'transaction_failed'],
    ['of another token', () => land('base', {}, false), 'wrong_token'],
    [
      'to another person',
      (amountMicroUsdc) => land('base', { amountMicroUsdc, to: `0x${'33'.repeat(20)}` }),
      'wrong_recipient',
    ],
    ['of the plain price', (_amount, amountMicroUsdc) => land('base', { amountMicroUsdc }), 'wrong_amount'],
    ['of one micro-USDC more', (amount) => land('base', { amountMicroUsdc: amount + 1n }), 'wrong_amount'],
    [
      'from before the task',
      (amountMicroUsdc) => land('base', { amountMicroUsdc, block: HEAD }),
      'transaction_too_old',
    ],
  ];
  test.each(cases)('%s is refused by name', async (_name, happen, error) => {
    const { taskId, payments } = await open();
    happen(BigInt(payments[0].amount), BigInt(payments[0].price));
    const refused = await present(taskId, NAMES.base, HASHES.base);
    expect(refused.error).toMatchObject({ code: -32602, data: { error, field: 'payment.transactionHash' } });
    expect(world.clock.nowMs).toBe(NOW_MS);
  });

  test('on Solana pays its plain price with the memo of the task only', async () => {
    const { taskId, payments } = await open();
    const amountMicroUsdc = BigInt(payments[1].price);
    land('solana', { amountMicroUsdc, memo: 'another' });
    expect((await present(taskId, NAMES.solana, HASHES.solana)).error.data['error']).toBe('wrong_amount');
    land('solana', { amountMicroUsdc, memo: payments[1].memo ?? '' });
    expect((await present(taskId, NAMES.solana, HASHES.solana)).result['error']).toBe('payment_not_found_yet');
  });

  test.each([
    ['another network', 'eip155:1', HASHES.base, 'invalid_network'],
    ['the hash of another network', NAMES.base, HASHES.solana, 'invalid_transaction_hash'],
    ['no hash', NAMES.base, '0x12', 'invalid_transaction_hash'],
    ['a path for a hash', NAMES.solana, '../../etc/passwd', 'invalid_transaction_hash'],
  ])('%s is refused by name', async (_name, network, hash, error) => {
    const { taskId } = await open();
    expect((await present(taskId, network, hash)).error).toMatchObject({ code: -32602, data: { error } });
  });

  test('is asked for again although the chain cannot be asked now', async () => {
    const { taskId } = await open();
    world.landed.set(HASHES.base, { kind: 'unavailable' });
    expect((await present(taskId, NAMES.base, HASHES.base)).error).toMatchObject({
      code: -32052,
      data: { error: 'upstream_unavailable', retryable: true },
    });
  });
});

test('among ten thousand open tasks one more is opened, found and waited for as ever', async () => {
  const crowd = await startWorld();
  try {
    await fill(crowd, 10_000);
    const started = performance.now();
    const { result } = await say(crowd, rpc(SKILL, PARAMS));
    const payment = { network: NAMES.base, transactionHash: HASHES.base };
    const again = await say(crowd, rpc(SKILL, { taskId: result['taskId'], payment }));
    expect(again.result).toMatchObject({ taskId: result['taskId'], error: 'payment_not_found_yet' });
    expect(performance.now() - started).toBeLessThan(15_000);
  } finally {
    await crowd.close();
  }
});

/** Open tasks of strangers, up to 10 USDC, as opening them one by one would have left them. */
async function fill({ store }: World, count: number): Promise<void> {
  const { tasks, taskOffers } = store.tables;
  const text = {
    skill: SKILL,
    operation: 'a2a.pay',
    platform: 'x',
    requestHash: 'h',
    agentKnown: false,
    refundAddresses: [],
  };
  const times = { createdAtMs: NOW_MS, expiresAtMs: NOW_MS + 3_600_000, reservedUntilMs: NOW_MS + 7 * 86_400_000 };
  for (let start = 0; start < count; start += 100) {
    const ids = Array.from({ length: 100 }, (_, index) => start + index);
    await store.tx(async (db) => {
      await db.insert(tasks).values(
        ids.map((id) => ({
          ...text,
          ...times,
          id: `task_${id}`,
          params: PARAMS,
          memo: `memo_${id}`,
          status: 'open' as const,
          sumMicroUsdc: 1_500_000n,
          feeMicroUsdc: 0n,
          claimTtlMs: 1,
        })),
      );
      await db.insert(taskOffers).values(
        ids.map((id) => ({
          taskId: `task_${id}`,
          network: 'base' as const,
          address: TASK_ADDRESS.base,
          priceMicroUsdc: BigInt(id) * 997n + 10_000n,
          amountMicroUsdc: BigInt(id) * 997n + 10_007n,
          headBlock: HEAD,
          reused: false,
        })),
      );
    });
  }
}

test('strangers may leave twenty tasks unpaid, and are told to sign instead', async () => {
  const real = await startWorld({ reservationsMax: 20 });
  try {
    for (let index = 0; index < 20; index += 1) await say(real, rpc(SKILL, PARAMS));
    const refused = await say(real, rpc(SKILL, PARAMS));
    expect([refused.status, refused.error.code, refused.headers.get('Retry-After')]).toEqual([429, -32053, '3600']);
    const signed = await say(
      real,
      rpc('SendMessage', { message: { messageId: 'm', parts: [{ data: { skill: SKILL, params: PARAMS } }] } }),
    );
    expect(signed.result).toHaveProperty('task.status.state', 'TASK_STATE_INPUT_REQUIRED');
  } finally {
    await real.close();
  }
});

test('while nothing is signed no task is opened', async () => {
  const stopped = await startWorld();
  try {
    await stopSigning(stopped.store, { reason: 'operator', network: 'all', detail: 'the test' }, NOW_MS);
    const refused = await say(stopped, rpc(SKILL, PARAMS));
    expect([refused.error.code, refused.error.data['error']]).toEqual([-32051, 'service_paused']);
  } finally {
    await stopped.close();
  }
});
