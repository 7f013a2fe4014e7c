import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../../core/errors.ts';
import { BASE_ADDRESS, CODE, SIGN_IN, SOLANA_ADDRESS } from '../memory-claims.ts';
import { networksOf, startClaimInstallation, type ClaimInstallation } from '../installation.ts';

let installation: ClaimInstallation;
let app: ReturnType<ClaimInstallation['appWith']>;
beforeAll(async () => {
  installation = await startClaimInstallation();
});
afterAll(() => installation.close());

let cookie: string;
beforeEach(() => {
  cookie = '';
  app = installation.appWith();
  installation.claims.calls.length = 0;
  installation.claims.waiting = 3_200_000n;
});

const ORIGIN = 'http://127.0.0.1:8402';

async function post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await app.request(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { Accept: 'text/html', Origin: ORIGIN, Cookie: cookie, ...headers },
  });
  const given = answer.headers.get('Set-Cookie')?.split(';')[0];
  if (given !== undefined) cookie = given;
  return { status: answer.status, location: answer.headers.get('Location'), html: await answer.text(), answer };
}

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await app.request(path, { headers: { Accept: 'text/html', Cookie: cookie, ...headers } });
  return { status: answer.status, html: await answer.text(), answer };
}

const KEEP_X = { platform: 'x', handle: 'alice', choice: 'keep' };
const KEEP_MAIL = { platform: 'email', handle: 'alice@example.com', choice: 'keep' };

async function openMail(): Promise<string> {
  const { location } = await post('/claims', KEEP_MAIL);
  return (location ?? '').replace(/\?.*/, '');
}

function tokenOn(html: string): string {
  return /name="confirm_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
}

describe('opening', () => {
  test('a platform with a sign-in leads straight there; the others lead to the page of the claim', async () => {
    const signIn = await post('/claims', KEEP_X);
    expect([signIn.status, new URL(signIn.location ?? '').origin]).toEqual([303, SIGN_IN]);
    const mail = await post('/claims', KEEP_MAIL);
    expect(mail.location).toMatch(/^\/claims\/claim_[0-9]{22}\?platform=email&handle=alice%40example\.com$/);
  });

  test.each<[string, Record<string, string>, string]>([
    ['keep', {}, '{"keep":true}'],
    ['decline', {}, '{"decline":true}'],
    ['address', { address: ` ${BASE_ADDRESS} ` }, `{"base":"${BASE_ADDRESS}"}`],
    // The fields of a page that was loaded before.
    ['address', { base: ` ${BASE_ADDRESS} `, solana: '' }, `{"base":"${BASE_ADDRESS}"}`],
    ['address', { base: BASE_ADDRESS, solana: 'So1' }, `{"base":"${BASE_ADDRESS}","solana":"So1"}`],
  ])('%s %o asks for %s', async (choice, fields, payout) => {
    await post('/claims', { ...KEEP_X, ...fields, choice });
    expect(installation.claims.calls).toEqual([`open x alice ${payout} -`]);
  });

  test.each<[string, Record<string, string>, string]>([
    ['the form of the address says the network', { address: SOLANA_ADDRESS }, `{"solana":"${SOLANA_ADDRESS}"}`],
    [
      'a choice between others does not count for it',
      { address: SOLANA_ADDRESS, network: 'polygon' },
      `{"solana":"${SOLANA_ADDRESS}"}`,
    ],
    [
      'of networks that share the form it goes to the chosen one alone',
      { address: BASE_ADDRESS, network: 'polygon' },
      `{"polygon":"${BASE_ADDRESS}"}`,
    ],
    ['to the first of them without a choice', { address: BASE_ADDRESS }, `{"base":"${BASE_ADDRESS}"}`],
  ])('with three networks %s', async (_title, fields, payout) => {
    app = installation.appWith({ networks: networksOf(installation, ['base', 'solana', 'polygon']) });
    await post('/claims', { ...KEEP_X, ...fields, choice: 'address' });
    expect(installation.claims.calls).toEqual([`open x alice ${payout} -`]);
  });

  test('an address that is meant on a network which is not offered is not taken for another one', async () => {
    const { status, html } = await post('/claims', {
      ...KEEP_X,
      choice: 'address',
      address: BASE_ADDRESS,
      network: 'polygon',
    });
    expect([status, installation.claims.calls]).toEqual([400, []]);
    expect(html).toContain('belongs to a network that is not offered here');
  });

  test.each([
    ['a name of a wallet', 'alice.eth', /This is not an address\. On Base it is 0x and 40 digits/],
    ['an e-mail address', 'alice@example.com', /This is not an address\. On Base it is 0x and 40 digits/],
    ['an address on a network that is not offered', SOLANA_ADDRESS, /belongs to a network that is not offered here/],
  ])('%s is refused beside its field, without a claim', async (_title, typed, reason) => {
    const { status, html } = await post('/claims', { ...KEEP_X, choice: 'address', address: typed });
    expect([status, installation.claims.calls]).toEqual([400, []]);
    expect(html).toMatch(reason);
    expect(html).toMatch(new RegExp(`id="address" name="address" value="${typed}"[^>]* aria-invalid="true"`));
  });

  test('a refused address comes back in its field, opened, with the reason in an alert', async () => {
    installation.claims.failNext(
      'open',
      new AppError('invalid_payout_address', { field: 'payout.base', detail: 'Ours.' }),
    );
    const { status, html, answer } = await post('/claims', { ...KEEP_X, choice: 'address', address: '0x"><b>' });
    expect(status).toBe(400);
    expect(html).toContain('role="alert" id="problem" tabindex="-1" autofocus>Ours.</p>');
    expect(html).toContain('<details open>');
    expect(html).toMatch(/id="address" name="address" value="0x&quot;&gt;&lt;b&gt;"[^>]* aria-invalid="true"/);
    expect(answer.headers.get('Content-Security-Policy')).toContain(`form-action 'self' ${SIGN_IN}`);
  });

  test('no address at all is asked for again, without a claim', async () => {
    const { status, html } = await post('/claims', { ...KEEP_X, choice: 'address', address: ' ' });
    expect([status, installation.claims.calls]).toEqual([400, []]);
    expect(html).toContain('Write the address that the money should go to.');
  });

  test.each([
    ['another choice', { ...KEEP_X, choice: 'steal' }, 400],
    ['no name', { platform: 'x', choice: 'keep' }, 400],
    ['a name that cannot be', { ...KEEP_X, handle: 'a b' }, 400],
    ['an unknown platform', { ...KEEP_X, platform: 'myspace' }, 404],
    [
      'too many fields',
      { ...KEEP_X, ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, ''])) },
      400,
    ],
    ['too much', { ...KEEP_X, address: 'a'.repeat(9_000) }, 413],
  ])('%s opens nothing', async (_title, fields, status) => {
    const refused = await post('/claims', fields);
    expect([refused.status, installation.claims.calls]).toEqual([status, []]);
    expect(refused.html).toContain('<!doctype html>');
  });

  test('a form on a foreign page opens nothing', async () => {
    const { status } = await post('/claims', KEEP_X, { Origin: 'https://evil.example' });
    expect([status, installation.claims.calls]).toEqual([403, []]);
  });

  test('JSON goes to the handlers for programs, at every address', async () => {
    for (const [path, handler] of [
      ['/claims', 'open'],
      ['/claims/c/proof', 'prove'],
      ['/claims/c/resend', 'resend'],
      ['/claims/c/confirm', 'confirm'],
      ['/claims/c/decline', 'decline'],
    ] as const) {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await app.request(path, { method: 'POST', headers, body: '{}' });
      expect(await answer.json()).toEqual({ handler });
    }
  });
});

