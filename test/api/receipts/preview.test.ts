import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPictureFolder, type PictureFolder } from '../../../api/receipts/picture-folder.ts';
import { createPreviews } from '../../../api/receipts/preview.ts';
import type { Renderer } from '../../../api/receipts/preview-png.ts';
import { readReceipt } from '../../../api/receipts/read.ts';
import type { ReceiptView } from '../../../api/receipts/view.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { startInstallation, type Installation, type Seed } from '../pages/installation.ts';

const PLACE = { baseUrl: 'https://pay.example.com', localMode: true, networks: [] };
const DAY_MS = 86_400_000;

let installation: Installation;
let dir: string;
beforeAll(async () => {
  installation = await startInstallation();
  dir = mkdtempSync(join(tmpdir(), 'pennypost-pictures-'));
});
afterAll(async () => {
  await installation.close();
  rmSync(dir, { recursive: true, force: true });
});

async function viewOf(seed: Seed = {}): Promise<ReceiptView> {
  const shown = await readReceipt(installation.dependencies, PLACE, (await installation.seed(seed)).slug);
  if (shown === null) throw new Error('the seeded receipt is not there');
  return shown.view;
}

type Options = {
  failures?: number;
  folder?: PictureFolder | null;
  localMode?: boolean;
  draw?: Renderer['draw'];
  lateMs?: number;
};

/** Pictures whose bytes count how many were drawn before. */
function countedPreviews({ failures = 0, folder = null, localMode = true, draw, lateMs = 60_000 }: Options = {}) {
  let drawn = 0;
  const count = async () => {
    drawn += 1;
    if (drawn <= failures) throw new Error('no');
    return Uint8Array.of(drawn);
  };
  const previews = createPreviews({
    now: () => installation.clock.nowMs,
    store: installation.store,
    place: { ...PLACE, localMode },
    log: pino({ level: 'silent' }),
    folder,
    createDraw: () => ({ draw: draw ?? count, hurry: () => undefined }),
    lateMs,
  });
  return { previews, previewOf: previews.of, drawn: () => drawn };
}

