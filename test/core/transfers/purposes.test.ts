import { expect, test } from 'vitest';
import { WITHDRAWAL_STATES, TRANSFER_STATES, withdrawalPhase } from '../../../core/states.ts';
import { CARRIER_KINDS, CARRIERS } from '../../../core/transfers/carriers.ts';
import { BOOKED_PURPOSES, purposesOf, TRANSFER_PURPOSES, TRANSFERS } from '../../../core/transfers/purposes.ts';

const KINDS = CARRIER_KINDS.filter((kind) => kind !== 'inbound');

test('each purpose travels in one kind of carrier, and each kind with one key and one rule of the ledger', () => {
  expect(KINDS.flatMap(purposesOf).toSorted()).toEqual(TRANSFER_PURPOSES.toSorted());
  for (const kind of KINDS) {
    const rules = purposesOf(kind).map((purpose) => TRANSFERS[purpose]);
    expect(new Set(rules.map(({ authority, ledger }) => `${authority} ${ledger}`)).size).toBe(1);
  }
});

test('only what is not in our books goes on during a stop', () => {
  for (const purpose of TRANSFER_PURPOSES) {
    const goesOn = CARRIERS[TRANSFERS[purpose].carrier].duringStop === 'goes on';
    expect([purpose, goesOn]).toEqual([purpose, !BOOKED_PURPOSES.includes(purpose)]);
  }
});

test('how far a leaving withdrawal is, its transfer says; nothing else about a withdrawal depends on it', () => {
  expect(withdrawalPhase('leaving', 'queued')).toBe('dead');
  expect(withdrawalPhase('leaving', 'assigned')).toBe('signed');
  expect(withdrawalPhase('leaving', 'broadcast')).toBe('sent');
  const others = WITHDRAWAL_STATES.filter((state) => state !== 'leaving');
  for (const state of others) {
    for (const transfer of TRANSFER_STATES) expect(withdrawalPhase(state, transfer)).toBe(state);
  }
});
