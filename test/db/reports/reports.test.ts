/** What strangers can cause with reports: within limits, and nothing but rows. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  REPORTS_PER_DAY_MAX,
  REPORTS_PER_HOUR_MAX,
  REPORTS_PER_SUBJECT_MAX,
  SMALL_REPORTS_PER_DAY_MAX,
} from '../../../core/reports/reports.ts';
import {
  closeReport,
  findReport,
  forgetReports,
  openReports,
  REPORT_KEPT_MS,
  storeReport,
  type NewReport,
} from '../../../db/reports/reports.ts';
import { dueItems } from '../../../db/store/outbox.ts';
import type { Store } from '../../../db/store/store.ts';
import { openTestStore } from '../../bot/harness.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.UTC(2026, 10, 20, 13);

onBothDatabases((fresh, isSqlite) => {
  let store: Store;
  let nowMs = START_MS;
  let counter = 0;
  beforeAll(async () => {
    const address = await fresh();
    store = address === undefined ? await openTestStore() : await openMigrated(address);
  });
  // Each test has a day of its own.
  beforeEach(() => void (nowMs += 2 * DAY_MS));
  afterAll(() => store.close());

  /** Of another caller about another payment, but for what is said. */
  const report = (change: Partial<NewReport> = {}) => {
    counter += 1;
    const names = { id: `report_${counter}`, subject: `${counter}`, reporter: `caller ${counter}` };
    const what = { kind: 'payment', reason: 'trick', words: null, share: 'large' } as const;
    return storeReport(store, { ...names, ...what, ...change }, nowMs);
  };
  const ids = async () => (await openReports(store, 1_000)).map(({ id }) => id);

  test('is stored once for each caller, and wakes those who tell moderators', async () => {
    const before = (await ids()).length;
    const mine = { subject: 'one', reporter: 'me' };
    expect(await report({ ...mine, id: 'report_mine' })).toEqual({ kind: 'stored' });
    expect(await report(mine)).toEqual({ kind: 'known' });
    expect((await ids()).length).toBe(before + 1);
    const asked = (await dueItems(store, nowMs, 1_000)).filter(({ key }) => key.includes('report_mine'));
    expect(asked.map(({ topic }) => topic)).toEqual(['payment_reported']);
    expect(await report({ kind: 'page', subject: 'person', id: 'report_page' })).toEqual({ kind: 'stored' });
    expect((await dueItems(store, nowMs, 1_000)).filter(({ key }) => key.includes('report_page'))).toEqual([]);
  });

  test('about one thing is stored a few times only', async () => {
    const kinds = [];
    for (let count = 0; count <= REPORTS_PER_SUBJECT_MAX; count += 1)
      kinds.push((await report({ subject: 'crowd' })).kind);
    expect(kinds.slice(0, -1).every((kind) => kind === 'stored')).toBe(true);
    expect(kinds.at(-1)).toBe('known');
  });

  test('of one caller has a limit an hour', async () => {
    for (let count = 0; count < REPORTS_PER_HOUR_MAX; count += 1)
      expect(await report({ reporter: 'busy' })).toEqual({ kind: 'stored' });
    const againAtMs = nowMs + HOUR_MS;
    expect(await report({ reporter: 'busy' })).toEqual({ kind: 'refused', limit: 'caller', againAtMs });
    expect(await report({ reporter: 'calm' })).toEqual({ kind: 'stored' });
    nowMs = againAtMs;
    expect(await report({ reporter: 'busy' })).toEqual({ kind: 'stored' });
  });

  test('many at once keep to the limits', async () => {
    const both = await Promise.all([1, 2].map(() => report({ subject: 'twice', reporter: 'twice' })));
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['known', 'stored']);
    const crowd = await Promise.all(Array.from({ length: 9 }, () => report({ reporter: 'at once' })));
    expect(crowd.filter(({ kind }) => kind === 'stored').length).toBe(REPORTS_PER_HOUR_MAX);
  });

  test('is closed once, with a note of who did, and deleted long after that', async () => {
    await report({ id: 'report_closed', subject: 'over', reporter: 'again' });
    const command = { name: 'close-report', arguments: ['report_closed'], who: 'ada' };
    expect(await closeReport(store, 'report_closed', command, nowMs)).toBe(true);
    expect(await closeReport(store, 'report_closed', command, nowMs)).toBe(false);
    const { operatorActions } = store.tables;
    const noted = (await store.read.select().from(operatorActions)).filter(
      ({ arguments: [id] }) => id === 'report_closed',
    );
    expect(noted).toMatchObject([{ who: 'ada', result: 'closed' }]);
    expect(await ids()).not.toContain('report_closed');
    expect(await report({ subject: 'over', reporter: 'again' })).toEqual({ kind: 'known' });
    expect(await report({ subject: 'over', reporter: 'another' })).toEqual({ kind: 'stored' });
    await forgetReports(store, nowMs + REPORT_KEPT_MS - 1);
    expect(await findReport(store, 'report_closed')).not.toBeNull();
    const open = await ids();
    await forgetReports(store, nowMs + REPORT_KEPT_MS);
    expect(await findReport(store, 'report_closed')).toBeNull();
    expect(await ids()).toEqual(open);
  });

  if (!isSqlite) return;

  test('of all callers has a limit a day, of which small sums take a part', async () => {
    for (let count = 0; count < SMALL_REPORTS_PER_DAY_MAX; count += 1) await report({ share: 'small' });
    expect(await report({ share: 'small' })).toMatchObject({ kind: 'refused', limit: 'day' });
    for (let count = SMALL_REPORTS_PER_DAY_MAX; count < REPORTS_PER_DAY_MAX; count += 1)
      expect((await report()).kind).toBe('stored');
    const againAtMs = Math.floor(nowMs / DAY_MS + 1) * DAY_MS;
    expect(await report()).toEqual({ kind: 'refused', limit: 'day', againAtMs });
    nowMs = againAtMs;
    expect((await report({ share: 'small' })).kind).toBe('stored');
  });
});
