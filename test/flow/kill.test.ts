import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stopLocalMode } from '../../local/mode.ts';
import { FAILPOINTS } from '../../core/failpoints.ts';
import { isExact, killAt } from '../../scripts/torture/kill.ts';

/** One installation lives through all the deaths: its chain and its Redis outlive each of them and are adopted. */
let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-kill-'));
});
afterAll(async () => {
  await stopLocalMode(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

test.each(FAILPOINTS)(
  'kill -9 at %s ends with one charge, one payout and each receipt once',
  async (point) => {
    const outcome = await killAt(dataDir, point);
    expect(outcome).toEqual({ point, fired: true, charged: 1_000_000n, paid: 1_000_000n, receipts: 2 });
    expect(isExact(outcome)).toBe(true);
  },
  60_000,
);
