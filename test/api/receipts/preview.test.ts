import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPreviews } from '../../../api/receipts/preview.ts';
import { readReceipt } from '../../../api/receipts/read.ts';
import type { ReceiptView } from '../../../api/receipts/view.ts';
import { startInstallation, type Installation, type Seed } from '../pages/installation.ts';

const PLACE = { baseUrl: 'https://pay.example.com', localMode: true, networks: [] };

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

async function viewOf(seed: Seed = {}): Promise<ReceiptView> {
  const shown = await readReceipt(installation.store, PLACE, (await installation.seed(seed)).slug);
  if (shown === null) throw new Error('the seeded receipt is not there');
  return shown.view;
}

/** Pictures whose bytes count how many were drawn before. */
function countedPreviews(failures = 0) {
  let drawn = 0;
  const previewOf = createPreviews(PLACE, () => async () => {
    drawn += 1;
    if (drawn <= failures) throw new Error('no');
    return Uint8Array.of(drawn);
  });
  return { previewOf, drawn: () => drawn };
}

describe('when a picture is drawn', () => {
  test('once for everybody who asks, at the same time or later', async () => {
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

  test('again after a failure', async () => {
    const { previewOf } = countedPreviews(1);
    const view = await viewOf();
    await expect(previewOf(view).png()).rejects.toThrow('no');
    expect(await previewOf(view).png()).toEqual(Uint8Array.of(2));
  });

  test('again when 128 others were drawn since', async () => {
    const { previewOf, drawn } = countedPreviews();
    const first = await viewOf();
    const later = await viewOf({ amountMicroUsdc: 1_000_001n });
    await previewOf(first).png();
    for (let amount = 1n; amount < 128n; amount += 1n) {
      await previewOf({ ...later, amount: (later.amount + amount) as ReceiptView['amount'] }).png();
    }
    await previewOf(first).png();
    expect(drawn()).toBe(128);
    await previewOf(later).png();
    await previewOf(first).png();
    expect(drawn()).toBe(130);
  });
});

describe('the name of a picture', () => {
  test('changes with what it shows, and with nothing else', async () => {
    const { previewOf } = countedPreviews();
    const view = await viewOf();
    const name = previewOf(view).etag;
    expect(previewOf({ ...view, txnId: 1, note: 'another', senderName: 'Marta' }).etag).toBe(name);
    expect(previewOf({ ...view, status: 'paid', expiresAt: null }).etag).not.toBe(name);
    expect(previewOf({ ...view, finality: 'final' }).etag).not.toBe(name);
    expect(createPreviews({ localMode: false }, () => async () => Uint8Array.of())(view).etag).not.toBe(name);
  });
});
