import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readVisitor } from '../../../bot/web/visitor.ts';
import { receiptView } from '../../../texts/receipts/receipt.ts';
import { plainText } from '../../../core/view.ts';
import { postOnce } from '../../../db/chats/chat.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import { OPERATOR, START_MS, usdc } from '../harness.ts';
import { createWebHarness, shown, type Listening } from './web-harness.ts';
import { Hono } from 'hono';
import { createRateLimits } from '../../../queue/rate-limiter.ts';

let api: FakeApi;
let web: Awaited<ReturnType<typeof createWebHarness>>;
let browser: Awaited<ReturnType<typeof web.browser>>;
let chatId: string;
const open: Listening[] = [];

beforeEach(async () => {
  api = await startFakeApi();
  web = await createWebHarness(api.url);
  browser = await web.browser();
  chatId = await visitorOf(browser.cookie);
});
afterEach(async () => {
  web.closing.abort();
  await web.bot.idle();
  await Promise.all(open.splice(0).map((one) => one.close()));
  await api.close();
  await web.store.close();
});

async function visitorOf(cookie: string): Promise<string> {
  const app = new Hono().get('/', (context) => context.text(readVisitor(context, false)?.id ?? ''));
  return (await app.request('/', { headers: { cookie } })).text();
}

async function listen(headers: Record<string, string> = {}, query = ''): Promise<Listening> {
  const one = await browser.listen(headers, query);
  open.push(one);
  return one;
}

const texts = async () =>
  (await shown(web.store, chatId))
    .toSorted((a, b) => a.position - b.position)
    .map(({ author, view }) => `${author}: ${plainText(view)}`);

describe('the page', () => {
  test('says what this is, that it is play money, and has an example to press', async () => {
    const html = await browser.page.text();
    expect(html).toContain('Play money: nothing here is real');
    expect(html).toContain('Send money to anyone by the name they already go by');
    expect(html).toContain('data-command="/tip @x:alice 1"');
  });

  test('lets nothing run that is not its own file', async () => {
    const html = await browser.page.text();
    const policy = browser.page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|\son[a-z]+=|\sstyle=|<style/i);
  });

  test('knows its visitor by a cookie that scripts and foreign posts cannot use', async () => {
    const cookie = browser.page.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^pennypost=[A-Za-z0-9_-]{43}; /);
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Lax');
    // Every page of the service has to know this browser again.
    expect(cookie).toContain('Path=/;');
    const again = await web.chat.request('http://localhost/', { headers: { cookie: browser.cookie } });
    expect(again.headers.get('set-cookie')).toContain(browser.cookie);
    expect(chatId).not.toContain(browser.cookie.slice('pennypost='.length, 40));
  });

  test('over TLS the cookie is one that no other site or path can set', async () => {
    const secure = await createWebHarness(api.url, { isSecure: true });
    const { page, cookie } = await secure.browser();
    expect(page.headers.get('set-cookie')).toMatch(/^__Host-pennypost=[A-Za-z0-9_-]{43}; .*Path=\/; .*Secure/);
    // What a page without TLS could have planted opens nothing here.
    const planted = cookie.replace('__Host-', '');
    expect((await secure.chat.request('http://localhost/stream', { headers: { cookie: planted } })).status).toBe(401);
    await secure.store.close();
  });

  test('a made-up cookie is replaced', async () => {
    const forged = await web.chat.request('http://localhost/', { headers: { cookie: 'pennypost=admin' } });
    expect(forged.headers.get('set-cookie')).toMatch(/pennypost=[A-Za-z0-9_-]{43}; /);
  });

  test.each(['..%2fchat.ts', 'chat.ts', '__proto__', 'constructor'])('serves nothing else: %s', async (name) => {
    expect((await web.chat.request(`http://localhost/assets/000000000000/${name}`)).status).toBe(404);
  });
});

