import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../core/config/config.ts';
import { VARIABLE_NAMES } from '../../core/config/variables.ts';

const text = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8');
const shown = Object.fromEntries(
  [...text.matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) => [name, value]),
);

test('.env.example names every variable that is read, and no other', () => {
  expect(Object.keys(shown).sort()).toEqual([...VARIABLE_NAMES].sort());
});

test('copied as it is, it changes nothing', () => {
  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
});

test('the values it shows are the defaults', () => {
  // Defaults that differ by mode: the file shows those of a public installation.
  const { RATE_LIMIT_PER_MINUTE, SOLANA_ATA_AGE_DAYS, MAIL_DAILY, ...rest } = shown;
  const { BASE_GAS_DAILY, SOLANA_GAS_DAILY, POLYGON_GAS_DAILY, ...others } = rest;
  // That this one is given at all makes a difference to a bot without an API beside it.
  const { BASE_URL } = others;
  expect(BASE_URL).toBe(parseConfig({}).http.baseUrl);
  expect(parseConfig(others)).toEqual(parseConfig({ BASE_URL }));
  expect([RATE_LIMIT_PER_MINUTE, SOLANA_ATA_AGE_DAYS, MAIL_DAILY]).toEqual(['600', '30', '2000']);
  expect([BASE_GAS_DAILY, SOLANA_GAS_DAILY, POLYGON_GAS_DAILY]).toEqual(['0.005', '0.1', '40']);
});
