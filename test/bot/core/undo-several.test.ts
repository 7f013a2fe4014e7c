import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CancelAnswer } from '../../../bot/requests/cancellations.ts';
import { pressEvent, START_MS, usdc } from '../harness.ts';
import { openChatStage, type ChatStage } from './chat-stage.ts';

/** The stand-in numbers the people of a tip from here on. */
const ALICE = 4711;
const BOB = 4712;
const CAROL = 4713;
const UNDO = 'Take back what waits';

let stage: ChatStage;
let answers: Map<number, CancelAnswer>;
let asked: number[];

beforeEach(async () => {
  stage = await openChatStage({ faucet: true });
  answers = new Map();
  asked = [];
  stage.deps.cancellations = {
    cancel: async (txnId) => {
      asked.push(txnId);
      const answer = answers.get(txnId) ?? { kind: 'done' };
      if (answer.kind === 'done') await putLine(txnId, 'returning');
      return answer;
    },
  };
  for (const txnId of [ALICE, BOB, CAROL]) await putLine(txnId, 'escrowed');
});
afterEach(() => stage.close());

/** A person's part as the API has it in the books. */
async function putLine(txnId: number, status: 'escrowed' | 'paying' | 'returning'): Promise<void> {
  const { lines } = stage.store.tables;
  const row = {
    txnId,
    paymentId: 'payment',
    position: txnId - ALICE,
    identityId: `identity ${txnId}`,
    platform: 'x',
    receiver: 'alice',
    recipientKey: 'alice',
    display: 'alice',
    amountMicroUsdc: usdc(1),
    status,
    slug: `slug ${txnId}`,
    publicSlug: `public ${txnId}`,
    expiresAtMs: START_MS,
  } as typeof lines.$inferInsert;
  await stage.store.tx((db) =>
    db.insert(lines).values(row).onConflictDoUpdate({ target: lines.txnId, set: { status } }),
  );
}

async function tipThree(): Promise<void> {
  await stage.say('/tip x:alice x:bob x:carol 1', 'tip');
  await stage.press('tip', 'Send 3.00 USDC');
}

test('what nobody has collected of a payment for several comes back with one press of its payer', async () => {
  await tipThree();
  expect(stage.labels('tip')).toContain(UNDO);
  expect(await stage.press('tip', UNDO, 'chat:mallory')).toContain('Only whoever asked for this');
  expect(asked).toEqual([]);
  expect(await stage.press('tip', UNDO)).toBeUndefined();
  expect(stage.shown('tip').text).toBe(
    'Taken back: 3.00 USDC for @alice on X, @bob on X, @carol on X. It is on its way to your wallet.',
  );
  expect([asked.toSorted((one, other) => one - other), stage.labels('tip')]).toEqual([[ALICE, BOB, CAROL], []]);
});

test('a recipient who had it keeps it, and the message says of each what became of it', async () => {
  await putLine(ALICE, 'paying');
  await tipThree();
  answers.set(ALICE, { kind: 'too_late' });
  expect(await stage.press('tip', UNDO)).toBe('Too late for @alice on X: they have it, or have begun to collect it.');
  expect(stage.shown('tip').text).toBe(
    [
      'Sent 3.00 USDC to 3 people.',
      'On its way: @alice on X',
      'Taken back: 2.00 USDC for @bob on X, @carol on X. It is on its way to your wallet.',
    ].join('\n'),
  );
  expect(stage.labels('tip')).toEqual(['@alice on X']);
});

test('a part that is being collected can be taken back later, and the others are not asked for again', async () => {
  await tipThree();
  answers.set(BOB, { kind: 'too_late' });
  expect(await stage.press('tip', UNDO)).toContain('Too late for @bob on X');
  expect(stage.shown('tip').text).toMatch(/Waiting to be collected: @bob on X\n.*\nTaken back: 2\.00 USDC/);
  answers.delete(BOB);
  asked = [];
  expect(await stage.press('tip', UNDO)).toBeUndefined();
  expect(asked).toEqual([BOB]);
  expect(stage.shown('tip').text).toContain('Taken back: 3.00 USDC for @alice on X, @bob on X, @carol on X.');
});

test('where nobody answers for one of them the others come back, and it can be pressed again', async () => {
  await tipThree();
  answers.set(CAROL, { kind: 'unknown', reason: 'status none' });
  expect(await stage.press('tip', UNDO)).toContain('please press again in a minute');
  expect(stage.shown('tip').text).toContain('Taken back: 2.00 USDC for @alice on X, @bob on X.');
  answers.delete(CAROL);
  expect(await stage.press('tip', UNDO)).toBeUndefined();
  expect(stage.shown('tip').text).toContain('Taken back: 3.00 USDC');
});

test('a crash in the middle is made good by the next press', async () => {
  await tipThree();
  const { cancellations } = stage.deps;
  stage.deps.cancellations = {
    cancel: async (txnId, signed) => {
      await cancellations?.cancel(txnId, signed);
      if (txnId === CAROL) throw new Error('the process ends here');
      return { kind: 'done' };
    },
  };
  expect(await stage.press('tip', UNDO)).toContain('Something went wrong on my side');
  expect((await stage.orderOf('tip'))?.undoneAtMs).toBeNull();
  if (cancellations) stage.deps.cancellations = cancellations;
  expect(await stage.press('tip', UNDO)).toBeUndefined();
  expect(stage.shown('tip').text).toContain('Taken back: 3.00 USDC');
});

test('an old button says nothing new once all of it is back', async () => {
  await tipThree();
  const button = stage.chat.last('tip')?.actions.find((action) => action.kind === 'button');
  if (button?.kind !== 'button') throw new Error('there is no button');
  await stage.press('tip', UNDO);
  asked = [];
  await stage.bot.press(pressEvent(button.id, 'press-old'));
  await stage.bot.idle();
  expect([asked, stage.chat.textOf('press-old')]).toEqual([[], undefined]);
});

test('nothing is offered where all of them have it', async () => {
  for (const txnId of [ALICE, BOB, CAROL]) await putLine(txnId, 'paying');
  await tipThree();
  expect(stage.labels('tip')).not.toContain(UNDO);
});

test('is signed for the parts of its own order only', async () => {
  await tipThree();
  const { id: orderId, userId } = (await stage.orderOf('tip'))!;
  const { signer } = stage.deps;
  for (const txnId of [ALICE, BOB, CAROL]) await signer.signCancellation({ orderId, txnId, userId });
  await expect(signer.signCancellation({ orderId, txnId: CAROL + 1, userId })).rejects.toThrow(
    'a payment of the order',
  );
});