describe('the first visit', () => {
  test('shows how the play money comes, once', async () => {
    const stream = await listen();
    await stream.untilText('Welcome! You have');
    await (await listen()).untilText('Welcome! You have');
    await browser.say('/balance', 'event-0001');
    expect(web.state.faucetCalls).toBe(1);
    expect((await texts())[0]).toBe('bot: Welcome! You have 20.00 USDC of play money to send.');
  });

  test('without play money there is a button to try again', async () => {
    const { faucet } = web.deps;
    web.deps.faucet = () => Promise.reject(new Error('the tap is dry'));
    web = {
      ...web,
      chat: (await import('../../../bot/web/chat.ts')).createWebChat({
        ...web.deps,
        limits: createRateLimits(web.deps.clock.now),
        publicUrl: 'http://localhost',
        changes: web.changes,
        bot: web.bot,
        isSecure: false,
        operator: OPERATOR,
      }),
    };
    const post = await web.chat.request('http://localhost/messages', {
      method: 'POST',
      headers: { cookie: browser.cookie, origin: 'http://localhost', 'content-type': 'application/json' },
      body: JSON.stringify({ text: '/help', event_id: 'event-0001' }),
    });
    expect(post.status).toBe(202);
    const message = (await shown(web.store, chatId)).find(({ onceKey }) => onceKey === 'welcome');
    expect(plainText(message!.view)).toBe('I couldn’t get you play money just now.');
    const [button] = message!.view.actions;
    expect(button).toMatchObject({ kind: 'button', label: 'Try again' });
    web.deps.faucet = faucet!;
    expect((await browser.press((button as { id: string }).id, 'press-0001')).status).toBe(202);
    expect((await texts()).at(-1)).toBe('bot: Done. You now have 20.00 USDC of play money.');
  });

  test('money that is there already is not given twice', async () => {
    web.state.balance = usdc(3);
    await browser.say('/help', 'event-0001');
    expect(web.state.faucetCalls).toBe(0);
    expect((await texts())[1]).toContain('Welcome! You have 3.00 USDC');
  });
});

describe('a message', () => {
  test('a tip is answered in one message that is edited in place, and the receipt comes after it', async () => {
    const stream = await listen();
    await stream.untilText('Welcome!');
    await browser.say('/tip @x:alice 1', 'event-0001');
    const done = JSON.parse((await stream.untilText('Sent ')).data);
    await web.bot.idle();
    const view = receiptView({
      amount: usdc(1),
      recipient: 'x:alice',
      status: 'pending_claim',
      receiptUrl: 'http://localhost/receipts/abc',
      claimUntil: '2026-12-20T12:00:00.000Z',
    });
    const receipt = {
      id: 'm_receipt',
      chatId,
      author: 'bot',
      onceKey: 'receipt:4711:pending_claim',
      view,
      nowMs: 1,
    } as const;
    await Promise.all([postOnce(web.store, receipt), postOnce(web.store, { ...receipt, id: 'm_other' })]);
    web.changes.notify(chatId);
    const posted = JSON.parse((await stream.untilText('is waiting for')).data);
    expect(posted.position).toBeGreaterThan(done.position);
    expect(await texts()).toEqual([
      'bot: Welcome! You have 20.00 USDC of play money to send.',
      'visitor: /tip @x:alice 1',
      'bot: Sent 1.00 USDC to @alice on X.',
      'bot: 1.00 USDC is waiting for @alice on X.\nSend them the receipt: that is where they collect it. If nobody collects it, it comes back to you on 20 December 2026 (UTC).',
    ]);
  });

  test('the same event three times at once and again later is one message and one payment', async () => {
    const say = () => browser.say('/tip @x:alice 1', 'event-0001');
    const answers = await Promise.all([say(), say(), say()]);
    await web.bot.idle();
    await browser.say('/tip @x:mallory 9', 'event-0001');
    await web.bot.idle();
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(web.signed.length).toBe(1);
    expect(api.headers().length).toBe(1);
    const said = (await texts()).filter((text) => !text.includes('Welcome!'));
    expect(said).toEqual(['visitor: /tip @x:alice 1', 'bot: Sent 1.00 USDC to @alice on X.']);
  });

  test('what was said under an event stands, even when its first post was cut off before it was answered', async () => {
    const view = { state: 'ok', audience: 'person', paragraphs: [[{ text: '/tip x:alice 1' }]], actions: [] } as const;
    await postOnce(web.store, { id: 'm_1', chatId, author: 'visitor', onceKey: 'event:event-0001', view, nowMs: 1 });
    await browser.say('/tip x:mallory 9', 'event-0001');
    await web.bot.idle();
    expect((await texts()).at(-1)).toBe('bot: Sent 1.00 USDC to @alice on X.');
  });

  test('another visitor with the same event id is another event', async () => {
    const other = await web.browser();
    await Promise.all([browser.say('/tip @x:alice 1', 'event-0001'), other.say('/tip @x:bob 2', 'event-0001')]);
    await web.bot.idle();
    expect(api.headers().length).toBe(2);
    expect(new Set(web.signed.map(({ walletId }) => walletId)).size).toBe(2);
  });

  test('text stays text, all the way', async () => {
    const stream = await listen();
    await browser.say('/tip x:alice 1 <img src=x onerror=alert(1)>', 'event-0001');
    const { data } = await stream.untilText('onerror');
    expect(JSON.parse(data).view.paragraphs).toEqual([[{ text: '/tip x:alice 1 <img src=x onerror=alert(1)>' }]]);
  });

  test.each<[string, unknown, number]>([
    ['no text', { event_id: 'event-0001' }, 400],
    ['an empty text', { text: '  ', event_id: 'event-0001' }, 400],
    ['a long text', { text: 'a'.repeat(2_001), event_id: 'event-0001' }, 400],
    ['no event', { text: 'hi' }, 400],
    ['a strange event', { text: 'hi', event_id: '../../other' }, 400],
    ['no JSON', '{', 400],
    ['a key twice', '{"text":"hi","text":"hello","event_id":"event-0001"}', 400],
    ['a list', [], 400],
    ['a large body', { text: 'a'.repeat(20_000), event_id: 'event-0001' }, 413],
  ])('%s is refused', async (_title, body, status) => {
    expect((await browser.post('/messages', body)).status).toBe(status);
    expect(await texts()).toEqual([]);
  });

  test.each<[string, Record<string, string>, number]>([
    ['another site', { origin: 'https://evil.example' }, 403],
    ['another port', { origin: 'http://localhost:9999' }, 403],
    ['a sandboxed frame', { origin: 'null' }, 403],
    ['a site that the browser calls another', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a sibling host', { 'sec-fetch-site': 'same-site' }, 403],
    ['a plain form', { 'content-type': 'text/plain' }, 415],
    ['a stranger without a cookie', { cookie: '' }, 401],
  ])('a post from %s is refused', async (_title, headers, status) => {
    expect((await browser.post('/messages', { text: '/tip x:eve 1', event_id: 'event-0001' }, headers)).status).toBe(
      status,
    );
    expect(web.signed).toEqual([]);
  });

  test('a post that says nothing about where it comes from is refused', async () => {
    const bare = await web.chat.request('http://localhost/messages', {
      method: 'POST',
      headers: { cookie: browser.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ text: '/tip x:eve 1', event_id: 'event-0001' }),
    });
    expect(bare.status).toBe(403);
  });

  test('the sixty-first post of a minute is told to wait, and later ones are taken again', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 61; count++) statuses.push((await browser.say('/help', 'event-0001')).status);
    expect(statuses.filter((status) => status === 202).length).toBe(60);
    expect(statuses.at(-1)).toBe(429);
    web.clock.pass(90_000);
    expect((await browser.say('/help', 'event-0002')).status).toBe(202);
  });
});

