import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isGlobalAddress } from '../../identity/addresses.ts';
import { createAddressLookup, createDns } from '../../identity/dns.ts';
import { FetchFailure } from '../../identity/fetch-failure.ts';
import { createGuardedFetch, toRedirect, type FetchLimits } from '../../identity/guarded-fetch.ts';
import { startDnsServer } from '../../local/identity/name-server.ts';
import { answering, startServer } from './servers.ts';
import { CANARY, EVERYWHERE, NAMES, TRICKY_TARGETS } from './tricky-targets.ts';

const FOREVER = new AbortController().signal;

function createFetch(limits: Partial<FetchLimits> = {}) {
  const fetch = createGuardedFetch({
    timeoutMs: 5_000,
    bytesMax: 1_000,
    redirectsMax: 2,
    allowsAddress: () => true,
    ...limits,
  });
  onTestFinished(() => fetch.close());
  return fetch;
}

/** The fault of a request that must fail. */
async function faultOf(asked: Promise<unknown>): Promise<string> {
  try {
    await asked;
  } catch (error) {
    if (error instanceof FetchFailure) return error.fault;
    throw error;
  }
  return 'answered';
}

describe('an exchange', () => {
  test.each([200, 204, 304, 400, 404, 500])('status %i is an answer', async (status) => {
    const { url } = await startServer(answering(status, ''));
    expect(await createFetch().get(url, { signal: FOREVER })).toEqual({ status, text: '' });
  });

  test('the body comes as text', async () => {
    const { url } = await startServer(answering(200, '{"name":"Zoë"}'));
    expect((await createFetch().get(url, { signal: FOREVER })).text).toBe('{"name":"Zoë"}');
  });

  test('headers are sent, with a user agent and without compression', async () => {
    const { url } = await startServer((request, response) => response.end(JSON.stringify(request.headers)));
    const { text } = await createFetch().get(url, { headers: { authorization: 'Bearer t' }, signal: FOREVER });
    expect(JSON.parse(text)).toMatchObject({
      authorization: 'Bearer t',
      'user-agent': 'pennypost',
      'accept-encoding': 'identity',
    });
  });

  test('a body of exactly the limit passes, one byte more does not', async () => {
    const { url } = await startServer((request, response) => response.end('x'.repeat(Number(request.url?.slice(1)))));
    const fetch = createFetch({ bytesMax: 1_000 });
    expect((await fetch.get(`${url}/1000`, { signal: FOREVER })).text).toHaveLength(1_000);
    expect(await faultOf(fetch.get(`${url}/1001`, { signal: FOREVER }))).toBe('too-large');
  });

  test('an endless body is left at the limit', async () => {
    const { url } = await startServer((_request, response) => {
      const more = (): void =>
        void (response.write('x'.repeat(10_000)) ? setImmediate(more) : response.once('drain', more));
      more();
    });
    expect(await faultOf(createFetch().get(url, { signal: FOREVER }))).toBe('too-large');
  });

  test('a compressed body that nobody asked for is not unpacked', async () => {
    const bomb = gzipSync('x'.repeat(1_000_000));
    const { url } = await startServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const { text } = await createFetch({ bytesMax: 2_000 }).get(url, { signal: FOREVER });
    expect(text.length).toBeLessThan(2_000);
  });

  test('headers above 16 KiB are no answer', async () => {
    const { url } = await startServer(answering(200, '{}', { 'x-long': 'x'.repeat(20_000) }));
    expect(await faultOf(createFetch().get(url, { signal: FOREVER }))).toBe('unreachable');
  });

  test('a server that closes without an answer is unreachable', async () => {
    const { url } = await startServer((request) => request.socket.destroy());
    expect(await faultOf(createFetch().get(url, { signal: FOREVER }))).toBe('unreachable');
  });

  test('a port where nobody listens is unreachable', async () => {
    expect(await faultOf(createFetch().get('http://127.0.0.1:1/', { signal: FOREVER }))).toBe('unreachable');
  });

  test('a name that does not exist is unreachable', async () => {
    const fetch = createFetch({ lookup: async () => [] });
    expect(await faultOf(fetch.get('http://nobody.example/', { signal: FOREVER }))).toBe('unreachable');
  });
});

