import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stopLocalMode } from '../../../local/mode.ts';
import type { Failpoint } from '../../../core/failpoints.ts';
import { isExact, killAt } from '../../../scripts/torture/kill.ts';
import { createDiskFolder } from '../../support/disk-folder.ts';

/** Its chain and its Redis outlive the death and are adopted. */
let dataDir: string;
beforeAll(() => {
  dataDir = createDiskFolder('pennypost-kill-');
});
afterAll(async () => {
  await stopLocalMode(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

/** The one that leaves most undone; `npm run torture -- kills` dies at all of them. */
const POINT = 'settle.after-send' satisfies Failpoint;

test(`kill -9 at ${POINT} ends with one charge, one payout and each receipt once`, async () => {
  const outcome = await killAt(dataDir, POINT);
  expect(outcome).toEqual({ point: POINT, fired: true, charged: 1_000_000n, paid: 1_000_000n, receipts: 2 });
  expect(isExact(outcome)).toBe(true);
}, 240_000);
