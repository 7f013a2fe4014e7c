import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { POLL_MS } from '../../../../api/environment/event-stream.ts';
import { createReceiptStreams } from '../../../../api/receipts/pages/stream.ts';
import type { ReceiptPlace } from '../../../../api/receipts/view.ts';
import { createStreamPlaces } from '../../../../queue/stream-places.ts';
import { startInstallation, type Installation, type SeededReceipt } from '../../pages/installation.ts';
import { readEvents } from '../events.ts';

const PLACE: ReceiptPlace = { baseUrl: 'http://127.0.0.1:8402', localMode: true, networks: [] };

let installation: Installation;
beforeEach(async () => {
  installation = await startInstallation();
});
afterEach(() => installation.close());

function watch({ slug, paymentId }: SeededReceipt, seen: string | null = null, streams = newStreams()) {
  return { streams, ...readEvents(streams.events({ slug, caller: '203.0.113.1', paymentId, seen })) };
}

function newStreams(total?: number) {
  return createReceiptStreams(installation.dependencies, PLACE, createStreamPlaces({ total }));
}

/** A process without announcements: every wait runs to its end, and the clock with it. */
function deafStreams() {
  const { clock, dependencies } = installation;
  const waits: number[] = [];
  const waitForChange = async (_paymentId: string, timeoutMs: number): Promise<boolean> => {
    waits.push(timeoutMs);
    clock.nowMs += timeoutMs;
    return false;
  };
  return { waits, streams: createReceiptStreams({ ...dependencies, waitForChange }, PLACE) };
}

describe('the live stream of a receipt', () => {
  test('says how it is, then every change, and ends when nothing can change any more', async () => {
    const receipt = await installation.seed({ payout: { status: 'queued' } });
    const { nextBlock, nextEvent, streams } = watch(receipt);
    expect(await nextBlock()).toBe('retry: 3000');
    const statuses: unknown[] = [];
    const note = async () => {
      const event = await nextEvent();
      statuses.push(event && [event.data.data.status, event.data.data.finality]);
    };
    await note();
    for (const change of [
      { payout: { status: 'confirmed' } },
      { payment: { status: 'final' } },
      { payout: { status: 'final' } },
    ] as const) {
      await installation.update(receipt, change);
      installation.announce(receipt.paymentId);
      await note();
    }
    expect(statuses).toEqual([
      ['queued', 'settled'],
      ['paid', 'settled'],
      ['paid', 'final'],
      // The payout's own finality is not in the answer, but with it the receipt is finished: the last event says so.
      ['paid', 'final'],
    ]);
    expect(await nextEvent()).toBeNull();
    expect([streams.open(), installation.waiting()]).toEqual([0, 0]);
  });

  test('the control: a receipt that can still change does not end', async () => {
    const receipt = await installation.seed({ payment: { status: 'final' }, payout: { status: 'broadcast' } });
    const { nextEvent, streams, cancel } = watch(receipt);
    await nextEvent();
    const next = nextEvent();
    installation.announce(receipt.paymentId);
    await installation.update(receipt, { payout: { status: 'confirmed' } });
    installation.announce(receipt.paymentId);
    expect((await next)?.data.data.status).toBe('paid');
    expect(streams.open()).toBe(1);
    await cancel();
  });

  test('an announcement without a visible change sends nothing', async () => {
    const receipt = await installation.seed();
    const { nextEvent } = watch(receipt);
    const first = await nextEvent();
    await installation.update(receipt, { payment: { tries: 3 } });
    installation.announce(receipt.paymentId);
    const second = nextEvent();
    await installation.update(receipt, { payment: { status: 'final' } });
    installation.announce(receipt.paymentId);
    expect(first?.data.data.finality).toBe('settled');
    expect((await second)?.data.data.finality).toBe('final');
  });

  test('a change between the look at the row and the wait is not missed', async () => {
    const receipt = await installation.seed();
    const { nextEvent } = watch(receipt);
    await nextEvent();
    // The event was handed out after the row was read; the wait began before that, so it hears this announcement.
    expect(installation.waiting()).toBe(1);
    await installation.update(receipt, { payment: { status: 'final' } });
    installation.announce(receipt.paymentId);
    expect((await nextEvent())?.data.data.finality).toBe('final');
  });

  test('without any announcement the row is looked at every few seconds', async () => {
    const receipt = await installation.seed();
    const { streams, waits } = deafStreams();
    const { nextEvent, nextBlock } = watch(receipt, null, streams);
    await nextEvent();
    expect(await nextBlock()).toBe(': still here');
    await installation.update(receipt, { payment: { status: 'final' } });
    expect((await nextEvent())?.data.data.finality).toBe('final');
    expect(new Set(waits)).toEqual(new Set([POLL_MS]));
  });

  test('a quiet stream sends a comment about every 15 seconds and ends after an hour', async () => {
    const { streams } = deafStreams();
    const { nextBlock } = watch(await installation.seed(), null, streams);
    const startedAt = installation.clock.nowMs;
    await nextBlock();
    await nextBlock();
    const commentTimes: number[] = [];
    for (let block = await nextBlock(); block !== null; block = await nextBlock()) {
      expect(block).toBe(': still here');
      commentTimes.push(installation.clock.nowMs - startedAt);
    }
    expect(commentTimes.slice(0, 3)).toEqual([15_000, 30_000, 45_000]);
    expect(installation.clock.nowMs - startedAt).toBe(3_600_000);
  });

  test('what the listener has seen already is not sent again', async () => {
    const receipt = await installation.seed();
    const first = watch(receipt);
    const seen = await first.nextEvent();
    await first.cancel();
    const second = watch(receipt, seen?.id ?? null);
    expect(await second.nextBlock()).toBe('retry: 3000');
    const next = second.nextEvent();
    await installation.update(receipt, { payment: { status: 'final' } });
    installation.announce(receipt.paymentId);
    expect((await next)?.data.data.finality).toBe('final');
  });
});