describe('the time limit', () => {
  test('ends an exchange without an answer', async () => {
    const { url } = await startServer(() => {});
    expect(await faultOf(createFetch({ timeoutMs: 50 }).get(url, { signal: FOREVER }))).toBe('timeout');
  });

  test('ends a body that stops half-way', async () => {
    const { url } = await startServer((_request, response) => void response.writeHead(200).write('{'));
    expect(await faultOf(createFetch({ timeoutMs: 50 }).get(url, { signal: FOREVER }))).toBe('timeout');
  });

  test('comes after a garbage collection too', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const { url } = await startServer(() => collectGarbage());
    expect(await faultOf(createFetch({ timeoutMs: 50 }).get(url, { signal: FOREVER }))).toBe('timeout');
  });

  test('ends a look-up that nobody answers', async () => {
    const fetch = createFetch({ timeoutMs: 50, lookup: () => new Promise(() => {}) });
    expect(await faultOf(fetch.get('http://slow.example/', { signal: FOREVER }))).toBe('timeout');
  });

  test("the caller's signal ends it earlier", async () => {
    const caller = new AbortController();
    const { url } = await startServer(() => caller.abort());
    expect(await faultOf(createFetch().get(url, { signal: caller.signal }))).toBe('timeout');
  });

  test('an answer leaves no timer and nothing on the signal', async () => {
    const countTimers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const { url } = await startServer(answering(200, '{}'));
    const fetch = createFetch();
    const { signal } = new AbortController();
    // The first exchange starts the library's own timers.
    await fetch.get(url, { signal });
    const before = countTimers();
    for (let exchange = 0; exchange < 5; exchange += 1) await fetch.get(url, { signal });
    expect(countTimers()).toBeLessThan(before + 5);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('nothing is asked for a caller who has left', async () => {
    const { url, requests } = await startServer(answering(200, '{}'));
    expect(await faultOf(createFetch().get(url, { signal: AbortSignal.abort() }))).toBe('timeout');
    expect(requests()).toBe(0);
  });
});

describe('redirects', () => {
  test('are followed up to the limit, and not beyond', async () => {
    const { url } = await startServer((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const fetch = createFetch({ redirectsMax: 2 });
    expect((await fetch.get(`${url}/2`, { signal: FOREVER })).text).toBe('there');
    expect(await faultOf(fetch.get(`${url}/3`, { signal: FOREVER }))).toBe('redirected');
    expect(await faultOf(createFetch({ redirectsMax: 0 }).get(`${url}/1`, { signal: FOREVER }))).toBe('redirected');
  });

  test('to another origin are followed without headers of the caller, never with', async () => {
    const other = await startServer(answering(200, 'other'));
    const { url } = await startServer(answering(302, '', { location: other.url }));
    const fetch = createFetch();
    expect((await fetch.get(url, { signal: FOREVER })).text).toBe('other');
    expect(await faultOf(fetch.get(url, { headers: { authorization: 'Bearer t' }, signal: FOREVER }))).toBe(
      'redirected',
    );
    expect(other.requests()).toBe(1);
  });

  test.each([
    ['file:///etc/passwd', 'bad-url'],
    ['http://user@127.0.0.1/', 'bad-url'],
    ['http://[', 'bad-url'],
  ])('to %s are refused', async (location, fault) => {
    const { url } = await startServer(answering(302, '', { location }));
    expect(await faultOf(createFetch().get(url, { signal: FOREVER }))).toBe(fault);
  });
});

test.each([
  ['https://a.example/x', '/y', true, 'https://a.example/y'],
  ['https://a.example/x', '/y', false, 'https://a.example/y'],
  ['https://a.example/x', '//a.example/y', false, 'https://a.example/y'],
  ['https://a.example/', 'https://b.example/', true, 'https://b.example/'],
  ['https://a.example/', 'https://b.example/', false, 'redirected'],
  ['https://a.example/', 'https://sub.a.example/', false, 'redirected'],
  ['https://a.example/', 'https://a.example:8443/', false, 'redirected'],
  ['http://a.example/', 'https://a.example/', true, 'https://a.example/'],
  ['http://a.example/', 'https://a.example/', false, 'redirected'],
  ['https://a.example/', 'http://a.example/', true, 'redirected'],
  ['https://a.example/', 'http://a.example/', false, 'redirected'],
  ['https://a.example/', 'javascript:alert(1)', true, 'bad-url'],
  ['https://a.example/', 'https://b@a.example/', false, 'bad-url'],
])('from %s to %s, bare: %s, is %s', (from, location, isBare, expected) => {
  const follow = (): string => {
    try {
      return toRedirect(location, new URL(from), isBare).href;
    } catch (error) {
      return error instanceof FetchFailure ? error.fault : String(error);
    }
  };
  expect(follow()).toBe(expected);
});

describe('sending', () => {
  const sent = { method: 'POST', body: 'a=1', signal: FOREVER } as const;

  test.each(['POST', 'DELETE'] as const)('%s takes its body and its headers along', async (method) => {
    const { url } = await startServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => response.end([request.method, request.headers['x-of-ours'], body].join(' ')));
    });
    const answer = await createFetch().send(url, {
      method,
      headers: { 'x-of-ours': 'h' },
      body: 'a=1',
      signal: FOREVER,
    });
    expect(answer).toEqual({ status: 200, text: `${method} h a=1` });
  });

  test.each(['/there', 'http://127.0.0.1:1/', 'https://elsewhere.example/'])(
    'a redirect to %s is a failure, however many were allowed',
    async (location) => {
      const { url, requests } = await startServer(answering(307, '', { location }));
      expect(await faultOf(createFetch({ redirectsMax: 5 }).send(url, sent))).toBe('redirected');
      expect(requests()).toBe(1);
    },
  );

  test('a request whose connection breaks is not sent again', async () => {
    const { url, requests } = await startServer((request) => request.socket.destroy());
    expect(await faultOf(createFetch().send(url, sent))).toBe('unreachable');
    expect(requests()).toBe(1);
  });

  test('the limits of time and size hold', async () => {
    const { url: slow } = await startServer(() => {});
    expect(await faultOf(createFetch({ timeoutMs: 50 }).send(slow, sent))).toBe('timeout');
    const { url: long } = await startServer(answering(200, 'x'.repeat(1_001)));
    expect(await faultOf(createFetch({ bytesMax: 1_000 }).send(long, sent))).toBe('too-large');
  });

  test.each(TRICKY_TARGETS)('the guard refuses %s', async (target) => {
    const { port, requests } = await startServer(answering(200, 'canary'), EVERYWHERE);
    const fetch = createFetch({ allowsAddress: isGlobalAddress, lookup: async (host) => NAMES[host] ?? [] });
    expect(await faultOf(fetch.send(target.replace(CANARY, String(port)), sent))).toBe('forbidden-address');
    expect(requests()).toBe(0);
  });
});

