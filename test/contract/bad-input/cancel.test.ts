import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  expectNothingClaimed,
  expectRefusal,
  jsonPost,
  startInstallation,
  type Installation,
} from '../installation.ts';

const NOW_MS = Date.UTC(2026, 7, 1);
const NOW_SECONDS = NOW_MS / 1000;
const SIGNATURE = `0x${'ab'.repeat(65)}`;
const ORDER = { signature: SIGNATURE, valid_before: NOW_SECONDS + 60 };

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation({
    rpcUrl: 'http://127.0.0.1:9',
    fundEth: async () => undefined,
    runWorker: false,
    now: () => NOW_MS,
  });
});
afterAll(() => installation?.close());
afterEach(() => expectNothingClaimed(installation));

const cancel = (body: unknown, txnId: string | number = 4711) =>
  installation.send(`/payments/${txnId}/cancel`, jsonPost(body));

describe('cancel: a body that is refused', () => {
  test.each<[string, unknown, string | undefined]>([
    ['an empty body', '', 'signature'],
    ['no signature', { valid_before: ORDER.valid_before }, 'signature'],
    ['null as signature', { ...ORDER, signature: null }, 'signature'],
    ['a number as signature', { ...ORDER, signature: 7 }, 'signature'],
    ['an empty signature', { ...ORDER, signature: '' }, 'signature'],
    ['0x alone', { ...ORDER, signature: '0x' }, 'signature'],
    ['half a byte', { ...ORDER, signature: `${SIGNATURE}a` }, 'signature'],
    ['a signature that is not hex', { ...ORDER, signature: `0x${'zz'.repeat(65)}` }, 'signature'],
    ['a signature of 7,000 bytes', { ...ORDER, signature: `0x${'ab'.repeat(7_000)}` }, 'signature'],
    ['no valid_before', { signature: SIGNATURE }, 'valid_before'],
    ['null as valid_before', { ...ORDER, valid_before: null }, 'valid_before'],
    ['a text as valid_before', { ...ORDER, valid_before: String(ORDER.valid_before) }, 'valid_before'],
    ['half a second', { ...ORDER, valid_before: ORDER.valid_before + 0.5 }, 'valid_before'],
    ['zero', { ...ORDER, valid_before: 0 }, 'valid_before'],
    ['milliseconds', { ...ORDER, valid_before: NOW_MS }, 'valid_before'],
    ['a time that is over', { ...ORDER, valid_before: NOW_SECONDS - 1 }, 'valid_before'],
    ['this very second', { ...ORDER, valid_before: NOW_SECONDS }, 'valid_before'],
    ['more than ten minutes ahead', { ...ORDER, valid_before: NOW_SECONDS + 601 }, 'valid_before'],
    ['a list as body', [ORDER], undefined],
    ['null as body', 'null', undefined],
  ])('%s', async (_name, body, field) => {
    expectRefusal(installation, 'cancelPayment', await cancel(body), {
      status: 400,
      error: 'validation_failed',
      field,
    });
  });

  test('broken JSON', async () => {
    expectRefusal(installation, 'cancelPayment', await cancel('{"signature":'), { status: 400, error: 'invalid_json' });
  });

  test('the answer says what was wanted', async () => {
    const { body } = await cancel({ ...ORDER, signature: 7 });
    expect(body.detail).toBe(
      '"signature" must be the payer’s signature: hex with 0x on Base, base58 on Solana, found number 7.',
    );
  });
});

describe('cancel: a payment that is not known', () => {
  test.each([
    ['never made', 4711],
    ['zero', 0],
    ['negative', -1],
    ['half a number', '1.5'],
    ['a word', 'one'],
    ['a leading zero', '01'],
    ['17 digits', '1'.repeat(17)],
    ['the largest', '9007199254740991'],
    ['beyond the largest', '9999999999999999'],
    ['Arabic digits', encodeURIComponent('\u0661')],
  ])('%s', async (_name, txnId) => {
    const reply = await cancel(ORDER, txnId);
    expectRefusal(installation, 'cancelPayment', reply, { status: 400, error: 'payment_not_found', field: 'txn_id' });
  });
});
