import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createWalletPages } from '../../../bot/wallet/app.ts';
import { toCsv } from '../../../bot/files/files.ts';
import type { View } from '../../../core/view.ts';
import { findOrderByEvent } from '../../../db/tips/orders.ts';
import { ensureUser, findChatUser } from '../../../db/chats/users.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import { createHarness, OPERATOR, pressEvent, START_MS, textEvent, type Harness } from '../harness.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';

const USER = 'chat:user-1';
const ACCOUNT = 'discord:17';

let api: FakeApi;
let harness: Harness;

beforeEach(async () => {
  api = await startFakeApi();
  harness = await createHarness({ apiUrl: api.url });
  await ensureUser(harness.store, { id: USER, transport: 'test', walletAddress: '0x1', createdAtMs: START_MS });
});
afterEach(async () => {
  harness.closing.abort();
  await harness.bot.idle();
  await api.close();
  await harness.store.close();
});

async function say(text: string, eventId = 'event-1', userId = USER): Promise<string | undefined> {
  await harness.bot.handle(textEvent(text, eventId, userId));
  await harness.bot.idle();
  return harness.chat.textOf(eventId);
}

async function press(
  eventId: string,
  index = 0,
  pressId = `press-${eventId}`,
  userId = USER,
): Promise<string | undefined> {
  const buttons = viewOf(eventId).actions.flatMap((action) => (action.kind === 'button' ? [action.id] : []));
  await harness.bot.press(pressEvent(buttons[index] ?? '', pressId, userId));
  return harness.chat.textOf(pressId);
}

function viewOf(eventId: string): View {
  const view = harness.chat.last(eventId);
  if (!view) throw new Error(`nothing was said to ${eventId}`);
  return view;
}

const linksOf = (eventId: string) =>
  viewOf(eventId).actions.flatMap((action) => (action.kind === 'link' ? [action] : []));
const commandsOf = (eventId: string) =>
  viewOf(eventId).actions.flatMap((action) => (action.kind === 'command' ? [action.command] : []));

async function download(url: string | undefined): Promise<Response> {
  const { deps, bot } = harness;
  const pages = createWalletPages({
    ...deps,
    limits: createRateLimits(deps.clock.now),
    orders: bot.orders,
    withdrawals: bot.withdrawals,
    signInPlatforms: [],
    passkeys: null,
    isSecure: false,
    operator: OPERATOR,
  });
  return pages.request(url?.replace('https://pay.test/purse', 'http://localhost') ?? '');
}

describe('/history', () => {
  test('of nobody who tipped says so', async () => {
    expect(await say('/history')).toBe('You have 20.00 USDC.\nYou have not sent a tip yet.');
  });

  test('shows the last ten, the newest first, each person of several on their own line, with receipts', async () => {
    for (let index = 0; index < 10; index++) {
      await say(`/tip x:person${index} 1`, `tip-${index}`);
      harness.clock.pass(60_000);
    }
    await say('/tip x:alice github:bob 2 split thanks', 'several');
    await press('several');
    await harness.bot.idle();
    const text = await say('/history', 'history');
    expect(text?.split('\n').slice(0, 5)).toEqual([
      'You have 20.00 USDC.',
      'The last tips that you sent:',
      '1. 1.00 USDC to @alice on X, on its way (20 Nov)',
      '2. 1.00 USDC to bob on GitHub, waiting to be collected (20 Nov)',
      '3. 1.00 USDC to @person9 on X, on its way (20 Nov)',
    ]);
    expect(text?.split('\n').length).toBe(12);
    expect(viewOf('history').audience).toBe('person');
    expect(
      linksOf('history')
        .map(({ label }) => label)
        .slice(-2),
    ).toEqual(['10. @person2 on X', 'All of them as CSV']);
  });

  test('shows nothing of anybody else', async () => {
    await say('/tip x:alice 1', 'tip');
    expect(await say('/history', 'history', 'chat:user-2')).toContain('You have not sent a tip yet.');
  });

  test('comes as a file from a link that works for a while, needs no cookie, and cannot be guessed', async () => {
    await say('/tip x:alice 1 =cmd(), "quoted"', 'tip');
    await say('/history', 'history');
    const url = linksOf('history').at(-1)?.url;
    const response = await download(url);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="tips.csv"');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((await response.text()).split('\r\n')).toEqual([
      'time,recipient,amount_usdc,status,txn_id,receipt,note',
      `2026-11-20T12:00:00.000Z,x:alice,1,queued,4711,http://api.test/receipts/${'r'.repeat(22)},"'=cmd(), ""quoted"""`,
      '',
    ]);
    expect((await download(`${url}x`)).status).toBe(404);
    const { chatFiles } = harness.store.tables;
    const [row] = await harness.store.read.select().from(chatFiles);
    expect(url).not.toContain(row?.id);
    harness.clock.pass(15 * 60_000);
    expect((await download(url)).status).toBe(404);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('a note such as %j is no formula', (note) => {
    const tip = { txnId: 1, sentAtMs: 0, recipient: 'x:a', amountMicroUsdc: 1n, receipt: 'r', status: 'paid' } as const;
    expect(toCsv([{ ...tip, note }])).toContain(`,'${note}`);
  });
});

