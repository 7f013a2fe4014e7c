import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toReceiptAnswer, versionOf } from '../../../api/receipts/answer.ts';
import { hasReceipt, toReceiptView, type ReceiptPlace, type ReceiptView } from '../../../api/receipts/view.ts';
import { certaintyOf, nextOf, stateOf, titleOf } from '../../../texts/receipt-page/letter.ts';
import { findReceipt, type ShownRow } from '../../../db/payments/records/find.ts';
import {
  INBOUND,
  NOW_MS,
  PAYER,
  PAYOUT_TRANSACTION,
  startInstallation,
  WALLET,
  type Installation,
  type Seed,
} from '../pages/installation.ts';

const PLACE: ReceiptPlace = {
  baseUrl: 'https://pay.example.com',
  localMode: false,
  networks: [{ network: 'base', caip2: 'eip155:8453' }],
};

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

async function rowOf(seed: Seed): Promise<ShownRow> {
  const row = await findReceipt(installation.store, (await installation.seed(seed)).slug, NOW_MS);
  if (row === null) throw new Error('the seeded receipt is not there');
  return row;
}

async function viewOf(seed: Seed, place: ReceiptPlace = PLACE): Promise<ReceiptView> {
  const view = toReceiptView(await rowOf(seed), place);
  if (view === null) throw new Error('the seeded line has no receipt');
  return view;
}

describe('which lines have a receipt', () => {
  test.each([
    ['just claimed', { payment: { status: 'received', answer: null }, line: { status: 'accepted' } }, false],
    ['being settled', { payment: { status: 'settling', answer: null }, line: { status: 'accepted' } }, false],
    ['refused', { payment: { status: 'rejected', answer: null }, line: { status: 'void' } }, false],
    ['settled', {}, true],
    ['final', { payment: { status: 'final' } }, true],
    ['settled once and reorganised away', { payment: { status: 'settling' } }, true],
    ['settled once and then dead', { payment: { status: 'rejected' }, line: { status: 'void' } }, true],
  ] as const satisfies readonly (readonly [string, Seed, boolean])[])('%s', async (_title, seed, expected) => {
    const row = await rowOf(seed);
    expect(hasReceipt(row)).toBe(expected);
    expect(toReceiptView(row, PLACE) !== null).toBe(expected);
  });
});

