import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OperationId } from '../../../core/catalog/operations.ts';
import {
  expectNothingClaimed,
  expectRefusal,
  jsonPost,
  startInstallation,
  type Installation,
  type Refusal,
} from '../installation.ts';
import { BAD_AMOUNTS } from './amounts.ts';
import { BAD_RECEIVERS } from './receivers.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation?.close());
afterEach(() => expectNothingClaimed(installation));

/** Both routes read a list of receivers; across platforms each one names its own. */
const ROUTES = [
  {
    operation: 'batchPay',
    name: 'batch-pay',
    address: (platform: string) => `/payments/${platform}/batch-pay`,
    named: () => ({}),
  },
  {
    operation: 'crossBatchPay',
    name: 'batch-pay across platforms',
    address: () => '/payments/batch-pay',
    named: (platform: string) => ({ platform }),
  },
] as const satisfies { operation: OperationId; [key: string]: unknown }[];

describe.each(ROUTES)('$name', ({ operation, address, named }) => {
  const good = { receiver: 'alice', amount: 0.01, ...named('x') };

  async function expectRefused(platform: string, body: unknown, refusal: Refusal): Promise<string> {
    const reply = await installation.send(address(platform), jsonPost(body));
    expectRefusal(installation, operation, reply, refusal);
    return reply.body.detail;
  }

  test('control: 100 receivers without a mistake are offered one price', async () => {
    const receivers = Array.from({ length: 100 }, () => good);
    const reply = await installation.send(address('x'), jsonPost({ receivers }));
    expect(reply.status).toBe(402);
    expect(reply.body.accepts[0]).toMatchObject({ maxAmountRequired: '1000000' });
  });

  test.each(BAD_AMOUNTS)('one amount of three that is %s refuses all of them', async (_name, text, error) => {
    const body = JSON.stringify({ receivers: [good, { ...good, amount: 'HERE' }, good] }).replace('"HERE"', text);
    const field = error === 'invalid_json' ? undefined : 'receivers[1].amount';
    await expectRefused('x', body, { status: 400, error, field });
  });

  test('a missing amount says what is wanted', async () => {
    const { amount: _missing, ...rest } = good;
    const refusal = { status: 400, error: 'validation_failed', field: 'receivers[1].amount' };
    expect(await expectRefused('x', { receivers: [good, rest] }, refusal)).toContain('must be 0.01 to 10 USDC');
  });

  test.each(BAD_RECEIVERS)('one receiver that is %s (%s) refuses all of them', async (_name, platform, receiver) => {
    const bad = { receiver, amount: 1, ...named(platform) };
    // On one platform a good line before it would have to be a name there.
    const receivers = operation === 'crossBatchPay' ? [good, bad] : [bad];
    const field = `receivers[${receivers.length - 1}].receiver`;
    await expectRefused(platform, { receivers }, { status: 400, error: 'invalid_receiver', field });
  });

  test.each([
    ['missing', {}],
    ['null', { receiver: null }],
    ['a number', { receiver: 7 }],
    ['a list', { receiver: ['alice'] }],
    ['empty', { receiver: '' }],
  ])('a receiver that is %s refuses all of them', async (_name, part) => {
    const { receiver: _replaced, ...rest } = good;
    const receivers = [good, { ...rest, ...part }];
    await expectRefused(
      'x',
      { receivers },
      { status: 400, error: 'validation_failed', field: 'receivers[1].receiver' },
    );
  });

  test.each<[string, unknown, string]>([
    ['missing', undefined, 'receivers'],
    ['null', null, 'receivers'],
    ['a text', 'alice', 'receivers'],
    ['an object', { 0: good }, 'receivers'],
    ['empty', [], 'receivers'],
    ['101 long', Array.from({ length: 101 }, () => good), 'receivers'],
    ['of texts', ['alice'], 'receivers[0]'],
    ['of lists', [[good]], 'receivers[0]'],
    ['with a hole', [good, null], 'receivers[1]'],
  ])('a list of receivers that is %s', async (_name, receivers, field) => {
    await expectRefused('x', { receivers }, { status: 400, error: 'validation_failed', field });
  });

  test('a line that is no object is told what a line is', async () => {
    const refusal = { status: 400, error: 'validation_failed', field: 'receivers[0]' };
    expect(await expectRefused('x', { receivers: ['alice'] }, refusal)).toBe(
      '"receivers[0]" must be an object that names receiver and amount, found the text "alice".',
    );
  });

  test.each<[string, unknown, string, string | undefined]>([
    ['another currency', { receivers: [good], currency: 'EURC' }, 'invalid_currency', 'currency'],
    ['a number as description', { receivers: [good], description: 7 }, 'validation_failed', 'description'],
    ['a text as meta', { receivers: [good], meta: 'x' }, 'validation_failed', 'meta'],
    ['an empty object', '{}', 'validation_failed', 'receivers'],
    ['a list as body', [good], 'validation_failed', undefined],
    ['the body of a single payment', good, 'validation_failed', 'receivers'],
  ])('%s', async (_name, body, error, field) => {
    await expectRefused('x', body, { status: 400, error, field });
  });

  test('a key that is too short', async () => {
    const init = jsonPost({ receivers: [good] }, { 'Idempotency-Key': 'short' });
    const reply = await installation.send(address('x'), init);
    expectRefusal(installation, operation, reply, {
      status: 400,
      error: 'invalid_idempotency_key',
      field: 'Idempotency-Key',
    });
  });
});

describe('batch-pay on a platform that is refused', () => {
  test.each(['myspace', '\u0445', 'photo', 'discord', 'constructor'])('%s', async (platform) => {
    const path = `/payments/${encodeURIComponent(platform)}/batch-pay`;
    const reply = await installation.send(path, jsonPost({ receivers: [{ receiver: 'alice', amount: 1 }] }));
    expectRefusal(installation, 'batchPay', reply, { status: 404, error: 'not_found' });
  });
});

describe('batch-pay across platforms with a platform that is refused', () => {
  test.each<[string, unknown, string]>([
    ['missing', undefined, 'validation_failed'],
    ['null', null, 'validation_failed'],
    ['a number', 7, 'validation_failed'],
    ['empty', '', 'validation_failed'],
    ['unknown', 'myspace', 'platform_unavailable'],
    ['a look-alike', '\u0445', 'platform_unavailable'],
    ['with a space', ' x', 'platform_unavailable'],
    ['for bots only', 'photo', 'platform_unavailable'],
    ['a chat', 'telegram', 'platform_unavailable'],
    ['a key of every object', 'constructor', 'platform_unavailable'],
  ])('%s', async (_name, platform, error) => {
    const receivers = [
      { platform: 'x', receiver: 'alice', amount: 1 },
      { platform, receiver: 'bob', amount: 1 },
    ];
    const reply = await installation.send('/payments/batch-pay', jsonPost({ receivers }));
    expectRefusal(installation, 'crossBatchPay', reply, { status: 400, error, field: 'receivers[1].platform' });
  });
});
