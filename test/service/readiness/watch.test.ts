import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Outage } from '../../../core/payments/outages.ts';
import { createWatch } from '../../../service/readiness/watch.ts';

function watchOf(found: (Outage | null)[]) {
  const readSettling = () =>
    Promise.resolve({ worker: 'ok' as const, networks: [{ network: 'base' as const, outage: found.shift() ?? null }] });
  const waits = {
    missing: () => undefined,
    there: () => undefined,
    until: () => Promise.reject(new Error('unused')),
    names: () => [],
  };
  const watch = createWatch({ readSettling, isOpen: () => true, waits, log: pino({ level: 'silent' }) });
  return async () => {
    await watch.look();
    return watch.outageOf('base');
  };
}

test('a worker that gives a sign of life until the next look was never missing; one that does not is', async () => {
  const look = watchOf([null, 'no_worker', null, 'no_worker', 'no_worker', null]);
  const outages = [];
  for (let count = 0; count < 6; count += 1) outages.push(await look());
  expect(outages).toEqual([null, null, null, null, 'no_worker', null]);
});

test('until the first sign of life there is none, and every other outage counts at once', async () => {
  const look = watchOf(['no_worker', null, 'fees', null]);
  expect([await look(), await look(), await look(), await look()]).toEqual(['no_worker', null, 'fees', null]);
});

test('a network that is out is told with what that means for payments', async () => {
  const told: [string, string][] = [];
  const waits = {
    missing: (what: string, reason: string) => void told.push([what, reason]),
    there: () => undefined,
    until: () => Promise.reject(new Error('unused')),
    names: () => [],
  };
  const readSettling = async () => ({
    worker: 'ok' as const,
    networks: [{ network: 'base' as const, outage: 'fees' as const }],
  });
  await createWatch({ readSettling, isOpen: () => true, waits, log: pino({ level: 'silent' }) }).look();
  expect(told).toEqual([['Base', 'gas costs more than the limit of this network; new payments are not offered there']]);
});