describe('what a state looks like', () => {
  const WAITING = {};
  const UNDONE = { payment: { status: 'rejected', landedTransaction: null }, line: { status: 'void' } } as const;
  const REORGANISED = { payment: { status: 'settling', landedTransaction: null } } as const;

  test.each([
    ['waiting', WAITING, 'pending_claim', 'settled', 'Waiting to be collected'],
    ['waiting, final', { payment: { status: 'final' } }, 'pending_claim', 'final', 'Waiting to be collected'],
    ['queued', { payout: { status: 'queued' } }, 'queued', 'settled', 'On its way to @alice on X'],
    ['broadcast', { payout: { status: 'broadcast' } }, 'queued', 'settled', 'On its way to @alice on X'],
    ['confirmed', { payout: { status: 'confirmed' } }, 'paid', 'settled', 'Received by @alice on X'],
    ['held', { payout: { status: 'held' } }, 'held', 'settled', 'Being checked'],
    ['looked up', { line: { status: 'resolving' } }, 'queued', 'settled', '@alice on X is being looked up'],
    ['going back', { line: { status: 'returning' } }, 'queued', 'settled', 'On its way back to the payer'],
    [
      'being sent back',
      { line: { status: 'returning' }, payout: { status: 'broadcast' } },
      'queued',
      'settled',
      'On its way back to the payer',
    ],
    [
      'back',
      { line: { status: 'returning' }, payout: { status: 'final' } },
      'refunded',
      'settled',
      'Returned to the payer',
    ],
    ['reorganised away', REORGANISED, 'pending_claim', 'pending', 'Being sent again'],
    ['undone', UNDONE, 'queued', 'pending', 'It did not take place'],
  ] as const)('%s', async (_title, seed, status, finality, state) => {
    const view = await viewOf(seed as Seed);
    expect([view.status, view.finality, stateOf(view)]).toEqual([status, finality, state]);
  });

  test.each([
    ['settled and waiting', {}, false],
    ['final and waiting for its owner', { payment: { status: 'final' } }, true],
    ['final, the payout still moving', { payment: { status: 'final' }, payout: { status: 'broadcast' } }, false],
    ['final, the payout not yet', { payment: { status: 'final' }, payout: { status: 'confirmed' } }, false],
    ['final both', { payment: { status: 'final' }, payout: { status: 'final' } }, true],
    ['final and held', { payment: { status: 'final' }, payout: { status: 'held' } }, true],
    ['payout final, payment not', { payout: { status: 'final' } }, false],
    ['final and looked up', { payment: { status: 'final' }, line: { status: 'resolving' } }, false],
    ['final and going back', { payment: { status: 'final' }, line: { status: 'returning' } }, false],
    ['undone', UNDONE, true],
  ] as const)('%s: finished is told right', async (_title, seed, isFinished) => {
    expect((await viewOf(seed as Seed)).isFinished).toBe(isFinished);
  });

  test('a waiting receipt says until when, and what comes after', async () => {
    const view = await viewOf({});
    expect(titleOf(view)).toBe('$1.00 for @alice on X');
    expect(nextOf(view)).toBe(
      'Waiting for @alice on X to collect it. If nobody collects it, it goes back to its sender on 20 December 2026 (UTC).',
    );
    expect(view.claimPath).toMatch(/^\/claim\/x\/alice\?receipt=[\w-]{22}$/);
  });

  test('a receipt that waits for nobody offers nothing to collect and names no day', async () => {
    for (const seed of [{ payout: { status: 'confirmed' } }, UNDONE, { payout: { status: 'held' } }] as Seed[]) {
      const view = await viewOf(seed);
      expect([view.claimPath, view.expiresAt]).toEqual([null, null]);
    }
  });

  test('a line that is looked up says who is asked, for how long, and what comes after', async () => {
    const view = await viewOf({ line: { status: 'resolving' } });
    expect(nextOf(view)).toBe(
      'X has not answered yet, so it is not known who @alice on X is. It is asked again for 15 minutes; if there is nobody of that name, or still no answer, the money goes back to the payer.',
    );
    expect([view.claimPath, view.expiresAt]).toEqual([null, null]);
    expect(toReceiptAnswer(view)).toMatchObject({ msg: '1 USDC for x:alice, who is being looked up' });
  });

  test.each([
    ['not_found', 'There is no @alice on X, so nobody could have collected it.'],
    ['no_answer', 'X gave no answer for 15 minutes, so nobody could say who @alice on X is.'],
    [
      'had_another_owner',
      '@alice on X was somebody else before, and nobody could say who it was at the time of the payment.',
    ],
    [
      'newer_than_payment',
      'Whoever is @alice on X now got that name only after the payment, so somebody else was meant.',
    ],
    ['opted_out', '@alice on X wants no payments.'],
    ['declined', '@alice on X did not want it.'],
    ['taken_back', 'The payer took it back before it was collected.'],
  ] as const)('what comes back for being %s says so, on its way and after', async (returnReason, why) => {
    const line = { status: 'returning', returnReason } as const;
    expect(nextOf(await viewOf({ line }))).toBe(`${why} It is on its way back to the payer by itself.`);
    expect(nextOf(await viewOf({ line, payout: { status: 'final' } }))).toBe(
      `${why} The money went back the way it came.`,
    );
  });

  test.each([
    ['after its time, that nobody collected it', 30 * 86_400_000, 'It was not collected in time. '],
    ['before its time, as after a restore, nothing', 60_000, ''],
  ])('what comes back without a reason says %s', async (_what, afterMs, why) => {
    const seed: Seed = { line: { status: 'returning' }, refundedAtMs: NOW_MS + afterMs };
    expect(nextOf(await viewOf(seed))).toBe(`${why}It is on its way back to the payer by itself.`);
    expect(nextOf(await viewOf({ ...seed, payout: { status: 'final' } }))).toBe(
      `${why}The money went back the way it came.`,
    );
  });

  test('what has not gone back says no reason, even where its reason is known already', async () => {
    const declined = { returnReason: 'declined', expiresAtMs: NOW_MS } as const;
    expect((await viewOf({ line: declined })).returnedBecause).toBeNull();
  });

  test('a payment that lost its block shows no transaction and no time of settlement', async () => {
    // The row still names the block that is gone: what is shown follows the state, not what is left in columns.
    const view = await viewOf({ payment: { status: 'settling', landedTransaction: INBOUND } });
    expect([view.transaction, view.transactionUrl, view.settledAt, view.claimPath]).toEqual([null, null, null, null]);
    expect(certaintyOf(view)).toBe('Base replaced the block it was in.');
  });
});

