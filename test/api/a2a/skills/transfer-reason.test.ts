import { describe, expect, test } from 'vitest';
import { whyNot } from '../../../../api/a2a/skills/transfer-reason.ts';
import type { SeenTransfer } from '../../../../db/tasks/find.ts';

const TASK = { memo: 'm' };
const OFFER = {
  taskId: 'task_1',
  network: 'base' as const,
  address: '0xAB',
  priceMicroUsdc: 10_000n,
  amountMicroUsdc: 10_007n,
  headBlock: 5,
  untilBlock: null,
  reused: false,
};
const transfer = (amountMicroUsdc: bigint, to = '0xab') => ({ from: '0x1', to, amountMicroUsdc });
const landed = (...transfers: ReturnType<typeof transfer>[]) =>
  ({ kind: 'found', transfers, block: 6, failed: false, memo: null }) as const;
const seen = (amountMicroUsdc: bigint, consumedBy: string | null): SeenTransfer => ({
  fact: 'f',
  toAddress: '0xab',
  amountMicroUsdc,
  block: 6,
  consumedBy,
});
const reasonOf = (...said: Parameters<typeof whyNot>) => whyNot(...said)?.reason ?? null;

describe('a landed transaction', () => {
  test('with the amount of the task among its transfers has nothing against it', () => {
    const several = landed(transfer(1n), transfer(10_007n, '0x99'), transfer(10_007n));
    expect(reasonOf(TASK, OFFER, several, [])).toBeNull();
    expect(reasonOf(TASK, OFFER, several, [seen(1n, 'payment:other'), seen(10_007n, null)])).toBeNull();
  });

  test('whose transfer explains something else already is used', () => {
    const used = [seen(10_007n, 'payment:other'), seen(1n, null)];
    expect(reasonOf(TASK, OFFER, landed(transfer(10_007n)), used)).toBe('transaction_already_used');
  });

  test('with the price counts with the memo of the task only', () => {
    const plain = landed(transfer(10_000n));
    expect(reasonOf(TASK, OFFER, plain, [])).toBe('wrong_amount');
    expect(reasonOf(TASK, OFFER, { ...plain, memo: 'other' }, [])).toBe('wrong_amount');
    expect(reasonOf(TASK, OFFER, { ...plain, memo: 'm' }, [])).toBeNull();
  });

  test('in the block of the opening or below is too old', () => {
    expect(reasonOf(TASK, OFFER, { ...landed(transfer(10_007n)), block: 5 }, [])).toBe('transaction_too_old');
  });
});
