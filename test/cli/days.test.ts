import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDays, type Days } from '../../cli/journal/days.ts';
import { microUsdc } from '../../core/money.ts';

const DAY = '2026-11-21';
const newId = () => randomBytes(16).toString('hex');
let home: string;
let days: Days;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pennypost-days-'));
  days = openDays(home);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('a day takes no more than its cap, to the micro-USDC', () => {
  expect(days.reserve(DAY, newId(), microUsdc(6n), microUsdc(10n))).toBe(true);
  expect(days.reserve(DAY, newId(), microUsdc(5n), microUsdc(10n))).toBe(false);
  expect(days.reserve(DAY, newId(), microUsdc(4n), microUsdc(10n))).toBe(true);
  expect(days.reserve(DAY, newId(), microUsdc(1n), microUsdc(10n))).toBe(false);
  expect(days.spent(DAY)).toBe(10n);
  expect(days.reserve('2026-11-22', newId(), microUsdc(10n), microUsdc(10n))).toBe(true);
});

test('what is given back can be taken again, and only once', () => {
  const id = newId();
  days.reserve(DAY, id, microUsdc(10n), microUsdc(10n));
  days.release(DAY, id);
  days.release(DAY, id);
  expect(days.spent(DAY)).toBe(0n);
  expect(days.reserve(DAY, id, microUsdc(10n), microUsdc(10n))).toBe(true);
  expect(days.reserve(DAY, newId(), microUsdc(1n), microUsdc(10n))).toBe(false);
});

test('without a cap everything counts for those who have one', () => {
  expect(days.reserve(DAY, newId(), microUsdc(100n), null)).toBe(true);
  expect(days.reserve(DAY, newId(), microUsdc(1n), microUsdc(10n))).toBe(false);
});

test('a line that a killed process left unfinished counts for nothing and spoils no other', () => {
  days.reserve(DAY, newId(), microUsdc(1n), microUsdc(10n));
  appendFileSync(join(home, 'days', `${DAY}.log`), `\n+ ${newId()} 12`);
  expect(days.reserve(DAY, newId(), microUsdc(9n), microUsdc(10n))).toBe(true);
  expect(days.spent(DAY)).toBe(10n);
});

test('many processes at once never pass the cap together', async () => {
  const module = new URL('../../cli/journal/days.ts', import.meta.url).href;
  const script = `
    const { openDays } = await import(${JSON.stringify(module)});
    const { randomBytes } = await import('node:crypto');
    const days = openDays(${JSON.stringify(home)});
    let taken = 0;
    for (let n = 0; n < 40; n++) if (days.reserve('${DAY}', randomBytes(16).toString('hex'), 1n, 50n)) taken++;
    process.stdout.write(String(taken));
  `;
  const taken = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let out = '';
      for await (const chunk of child.stdout) out += String(chunk);
      return Number(out);
    }),
  );
  const sum = taken.reduce((total, one) => total + one, 0);
  expect(sum).toBeLessThanOrEqual(50);
  expect(sum).toBeGreaterThan(0);
  expect(days.spent(DAY)).toBe(BigInt(sum));
});
