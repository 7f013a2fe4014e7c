import { expect, test } from 'vitest';
import {
  decideJoin,
  NOTHING_HEARD,
  type EarlierPayment,
  type Heard,
  type OpenResponse,
} from '../../../core/payments/joins.ts';

const response = (id: string, more: Partial<OpenResponse> = {}): OpenResponse => ({
  id,
  paymentId: `payment of ${id}`,
  process: 'api-1',
  isOwnerAlive: true,
  renewed: 0,
  ...more,
});
const waiting = (one: OpenResponse): EarlierPayment => ({
  paymentId: one.paymentId,
  delivery: 'waiting',
  responses: [one],
});
const missed = (paymentId: string, responses: OpenResponse[] = []): EarlierPayment => ({
  paymentId,
  delivery: 'missed',
  responses,
});

const living = response('a');
const leaving = response('a', { isHanding: true });
const dead = response('a', { isOwnerAlive: false });
const present: Heard = { ...NOTHING_HEARD, present: new Set(['a']) };
const silent: Heard = { ...NOTHING_HEARD, silent: new Map([['a', 2]]) };
const join = { kind: 'join', paymentId: 'payment of a' };

test.each<[string, EarlierPayment[], Heard, unknown]>([
  ['nothing earlier', [], NOTHING_HEARD, { kind: 'apart' }],
  ['its caller got a 500 or hung up', [missed('payment of a')], NOTHING_HEARD, join],
  ['it waits, and no connection waits for it', [{ ...waiting(dead), responses: [] }], NOTHING_HEARD, join],
  ['the lease of its process is over', [waiting(dead)], NOTHING_HEARD, join],
  ['its process lives and was not asked', [waiting(living)], NOTHING_HEARD, { kind: 'ask', responses: [living] }],
  ['its caller was seen', [waiting(living)], present, { kind: 'apart' }],
  ['its caller was seen, and then its process died', [waiting(dead)], present, { kind: 'apart' }],
  ['its process was silent for a lease', [waiting(response('a', { renewed: 1 }))], silent, join],
  [
    'its process answered late, but before the decision',
    [waiting(response('a', { renewed: 2 }))],
    silent,
    { kind: 'apart' },
  ],
  ['its answer leaves to a retry that is there', [missed('payment of a', [leaving])], present, { kind: 'apart' }],
  [
    'its answer leaves to a retry, whose process was not asked',
    [missed('payment of a', [leaving])],
    NOTHING_HEARD,
    { kind: 'ask', responses: [leaving] },
  ],
  [
    'its answer left to a retry that is gone',
    [missed('payment of a', [{ ...leaving, isOwnerAlive: false }])],
    NOTHING_HEARD,
    join,
  ],
])('%s', (_name, earlier, heard, expected) => {
  expect(decideJoin(earlier, heard)).toEqual(expected);
});

test('the newest that nobody waits for is joined', () => {
  expect(decideJoin([missed('newest'), missed('older')], NOTHING_HEARD)).toEqual({ kind: 'join', paymentId: 'newest' });
});

test('of two that lost their callers, the one that another retry has joined is left to that', () => {
  const joined = missed('newer', [response('retry')]);
  expect(decideJoin([joined, waiting(dead)], NOTHING_HEARD)).toEqual(join);
});

test('what a retry has joined is joined by another one before anyone is asked', () => {
  const joined = missed('older', [response('retry')]);
  expect(decideJoin([waiting(living), joined], NOTHING_HEARD)).toEqual({ kind: 'join', paymentId: 'older' });
});

test('every caller that is not known to be there is asked for', () => {
  const others = [waiting(living), waiting(response('b')), waiting(response('c'))];
  const heard = { ...NOTHING_HEARD, present: new Set(['b']) };
  expect(decideJoin(others, heard)).toEqual({ kind: 'ask', responses: [living, response('c')] });
});
