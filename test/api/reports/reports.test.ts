import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGE_TAGS } from '../../../core/languages.ts';
import { REPORT_CHARACTERS_MAX } from '../../../core/reports/reports.ts';
import { openReports } from '../../../db/reports/reports.ts';
import { technicalIn } from '../../texts/phrases.ts';
import { startInstallation, type Installation } from '../pages/installation.ts';

let installation: Installation;
let callers = 0;
beforeAll(async () => {
  const operator = { name: 'Acme Tips', supportUrl: 'https://help.example.com/', termsUrl: '' };
  installation = await startInstallation({ operator, isTrustedProxy: () => true });
});
afterAll(() => installation.close());

const ORIGIN = { origin: 'http://127.0.0.1:8402', 'sec-fetch-site': 'same-origin' };

/** By another caller each time. */
function post(path: string, fields: Record<string, string>, headers: Record<string, string> = ORIGIN) {
  const type = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
  const from = { 'x-forwarded-for': `192.0.2.${(callers += 1)}` };
  const body = new URLSearchParams(fields).toString();
  return installation.app.request(path, { method: 'POST', body, headers: { ...type, ...from, ...headers } });
}

const stored = async () => openReports(installation.store, 1_000);
const openPath = async (seed: Parameters<Installation['seed']>[0] = {}) => {
  const receipt = await installation.seed(seed);
  return { ...receipt, path: `/receipts/${receipt.slug}/report` };
};

describe('the form', () => {
  test('is a link of the letter, and says who reads the report', async () => {
    const { slug, path } = await openPath();
    const letter = await (
      await installation.app.request(`/receipts/${slug}`, { headers: { accept: 'text/html' } })
    ).text();
    expect(letter).toContain(`href="${path}"`);
    const answer = await installation.app.request(path);
    const page = await answer.text();
    expect([answer.status, answer.headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow']);
    expect(answer.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(page).toContain('Acme Tips');
    expect(page).toContain('@alice');
    expect(page).not.toContain('<script>');
  });

  test.each(LANGUAGE_TAGS)('%s says nothing technical, and is in that language', async (language) => {
    const { path } = await openPath();
    const page = await (await installation.app.request(`${path}?lang=${language}`)).text();
    const main = page.slice(page.indexOf('<main'), page.indexOf('</main>')).replaceAll(/<[^>]*>/g, ' ');
    expect(page).toContain(`<html lang="${language}">`);
    expect(technicalIn(main, language)).toEqual([]);
  });

  test('there is none for what is no receipt', async () => {
    const nothing = '/receipts/AAAAAAAAAAAAAAAAAAAAAA/report';
    expect((await installation.app.request(nothing)).status).toBe(404);
    expect((await post(nothing, { reason: 'trick' })).status).toBe(404);
  });
});

describe('a report', () => {
  test('is stored with its words, moves nothing, and shows on no receipt', async () => {
    const receipt = await openPath();
    const letter = () =>
      installation.app.request(`/receipts/${receipt.slug}`, { headers: { accept: 'application/json' } });
    const before = await (await letter()).text();
    const answer = await post(receipt.path, { reason: 'insults', words: 'It says\r\n\u202Ebad things' });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('reported to those who run this service (Acme Tips)');
    const [own, ...others] = (await stored()).filter(({ subject }) => subject === String(receipt.txnId));
    expect(others).toEqual([]);
    expect(own).toMatchObject({ kind: 'payment', reason: 'insults', words: 'It says bad things', share: 'large' });
    expect(await (await letter()).text()).toBe(before);
  });

  test('of somebody else is answered alike, so that a sender learns of none', async () => {
    const receipt = await openPath();
    const answers = [];
    for (let count = 0; count < 7; count += 1)
      answers.push(await (await post(receipt.path, { reason: 'other' })).text());
    expect(new Set(answers).size).toBe(1);
    expect((await stored()).filter(({ subject }) => subject === String(receipt.txnId)).length).toBe(5);
  });

  test('by the address that shows less is about the same payment', async () => {
    const receipt = await installation.seed({ line: { publicSlug: 'P'.repeat(22) }, amountMicroUsdc: 10_000n });
    expect((await post(`/receipts/${'P'.repeat(22)}/report`, { reason: 'trick' })).status).toBe(200);
    expect(await stored()).toContainEqual(expect.objectContaining({ subject: String(receipt.txnId), share: 'small' }));
  });

  test.each([
    ['without a reason', {}, 400, 'Please choose what is wrong.'],
    ['with a reason of their own', { reason: '<b>' }, 400, 'Please choose what is wrong.'],
    ['that is too long', { reason: 'other', words: 'x'.repeat(REPORT_CHARACTERS_MAX + 1) }, 400, 'Please shorten it.'],
  ])('%s is asked for again, with what was typed', async (_what, fields, status, says) => {
    const { path, txnId } = await openPath();
    const answer = await post(path, fields);
    const page = await answer.text();
    expect(answer.status).toBe(status);
    expect(page).toContain(says);
    if ('words' in fields) expect(page).toContain(fields.words);
    expect((await stored()).filter(({ subject }) => subject === String(txnId))).toEqual([]);
  });

  test('from a page of others, or larger than a form, is refused', async () => {
    const { path, txnId } = await openPath();
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await post(path, { reason: 'trick' }, foreign)).status).toBe(403);
    expect((await post(path, { reason: 'trick', words: 'x'.repeat(9_000) })).status).toBe(413);
    expect((await stored()).filter(({ subject }) => subject === String(txnId))).toEqual([]);
  });

  test('beyond the limit of a caller is refused with the way to help, and others still report', async () => {
    const flooder = { ...ORIGIN, 'x-forwarded-for': '198.51.100.7' };
    const answers = [];
    for (let count = 0; count < 6; count += 1)
      answers.push(await post((await openPath()).path, { reason: 'trick' }, flooder));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    const last = answers.at(-1);
    expect(last?.headers.get('retry-after')).toBe('3600');
    expect(await last?.text()).toContain('href="https://help.example.com/"');
    expect((await post((await openPath()).path, { reason: 'trick' })).status).toBe(200);
  });
});