describe('the way through', () => {
  test('a code, the last look, and the money is on its way', async () => {
    const path = await openMail();
    const step = await post(`${path}/proof`, { code: CODE });
    expect([step.status, step.location]).toEqual([303, `${path}?platform=email&handle=alice%40example.com`]);
    const page = await get(path);
    expect(page.html).toContain('You are <bdi class="recipient">alice<wbr>@example<wbr>.com</bdi>.');
    expect(page.html).toContain('<strong class="sum">$3.20</strong> becomes yours, and stays here.');
    const confirmed = await post(`${path}/confirm`, { confirm_token: tokenOn(page.html) });
    expect(confirmed.status).toBe(303);
    expect((await get(path)).html).toContain('On its way to you');
  });

  test('a wrong code is reported in place and can be corrected', async () => {
    const path = await openMail();
    const { status, html } = await post(`${path}/proof`, { code: '1234 5679' });
    expect(status).toBe(400);
    expect(html).toContain('That is not the code from the mail.');
    expect(html).toMatch(/name="code" value="1234 5679"[^>]* aria-invalid="true"/);
    expect(html.match(/autofocus/g)).toHaveLength(1);
  });

  test('a step that ended the claim shows its end', async () => {
    const path = await openMail();
    installation.claims.set(installation.claims.latestId(), { status: 'rejected', reason: 'too_many_tries' });
    installation.claims.failNext('prove', new AppError('claim_refused'));
    const { html } = await post(`${path}/proof`, { code: 'x' });
    expect(html).toContain('That was one try too many. Ask for a new code.');
    expect(html).toContain('href="/claim/email/alice%40example.com"');
    expect(html).not.toContain('name="code"');
  });

  test('an old token confirms nothing; the page that says so has a new one', async () => {
    const path = await openMail();
    await post(`${path}/proof`, { code: CODE });
    const old = tokenOn((await get(path)).html);
    await get(path);
    const refused = await post(`${path}/confirm`, { confirm_token: old });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain('role="alert"');
    expect((await post(`${path}/confirm`, { confirm_token: tokenOn(refused.html) })).status).toBe(303);
  });

  test('an address is shown as wallets show it, with its checksum, before the proof and before the last yes', async () => {
    const shown = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
    const typed = { ...KEEP_MAIL, choice: 'address', address: shown.toLowerCase() };
    const path = ((await post('/claims', typed)).location ?? '').replace(/\?.*/, '');
    expect((await get(path)).html).toContain('0xfB69…d359');
    await post(`${path}/proof`, { code: CODE });
    // The whole of it stands in fours.
    expect((await get(path)).html.replaceAll('</span><span>', '')).toContain(shown);
  });

  test('when it is confirmed while the page is made, the page shows what came of that', async () => {
    const path = await openMail();
    await post(`${path}/proof`, { code: CODE });
    const id = installation.claims.latestId();
    const read = installation.claims.read;
    // The race, told: the row changes between reading it and asking for its token.
    installation.claims.read = async (claimId, opener) => {
      const view = await read(claimId, opener);
      installation.claims.set(id, { status: 'paid' });
      return view;
    };
    installation.claims.failNext('issueConfirmToken', new AppError('claim_refused'));
    try {
      expect(await get(path)).toMatchObject({ status: 200, html: expect.stringContaining('It is yours') });
    } finally {
      installation.claims.read = read;
    }
  });

  test.each([
    [{}, 'false'],
    [{ opt_out: 'yes' }, 'true'],
  ])('declining with %o says so to the port: %s', async (choice, optOut) => {
    const { location } = await post('/claims', { ...KEEP_MAIL, choice: 'decline' });
    const path = (location ?? '').replace(/\?.*/, '');
    await post(`${path}/proof`, { code: CODE });
    const page = await get(path);
    expect(page.html).toContain('name="opt_out"');
    await post(`${path}/decline`, { confirm_token: tokenOn(page.html), ...choice });
    expect(installation.claims.calls).toContain(`decline ${optOut}`);
    expect((await get(path)).html).toContain('goes back to its sender, by itself');
  });

  test('another code goes out on request, and a limit is reported in place', async () => {
    const path = await openMail();
    expect((await post(`${path}/resend`, {})).status).toBe(303);
    installation.claims.failNext('sendCodeAgain', new AppError('too_many_claims', { detail: 'Three an hour.' }));
    const { status, html } = await post(`${path}/resend`, {});
    expect([status, html.includes('Three an hour.'), html.includes('name="code"')]).toEqual([429, true, true]);
  });
});