describe('a button', () => {
  async function moreMoneyButton(): Promise<string> {
    await browser.say('/deposit', 'event-0001');
    const message = (await shown(web.store, chatId)).find(({ view }) =>
      view.actions.some(({ kind }) => kind === 'button'),
    );
    return (message!.view.actions[0] as { id: string }).id;
  }

  test('works once, and the same press delivered again is the same press', async () => {
    const button = await moreMoneyButton();
    await browser.press(button, 'press-0001');
    await browser.press(button, 'press-0001');
    const afterOne = await texts();
    expect(afterOne.at(-1)).toBe('bot: Done. You now have 20.00 USDC of play money.');
    await browser.press(button, 'press-0002');
    expect((await texts()).at(-1)).toBe('bot: That button no longer works. Type the command again for a new one.');
    expect((await texts()).length).toBe(afterOne.length + 1);
  });

  test('is only for the person it was shown to, and its id says nothing', async () => {
    const button = await moreMoneyButton();
    expect(button).toMatch(/^b_[A-Za-z0-9_-]{22}$/);
    const other = await web.browser();
    const calls = web.state.faucetCalls;
    await other.press(button, 'press-0001');
    await other.press('b_forged', 'press-0002');
    expect(web.state.faucetCalls).toBe(calls);
    await browser.press(button, 'press-0001');
    expect(web.state.faucetCalls).toBe(calls + 1);
  });
});