describe('/language', () => {
  test('lists the languages by their own names, and takes the one that is pressed', async () => {
    expect(await say('/language')).toBe('Which language shall I speak with you?');
    const labels = viewOf('event-1').actions.map((action) => (action.kind === 'button' ? action.label : ''));
    expect(labels).toContain('English');
    expect(labels.at(-1)).toBe('As my app says');
    const english = labels.indexOf('English');
    expect(await press('event-1', english)).toBe('From now on I speak English with you.');
    expect((await findChatUser(harness.store, USER))?.language).toBe('en');
    await press('event-1', labels.length - 1, 'press-2');
    expect((await findChatUser(harness.store, USER))?.language).toBeNull();
  });

  test.each([
    ['/language en', 'en'],
    ['/language EN-gb', 'en'],
    ['/language English', 'en'],
  ])('%s takes it at once', async (text, tag) => {
    await say(text);
    expect((await findChatUser(harness.store, USER))?.language).toBe(tag);
  });

  test('of a person who was never stored is remembered as well', async () => {
    expect(await say('/language en', 'event-1', 'chat:user-9')).toBe('From now on I speak English with you.');
    expect((await findChatUser(harness.store, 'chat:user-9'))?.language).toBe('en');
  });

  test('auto goes back to what the app says, and what nobody speaks is answered by the list', async () => {
    await say('/language en', 'event-1');
    await say('/language auto', 'event-2');
    expect((await findChatUser(harness.store, USER))?.language).toBeNull();
    expect(await say('/language xx', 'event-3')).toBe('I don’t speak that one. Choose one of these:');
    expect(viewOf('event-3').actions.length).toBeGreaterThan(1);
  });
});

describe('/help', () => {
  test('about one command says more about that one', async () => {
    expect(await say('/help tip', 'event-2')).toContain('shares 3 out');
    expect(await say('/help /Withdraw', 'event-3')).toContain('sends 5 USDC to an address of yours');
    expect(commandsOf('event-3')).toEqual(['/withdraw']);
  });

  test('about one command by another name, also in another language, is about that command', async () => {
    const drop = 'shares 5 USDC out among those of the group who press in time';
    Object.assign(harness.deps.messengers, { discord: harness.deps.messengers.test });
    for (const name of ['airdrop', '/airdrop', 'verteilen']) {
      const event = { ...textEvent(`/help ${name}`, `event ${name}`, USER), transport: 'discord' };
      await harness.bot.handle(event);
      expect(harness.chat.textOf(`event ${name}`)).toContain(drop);
    }
  });

  test('about what is no command says so, above everything in short', async () => {
    expect(await say('/help split')).toMatch(
      /I didn’t get that\. Here is what I can do:\nSend 0\.01 to 10 USDC to anyone/,
    );
    for (const text of ['/help', '/help help']) expect(await say(text, text)).not.toContain('I didn’t get that');
  });

  test('names no command that this installation, or any group of this chat, does not offer', async () => {
    const { test: messenger } = harness.deps.messengers;
    Object.assign(harness.deps.messengers, { discord: messenger, web: messenger });
    let events = 0;
    const sayOn = async (transport: string, text: string) => {
      const eventId = `event-${++events}`;
      await harness.bot.handle({ ...textEvent(text, eventId, USER), transport });
      return harness.chat.textOf(eventId) ?? '';
    };
    const others = async (transport: string) => (await sayOn(transport, '/help')).split('\n').at(-1)?.split(' ') ?? [];
    const everywhere = ['/history', '/limits', '/lock', '/claim', '/link', '/language', '/block'];
    const inGroups = ['/request', '/drop', '/top', '/privacy', '/settings', '/treasury'];
    expect(await others('web')).toEqual([...everywhere, '/privacy']);
    expect(await others('discord')).toEqual([...everywhere, ...inGroups]);
    Object.assign(harness.deps, { rewards: {} });
    expect(await others('discord')).toEqual([...everywhere, ...inGroups, '/reward']);
    expect(await sayOn('discord', '/help reward')).toContain('would be shared out among all who engaged');
    Object.assign(harness.deps, { readsPosts: false });
    expect(await others('discord')).toEqual([...everywhere, ...inGroups]);
    expect(await sayOn('discord', '/help reward')).toContain('Send 0.01 to 10 USDC to anyone');
    expect(await sayOn('discord', '/reward https://farcaster.xyz/marta/0xb87cf233')).toContain('I didn’t get that.');
  });
});

