import { expect, test } from 'vitest';
import { isHalted, kindOfStop, type CarrierStep, STOP_REASONS, stopOutageOn } from '../../../core/payments/stops.ts';
import { CARRIER_KINDS, CARRIERS } from '../../../core/transfers/carriers.ts';

const waiting = (...reasons: string[]) => waitingAt('new', reasons);

const waitingAt = (step: CarrierStep, reasons: readonly string[]) =>
  CARRIER_KINDS.filter((kind) =>
    isHalted(
      reasons.map((reason) => ({ reason })),
      { kind, step },
      CARRIERS,
    ),
  );

test('what waits during each kind of stop; withdrawals of personal wallets never do', () => {
  expect(waiting()).toEqual([]);
  expect(waiting('operator_payments')).toEqual([]);
  expect(waiting('operator_payouts')).toEqual(['payout']);
  expect(waiting('operator')).toEqual(['inbound', 'payout', 'sweep']);
  expect(waiting('operator_payments', 'operator_payouts')).toEqual(['payout']);
});

test('a stop of payouts halts no replacement of what was sent before; one of signing does', () => {
  expect(waitingAt('replacement', ['operator_payouts'])).toEqual([]);
  expect(waitingAt('replacement', ['operator_payouts', 'operator'])).toEqual(['inbound', 'payout', 'sweep']);
});

test('what is not understood about the money halts all signing, and so does a reason of another version', () => {
  const own = ['operator_payments', 'operator_payouts', 'wind_down'];
  const others = Object.keys(STOP_REASONS).filter((reason) => !own.includes(reason));
  for (const reason of [...others, 'something_newer', 'constructor']) expect(kindOfStop({ reason })).toBe('signing');
});

test('a stop keeps its network out of the terms, unless it is one of payouts', () => {
  const on = (reason: string, network: 'base' | 'all') => stopOutageOn([{ reason, network }], 'base');
  expect([on('operator', 'base'), on('operator', 'all')]).toEqual(['stopped', 'stopped']);
  expect(on('operator_payments', 'all')).toBe('payments_stopped');
  expect(on('operator_payouts', 'base')).toBeNull();
  expect(stopOutageOn([{ reason: 'operator', network: 'solana' }], 'base')).toBeNull();
  const both = ['operator_payments', 'operator'].map((reason) => ({ reason, network: 'base' as const }));
  expect(stopOutageOn(both, 'base')).toBe('stopped');
});