describe('what was kept for a proven name', () => {
  const keep = (holderId: string, sinceMs: number) =>
    web.store.tx((db) => {
      const holder = { holderId, walletId: 'x:7', identityId: 'person_7', name: 'x:alice' };
      return addHolder(db, web.store.tables, holder, sinceMs);
    });
  const payers = () => web.signed.map(({ walletId }) => walletId);

  test('pays by itself from then on, says so, and gives way to a choice', async () => {
    await browser.say('/help', 'event-0001');
    await keep(chatId, START_MS + 1);
    await browser.say('/tip x:bob 1', 'event-0002');
    await web.bot.idle();
    expect((await texts()).at(-1)).toBe('bot: Sent 1.00 USDC to @bob on X from what you kept as @alice on X.');
    web.clock.pass(10);
    await browser.say('/wallet', 'event-0003');
    const list = (await shown(web.store, chatId)).find(({ view }) => plainText(view).startsWith('You can pay from'));
    expect(plainText(list!.view).split('\n').slice(1)).toEqual([
      'This chat’s own wallet: 20.00 USDC',
      '@alice on X: 20.00 USDC (pays now)',
    ]);
    expect(list!.view.actions).toMatchObject([{ kind: 'button', label: 'Pay from this chat’s own wallet' }]);
    await browser.press((list!.view.actions[0] as { id: string }).id, 'press-0001');
    expect((await texts()).at(-1)).toBe('bot: From now on your tips are paid from this chat’s own wallet.');
    await browser.say('/tip x:bob 1', 'event-0004');
    await web.bot.idle();
    expect((await texts()).at(-1)).toBe('bot: Sent 1.00 USDC to @bob on X.');
    expect(payers()).toEqual(['x:7', chatId]);
    // Proven once more, it is the newest again.
    await keep(chatId, web.clock.now() + 1);
    await browser.say('/tip x:bob 1', 'event-0005');
    await web.bot.idle();
    expect(payers().at(-1)).toBe('x:7');
  });

  test('is out of every other browser’s reach', async () => {
    await keep(chatId, START_MS + 1);
    const other = await web.browser();
    await other.say('/tip x:bob 1', 'event-0001');
    await web.bot.idle();
    expect(payers()).toEqual([await visitorOf(other.cookie)]);
  });
});

describe('the stream', () => {
  test('begins with what was said, then says that it is up to date', async () => {
    await browser.say('/balance', 'event-0001');
    const stream = await listen();
    const events = [await stream.next(), await stream.next(), await stream.next(), await stream.next()];
    expect(events.map(({ event }) => event)).toEqual(['message', 'message', 'message', 'ready']);
    const said = events.map(({ data }) => data).find((data) => data.includes('/balance'))!;
    expect(JSON.parse(said)).toMatchObject({ author: 'visitor', event_id: 'event-0001' });
  });

  test('goes on after Last-Event-ID and sends what was edited meanwhile in its latest form', async () => {
    await browser.say('/help', 'event-0001');
    const first = await listen();
    const { id } = await first.until(({ event }) => event === 'ready');
    await first.close();
    await browser.say('/tip x:alice 1', 'event-0002');
    await web.bot.idle();
    for (const again of [await listen({ 'last-event-id': id }), await listen({}, `?after=${id}`)]) {
      const events = [await again.next(), await again.next(), await again.next()];
      expect(events.map(({ event }) => event)).toEqual(['message', 'message', 'ready']);
      expect(plainText(JSON.parse(events[0]!.data).view)).toBe('/tip x:alice 1');
      expect(plainText(JSON.parse(events[1]!.data).view)).toBe('Sent 1.00 USDC to @alice on X.');
    }
  });

  test('a page that remembers another database starts over', async () => {
    await browser.say('/help', 'event-0001');
    const stream = await listen({ 'last-event-id': '5000' });
    expect((await stream.next()).event).toBe('reset');
    expect((await stream.next()).event).toBe('message');
  });

  test('sees a change that nobody rang for', async () => {
    const stream = await listen();
    await stream.untilText('Welcome!');
    const view = { state: 'ok', audience: 'person', paragraphs: [[{ text: 'from elsewhere' }]], actions: [] } as const;
    await postOnce(web.store, { id: 'm_1', chatId, author: 'bot', onceKey: 'once', view, nowMs: 1 });
    expect((await stream.untilText('from elsewhere')).event).toBe('message');
  });

  test('shows a visitor nothing of another', async () => {
    await browser.say('/tip x:alice 1 secret words', 'event-0001');
    await web.bot.idle();
    const other = await web.browser();
    const stream = await other.listen();
    open.push(stream);
    const seen: string[] = [];
    await stream.until(({ event, data }) => seen.push(data) < 0 || event === 'ready');
    expect(seen.join()).not.toContain('secret words');
  });

  test('needs a cookie; of nine of one visitor the oldest ends', async () => {
    expect((await web.chat.request('http://localhost/stream')).status).toBe(401);
    const first = await listen();
    await first.until(({ event }) => event === 'ready');
    for (let count = 0; count < 8; count++) expect((await listen()).response.status).toBe(200);
    expect((await first.until(() => false)).event).toBe('end');
  });

  test('ends when the bot closes', async () => {
    const stream = await listen();
    await stream.until(({ event }) => event === 'ready');
    web.closing.abort();
    expect((await stream.until(() => false)).event).toBe('end');
  });
});