describe('/claim', () => {
  test('for a visitor of a page leads to the page of the name', async () => {
    expect(await say('/claim')).toContain('By which name were you tipped?');
    expect(commandsOf('event-1')).toEqual(['/claim x:alice', '/claim github:alice', '/claim alice@example.com']);
    await say('/claim gh:Octo-Cat', 'event-2');
    expect(linksOf('event-2')).toEqual([
      { kind: 'link', label: 'Open the page', url: 'https://pay.test/claim/code/octo-cat' },
    ]);
  });

  test('with a name that cannot be read is answered with names that can', async () => {
    expect(await say('/claim @alice')).toContain('Which "@alice"?');
    expect(commandsOf('event-1')).toEqual(['/claim x:alice', '/claim farcaster:alice', '/claim github:alice']);
  });

  describe('for an account that the platform vouches for', () => {
    let server: Server;
    let requests: { path: string; body: unknown; authorization: string | undefined }[];
    let answers: Record<string, [number, unknown]>;

    beforeEach(async () => {
      requests = [];
      const data = { status: 'verified', total: 3.2, confirm_token: 'secret' };
      answers = {
        '/claims': [201, { code: 201, data: { claim_id: 'claim_1' } }],
        '/claims/claim_1/proof': [200, { code: 200, data }],
        '/claims/claim_1/confirm': [200, { code: 200, data: {} }],
        '/claims/claim_1/decline': [200, { code: 200, data: {} }],
      };
      server = createServer((request, response) => {
        let text = '';
        request.on('data', (chunk: Buffer) => (text += chunk.toString()));
        request.on('end', () => {
          const path = request.url ?? '';
          requests.push({ path, body: JSON.parse(text), authorization: request.headers.authorization });
          const [status, json] = answers[path] ?? [404, {}];
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const { store } = harness;
      harness = await createHarness({ apiUrl: `http://127.0.0.1:${port}`, store });
      const holder = { holderId: ACCOUNT, walletId: ACCOUNT, identityId: 'person_17', name: ACCOUNT };
      await store.tx((db) => addHolder(db, store.tables, holder, 1));
    });
    afterEach(() => new Promise((resolve) => server.close(resolve)));

    test('shows what waits after the proof, and releases it by a press', async () => {
      expect(await say('/claim', 'event-1', ACCOUNT)).toContain('3.20 USDC waits for you.');
      expect(viewOf('event-1')).toMatchObject({ audience: 'person', actions: [{ label: 'Keep 3.20 USDC here' }] });
      expect(requests).toEqual([
        {
          path: '/claims',
          body: { platform: 'discord', handle: '17', payout: { keep: true } },
          authorization: 'Bearer token',
        },
        { path: '/claims/claim_1/proof', body: { user_id: '17' }, authorization: 'Bearer token' },
      ]);
      expect(await press('event-1', 0, 'press-1', ACCOUNT)).toContain('Done. It arrives in your wallet here');
      expect(requests.at(-1)).toMatchObject({
        path: '/claims/claim_1/confirm',
        body: { confirm_token: 'secret' },
      });
    });

    test('pressed once more, it is not confirmed once more', async () => {
      await say('/claim', 'event-1', ACCOUNT);
      answers['/claims/claim_1/proof'] = [200, { data: { status: 'paying', total: 3.2, confirm_token: null } }];
      expect(await press('event-1', 0, 'press-1', ACCOUNT)).toContain('Done.');
      expect(requests.some(({ path }) => path.endsWith('/confirm'))).toBe(false);
    });

    test('is for that account only', async () => {
      await say('/claim', 'event-1', ACCOUNT);
      expect(await press('event-1', 0, 'press-1', 'discord:18')).toContain('Only whoever asked for this');
      expect(requests.length).toBe(2);
    });

    test('with nothing there offers to let tips come by themselves, and other names', async () => {
      answers['/claims/claim_1/proof'] = [200, { data: { status: 'verified', total: 0, confirm_token: 't' } }];
      expect(await say('/claim', 'event-1', ACCOUNT)).toContain('Nothing waits for this account.');
      expect(viewOf('event-1').actions[0]).toMatchObject({ label: 'Let tips come here by themselves' });
      expect(commandsOf('event-1')[0]).toBe('/claim x:alice');
    });

    test.each<[string, [number, unknown], string]>([
      ['does not answer', [500, {}], 'I can’t reach the service right now. Nothing is lost'],
      ['is in a hurry', [429, {}], 'I can’t reach the service right now.'],
      ['says no', [400, { error: 'platform_unavailable' }], 'That can’t be collected just now.'],
      ['says what nobody can read', [201, { data: {} }], 'That can’t be collected just now.'],
    ])('says so where the service %s', async (_title, answer, text) => {
      answers['/claims'] = answer;
      expect(await say('/claim', 'event-1', ACCOUNT)).toContain(text);
      expect(commandsOf('event-1')).toEqual(['/claim']);
    });

    test('refuses all tips by a press under /privacy', async () => {
      await say('/privacy', 'event-1', ACCOUNT);
      expect(await press('event-1', 1, 'press-1', ACCOUNT)).toContain('nobody can tip this account');
      expect(requests.map(({ path, body }) => [path, body])).toEqual([
        ['/claims', { platform: 'discord', handle: '17', payout: { decline: true } }],
        ['/claims/claim_1/proof', { user_id: '17' }],
        ['/claims/claim_1/decline', { confirm_token: 'secret', opt_out: true }],
      ]);
    });

    test('its own wallet goes without a name, and /link leads to a page that lets a browser in, for a while', async () => {
      expect(await say('/wallet', 'event-1', ACCOUNT)).toContain('This chat’s own wallet');
      const text = await say('/link x:alice', 'event-2', ACCOUNT);
      expect(text).toContain('works for 15 minutes');
      expect(linksOf('event-2')[0]?.url).toMatch(/^https:\/\/pay\.test\/purse\/link\/[\w-]{32}$/);
    });
  });
});

test('/link for a visitor of a page says to keep it there', async () => {
  expect(await say('/link')).toContain('Which name of yours');
  expect(await say('/link x:alice', 'event-2')).toContain('choose Keep it here.');
});

describe('/privacy', () => {
  test('gives all that is known as a file', async () => {
    await say('/tip x:alice 1 for lunch', 'tip');
    await say('/privacy', 'privacy');
    const response = await download(linksOf('privacy')[0]?.url);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="pennypost.json"');
    expect(await response.json()).toMatchObject({
      id: USER,
      wallets: [{ id: USER, name: null }],
      tips: [{ recipient: 'x:alice', amount_usdc: '1', note: 'for lunch' }],
      withdrawals: [],
    });
  });

  test('erases what is over, and nothing else', async () => {
    await say('/tip x:alice 1 for lunch', 'tip');
    await say('/tip x:bob x:carol 1', 'card');
    await say('/privacy', 'privacy');
    const file = linksOf('privacy')[0]?.url;
    const noted: unknown[] = [];
    harness.deps.noteErasure = async (...erasure) => void noted.push(erasure);
    expect(await press('privacy')).toBe('Erased: 1 tip. Your money and its books are untouched.');
    expect(noted).toEqual([[USER, harness.deps.clock.now()]]);
    expect(await say('/history', 'history')).toContain('You have not sent a tip yet.');
    expect((await download(file)).status).toBe(404);
    const erased = await findOrderByEvent(harness.store, 'test', 'tip');
    expect(
      JSON.stringify(erased, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toMatch(/alice|lunch/);
    expect((await findOrderByEvent(harness.store, 'test', 'card'))?.lines?.length).toBe(2);
    expect(await press('privacy', 0, 'press-2')).toContain('That button no longer works.');
  });

  test('an event that comes again after that pays nothing', async () => {
    await say('/tip x:alice 1', 'tip');
    await say('/privacy', 'privacy');
    await press('privacy');
    const before = api.seen.length;
    await say('/tip x:alice 1', 'tip');
    expect(api.seen.length).toBe(before);
  });
});