describe('what strangers may not see', () => {
  test('an e-mail address is masked everywhere, in the claim link too', async () => {
    const view = await viewOf({ line: { platform: 'email', recipientKey: 'alice.secret@example.com' } });
    expect(view.recipient).toBe('email:a***@example.com');
    expect(view.claimPath).toMatch(/^\/claim\/email\?receipt=[\w-]{22}$/);
    expect(everythingIn(view)).not.toContain('secret');
  });

  test('neither the payout, nor a wallet, nor the payer is in it', async () => {
    const row = await rowOf({ payout: { status: 'final' }, payment: { status: 'final' } });
    // The control: the row holds all of them.
    expect(JSON.stringify(row, bigIntAsText)).toContain(PAYOUT_TRANSACTION);
    const view = toReceiptView(row, PLACE)!;
    const text = everythingIn(view);
    for (const secret of [PAYOUT_TRANSACTION, WALLET, PAYER, row.payment.nonce]) expect(text).not.toContain(secret);
    expect(text).toContain(INBOUND);
  });

  test.each([
    ['no meta', null, null],
    ['a name', { agent_name: 'Marta' }, 'Marta'],
    ['another key', { agent: 'Marta' }, null],
    ['a number', { agent_name: 7 }, null],
    ['an object', { agent_name: { toString: 'x' } }, null],
    ['only invisible characters', { agent_name: '\u200B\u202E' }, null],
    ['quotation marks', { agent_name: 'Marta” (verified) “' }, "Marta' (verified) '"],
    ['a long name', { agent_name: 'n'.repeat(80) }, `${'n'.repeat(39)}…`],
  ] as const)('the sender from meta: %s', async (_title, meta, name) => {
    expect((await viewOf({ payment: { meta } })).senderName).toBe(name);
  });

  test('the sender is known when our bot sent it', async () => {
    const meta = { agent_name: 'alice on Discord' };
    expect(await viewOf({ payment: { meta, agentKnown: true } })).toMatchObject({ isSenderKnown: true });
    expect(await viewOf({ payment: { meta } })).toMatchObject({ isSenderKnown: false });
  });

  test('a note has at most 140 characters', async () => {
    const view = await viewOf({ payment: { description: 'note '.repeat(400) } });
    expect(Array.from(view.note ?? '')).toHaveLength(140);
  });
});

describe('where the transaction can be looked at', () => {
  test.each([
    ['Base', 'eip155:8453', false, 'Base', `https://basescan.org/tx/${INBOUND}`],
    [
      'its test network',
      'eip155:84532',
      false,
      'Base Sepolia (test money)',
      `https://sepolia.basescan.org/tx/${INBOUND}`,
    ],
    ['local mode, which only looks like Base', 'eip155:8453', true, 'Base', null],
    ['a chain without a known explorer', 'eip155:1', false, 'Base', null],
  ])('%s', async (_title, caip2, localMode, name, url) => {
    const view = await viewOf({}, { ...PLACE, localMode, networks: [{ network: 'base', caip2 }] });
    expect([view.networkName, view.transactionUrl]).toEqual([name, url]);
  });

  test('a network that was switched off keeps its name', async () => {
    const view = await viewOf({}, { ...PLACE, networks: [] });
    expect([view.networkName, view.transactionUrl]).toEqual(['Base', null]);
  });
});

describe('what programs get', () => {
  test('a waiting receipt', async () => {
    const row = await rowOf({});
    expect(toReceiptAnswer(toReceiptView(row, PLACE)!)).toEqual({
      code: 200,
      msg: '1 USDC waiting for x:alice to collect it until 2026-12-20',
      data: {
        txn_id: row.line.txnId,
        amount: 1,
        currency: 'USDC',
        recipient: 'x:alice',
        platform: 'x',
        network: 'base',
        transaction: INBOUND,
        status: 'pending_claim',
        finality: 'settled',
        created_at: '2026-11-20T13:05:00.000Z',
        settled_at: '2026-11-20T13:05:04.000Z',
        expires_at: '2026-12-20T13:05:00.000Z',
        receipt: `https://pay.example.com/receipts/${row.line.slug}`,
      },
    });
  });

  test('a receipt that waits for nobody has no expires_at', async () => {
    const answer = toReceiptAnswer(await viewOf({ payout: { status: 'confirmed' } }));
    expect(answer).toMatchObject({ msg: '1 USDC received by x:alice', data: { status: 'paid' } });
    expect(answer.data).not.toHaveProperty('expires_at');
  });

  test('the version changes with what is shown and with nothing else', async () => {
    const row = await rowOf({});
    const version = (change: Partial<ShownRow['payment']>) =>
      versionOf(toReceiptView({ ...row, payment: { ...row.payment, ...change } }, PLACE)!);
    expect(version({})).toBe(version({ tries: 9, delivery: 'missed' }));
    expect(version({})).not.toBe(version({ status: 'final' }));
  });
});

function everythingIn(view: ReceiptView): string {
  return JSON.stringify([view, toReceiptAnswer(view), titleOf(view), stateOf(view), nextOf(view)], bigIntAsText);
}

function bigIntAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