describe('what an open stream costs', () => {
  test('a listener that hangs up leaves neither a wait nor a place behind', async () => {
    const { nextEvent, cancel, streams } = watch(await installation.seed());
    await nextEvent();
    expect([streams.open(), installation.waiting()]).toEqual([1, 1]);
    await cancel();
    expect([streams.open(), installation.waiting()]).toEqual([0, 0]);
  });

  test('a stream that nobody reads takes no place', async () => {
    const { slug, paymentId } = await installation.seed();
    const streams = newStreams();
    streams.events({ slug, caller: '203.0.113.1', paymentId, seen: null });
    await new Promise(setImmediate);
    expect([streams.open(), installation.waiting()]).toEqual([0, 0]);
  });

  test('no more than the limit are open: the oldest makes room and is told to come back later', async () => {
    const receipt = await installation.seed();
    const streams = newStreams(2);
    const first = watch(receipt, null, streams);
    const second = watch(receipt, null, streams);
    await first.nextEvent();
    await second.nextEvent();
    const third = watch(receipt, null, streams);
    expect(await third.nextEvent()).not.toBeNull();
    expect(await first.nextBlock()).toBe('retry: 60000');
    expect([await first.nextBlock(), streams.open()]).toEqual([null, 2]);
    await Promise.all([second.cancel(), third.cancel()]);
    expect([streams.open(), installation.waiting()]).toEqual([0, 0]);
  });

  test('all who watch a receipt share one wait and one look per change', async () => {
    const receipt = await installation.seed();
    let waits = 0;
    const { dependencies } = installation;
    const waitForChange: typeof dependencies.waitForChange = (...asked) => {
      waits += 1;
      return dependencies.waitForChange(...asked);
    };
    const streams = createReceiptStreams({ ...dependencies, waitForChange }, PLACE);
    const listeners = Array.from({ length: 20 }, () => watch(receipt, null, streams));
    for (const { nextEvent } of listeners) await nextEvent();
    expect([waits, installation.waiting()]).toEqual([1, 1]);
    const next = listeners.map(({ nextEvent }) => nextEvent());
    await installation.update(receipt, { payment: { status: 'final' } });
    installation.announce(receipt.paymentId);
    for (const event of await Promise.all(next)) expect(event?.data.data.finality).toBe('final');
    expect(waits).toBe(2);
    await Promise.all(listeners.map(({ cancel }) => cancel()));
    expect([streams.open(), installation.waiting()]).toEqual([0, 0]);
  });

  test('streams end when the process stops announcing, instead of asking without pause', async () => {
    const { nextEvent, streams } = watch(await installation.seed());
    await nextEvent();
    installation.stop();
    expect(await nextEvent()).toBeNull();
    expect(streams.open()).toBe(0);
  });

  test('a row that cannot be read ends the stream and is logged', async () => {
    const receipt = await installation.seed();
    const { nextEvent, streams } = watch(receipt);
    await nextEvent();
    // A platform that this version does not know: what a rolled-back release could find.
    await installation.update(receipt, { line: { platform: 'myspace' } });
    installation.announce(receipt.paymentId);
    expect(await nextEvent()).toBeNull();
    expect(streams.open()).toBe(0);
    expect(installation.logged).toMatchObject([{ msg: 'a live stream broke', channel: receipt.paymentId }]);
  });
});