describe('another browser', () => {
  test('is told in one sentence, and begins again for the same name', async () => {
    const { location } = await post('/claims', { ...KEEP_MAIL, receipt: 'A'.repeat(22) });
    cookie = '';
    const { html } = await get(location ?? '');
    expect(html).toContain('This was begun in another browser');
    expect(html).toContain(`href="/claim/email/alice%40example.com?receipt=${'A'.repeat(22)}"`);
    expect(html).not.toContain('name="code"');
  });

  test('can do nothing with another visitor’s claim, and cannot tell it from none', async () => {
    const path = await openMail();
    cookie = '';
    await post('/claims', KEEP_X);
    installation.claims.calls.length = 0;
    for (const action of ['proof', 'resend', 'confirm', 'decline']) {
      const mine = await post(`${path}/${action}`, { code: CODE, confirm_token: 'token-1' });
      const none = await post(`/claims/claim_${'9'.repeat(22)}/${action}`, { code: CODE });
      expect([mine.status, mine.html]).toEqual([404, none.html.replaceAll(`/claims/claim_${'9'.repeat(22)}`, path)]);
    }
    expect(installation.claims.calls).toEqual([]);
  });

  test('a sign-in that came back to the wrong one starts again for its platform', async () => {
    const { status, html } = await get('/claims/callback/x?state=a');
    expect([status, html.includes('href="/claim/x"')]).toEqual([400, true]);
    expect(html).toContain('This sign-in was not started here.');
  });
});

test('a page of a failed form that is loaded again leads back to the claim', async () => {
  const answer = await app.request('/claims/c/proof', { headers: { Accept: 'text/html' } });
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/claims/c']);
  const broken = await app.request('/claims/c%0D%0Ax/proof', { headers: { Accept: 'text/html' } });
  expect([broken.status, broken.headers.get('Location')]).toEqual([303, '/claims/c%0D%0Ax']);
  const program = await app.request('/claims/c/proof');
  expect([program.status, program.headers.get('Allow')]).toEqual([405, 'POST']);
});

test.each([
  ['text/html', 404, 'text/html'],
  ['application/json', 200, 'application/json'],
  ['*/*', 200, 'application/json'],
  ['text/event-stream', 200, 'text/event-stream'],
])('a claim for %s', async (accept, status, type) => {
  const { answer } = await get('/claims/c', { Accept: accept });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('Content-Type')).toContain(type);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(answer.headers.get('Vary')).toMatch(/^Accept(?:,|$)/);
});