describe('the guard for what strangers choose', () => {
  const lookup = async (host: string) => NAMES[host] ?? [];

  test.each(TRICKY_TARGETS)('refuses %s', async (target) => {
    const { port, requests } = await startServer(answering(200, 'canary'), EVERYWHERE);
    const fetch = createFetch({ allowsAddress: isGlobalAddress, lookup });
    const url = target.replace(CANARY, String(port));
    expect(await faultOf(fetch.get(url, { signal: FOREVER }))).toBe('forbidden-address');
    expect(requests()).toBe(0);
  });

  // A header holds ASCII only.
  test.each(TRICKY_TARGETS.filter((target) => /^\p{ASCII}+$/u.test(target)))(
    'refuses a redirect to %s',
    async (target) => {
      const { port, requests } = await startServer(answering(200, 'canary'), EVERYWHERE);
      const start = await startServer(answering(302, '', { location: target.replace(CANARY, String(port)) }));
      // The first connection is let through, as if it went to a host on the internet.
      let judged = 0;
      const fetch = createFetch({ allowsAddress: (address) => judged++ === 0 || isGlobalAddress(address), lookup });
      expect(await faultOf(fetch.get(start.url, { signal: FOREVER }))).toBe('forbidden-address');
      expect(start.requests()).toBe(1);
      expect(requests()).toBe(0);
    },
  );

  test('without it the same targets reach this machine', async () => {
    const { port } = await startServer(answering(200, 'canary'), EVERYWHERE);
    const open = createFetch({ lookup });
    for (const host of [
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '0.0.0.0',
      'loopback.example',
      'mixed.example',
    ]) {
      expect(await faultOf(open.get(`http://${host}:${port}/`, { signal: FOREVER })), host).toBe('answered');
    }
  });

  test('a name that moves between two look-ups is judged by the one that is connected to', async () => {
    const { port, requests } = await startServer(answering(200, '', { connection: 'close' }));
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let lookups = 0;
    const fetch = createFetch({
      allowsAddress: (address) => address === '127.0.0.1',
      lookup: async () => answers[lookups++] ?? [],
    });
    const url = `http://rebinding.example:${port}/`;
    expect(await faultOf(fetch.get(url, { signal: FOREVER }))).toBe('answered');
    expect(lookups).toBe(1);
    expect(await faultOf(fetch.get(url, { signal: FOREVER }))).toBe('forbidden-address');
    expect(requests()).toBe(1);
  });

  test.each([
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'data:text/plain,x',
    'http://a@b.example/',
    '',
  ])('refuses the URL %j', async (url) => {
    expect(await faultOf(createFetch().get(url, { signal: FOREVER }))).toBe('bad-url');
  });

  test('names are looked up at the configured name servers', async () => {
    const { port, requests } = await startServer(answering(200, ''));
    const server = await startDnsServer((name, type) => {
      if (type === 'AAAA') return [];
      return name === 'outside.example' ? ['127.0.0.1'] : ['10.0.0.1'];
    });
    onTestFinished(() => server.close());
    const fetch = createFetch({
      allowsAddress: (address) => address === '127.0.0.1',
      lookup: createAddressLookup(createDns({ servers: [server.address] }), { timeoutMs: 5_000 }),
    });
    expect(await faultOf(fetch.get(`http://outside.example:${port}/`, { signal: FOREVER }))).toBe('answered');
    expect(await faultOf(fetch.get(`http://inside.example:${port}/`, { signal: FOREVER }))).toBe('forbidden-address');
    expect(requests()).toBe(1);
    expect(server.questions).toContain('AAAA inside.example');
  });

  test('a host whose name servers are silent is unreachable', async () => {
    const server = await startDnsServer(() => 'failure');
    onTestFinished(() => server.close());
    const lookupThere = createAddressLookup(createDns({ servers: [server.address] }), { timeoutMs: 5_000 });
    const fetch = createFetch({ allowsAddress: isGlobalAddress, lookup: lookupThere });
    expect(await faultOf(fetch.get('http://somebody.example/', { signal: FOREVER }))).toBe('unreachable');
  });
});