describe('when a picture is drawn', () => {
  test('once for all who ask, at the same time or later', async () => {
    const { previewOf, drawn } = countedPreviews();
    const view = await viewOf();
    const both = await Promise.all([previewOf(view).png(), previewOf(view).png()]);
    expect([...both, await previewOf(view).png()]).toEqual([Uint8Array.of(1), Uint8Array.of(1), Uint8Array.of(1)]);
    expect(drawn()).toBe(1);
  });

  test('not at all for its name alone', async () => {
    const { previewOf, drawn } = countedPreviews();
    expect(previewOf(await viewOf()).etag).toMatch(/^"[\w-]{22}"$/);
    expect(drawn()).toBe(0);
  });

  test('again after a failure, for which the static one stands in', async () => {
    const { previewOf } = countedPreviews({ failures: 1 });
    const view = await viewOf();
    expect(await previewOf(view).png()).toBeNull();
    expect(await previewOf(view).png()).toEqual(Uint8Array.of(2));
  });

  test('again when 128 others were drawn since, unless it is in the folder', async () => {
    const kept = createPictureFolder(join(dir, 'many'), () => Date.now());
    const counts: number[] = [];
    for (const folder of [null, kept]) {
      const { previewOf, drawn } = countedPreviews({ folder });
      const first = await viewOf();
      const later = await viewOf({ amountMicroUsdc: 1_000_001n });
      await previewOf(first).png();
      for (let amount = 1n; amount <= 128n; amount += 1n) {
        await previewOf({ ...later, amount: (later.amount + amount) as ReceiptView['amount'] }).png();
      }
      await previewOf(first).png();
      counts.push(drawn());
    }
    expect(counts).toEqual([130, 129]);
  });

  test('never again after a restart', async () => {
    const folder = createPictureFolder(join(dir, 'restart'), () => Date.now());
    const view = await viewOf();
    const before = countedPreviews({ folder });
    const picture = await before.previewOf(view).png();
    await eventually(async () => expect(readdirSync(join(dir, 'restart'))).toEqual([expect.stringMatching(/\.png$/)]));
    const after = countedPreviews({ folder: createPictureFolder(join(dir, 'restart'), () => Date.now()) });
    expect(Buffer.from((await after.previewOf(view).png()) ?? [])).toEqual(Buffer.from(picture ?? []));
    expect(after.drawn()).toBe(0);
  });

  test('when its payment is answered, so that the first who asks has it', async () => {
    const { previews, drawn } = countedPreviews();
    const { slug } = await installation.seed({ amountMicroUsdc: 4_560_000n });
    const shown = await readReceipt(installation.dependencies, PLACE, slug);
    if (shown === null) throw new Error('the seeded receipt is not there');
    previews.prepare(shown.paymentId);
    await eventually(async () => expect(drawn()).toBe(1));
    expect(await previews.of(shown.view).png()).toEqual(Uint8Array.of(1));
    expect(drawn()).toBe(1);
  });

  test('of many payments that are answered together one after the other', async () => {
    const drawing = { now: 0, most: 0, all: 0 };
    const draw = async () => {
      drawing.now += 1;
      drawing.most = Math.max(drawing.most, drawing.now);
      await sleep(5);
      drawing.now -= 1;
      drawing.all += 1;
      if (drawing.all === 1) throw new Error('no');
      return Uint8Array.of(1);
    };
    const { previews } = countedPreviews({ draw });
    for (const cents of [1n, 2n, 3n]) {
      const { slug } = await installation.seed({ amountMicroUsdc: 7_000_000n + cents * 10_000n });
      const shown = await readReceipt(installation.dependencies, PLACE, slug);
      previews.prepare(shown?.paymentId ?? '');
    }
    await eventually(async () => expect(drawing).toEqual({ now: 0, most: 1, all: 3 }));
  });

  test('what is late is not waited for, and is there the next time', async () => {
    let finish: (png: Uint8Array) => void = () => undefined;
    const { previewOf } = countedPreviews({ draw: () => new Promise((resolve) => (finish = resolve)), lateMs: 20 });
    const view = await viewOf();
    expect(await previewOf(view).png()).toBeNull();
    finish(Uint8Array.of(7));
    expect(await previewOf(view).png()).toEqual(Uint8Array.of(7));
  });
});

test('the folder keeps a limited number, none for longer than a week, and no name that is not one of ours', async () => {
  const path = join(dir, 'few');
  const folder = createPictureFolder(path, () => Date.now(), 2);
  const nameOf = (letter: string) => letter.repeat(22);
  await folder.keep(nameOf('a'), Uint8Array.of(1));
  await folder.keep(nameOf('b'), Uint8Array.of(2));
  const old = new Date(Date.now() - 8 * DAY_MS);
  utimesSync(join(path, `${nameOf('b')}.png`), old, old);
  await createPictureFolder(path, () => Date.now(), 2).keep(nameOf('c'), Uint8Array.of(3));
  expect(readdirSync(path).toSorted()).toEqual([`${nameOf('a')}.png`, `${nameOf('c')}.png`]);
  await createPictureFolder(path, () => Date.now(), 1).keep(nameOf('d'), Uint8Array.of(4));
  expect(readdirSync(path)).toEqual([`${nameOf('d')}.png`]);
  expect(await folder.find('../few/aaaa')).toBeNull();
});

describe('the name of a picture', () => {
  test('changes with what it shows, and with nothing else', async () => {
    const { previewOf } = countedPreviews();
    const view = await viewOf();
    const name = previewOf(view).etag;
    expect(previewOf({ ...view, txnId: 1, note: 'another', senderName: 'Marta' }).etag).toBe(name);
    expect(previewOf({ ...view, status: 'paid', expiresAt: null }).etag).not.toBe(name);
    // Only what has arrived has a postmark.
    expect(previewOf({ ...view, finality: 'final' }).etag).toBe(name);
    const arrived = { ...view, status: 'paid', expiresAt: null } as const;
    expect(previewOf({ ...arrived, finality: 'final' }).etag).not.toBe(previewOf(arrived).etag);
    expect(countedPreviews({ localMode: false }).previewOf(view).etag).not.toBe(name);
  });
});
