import { get } from 'node:https';
import { describe, expect, test } from 'vitest';
import { isGlobalAddress } from '../../../identity/addresses.ts';
import { createAddressLookup, createDns } from '../../../identity/dns.ts';
import {
  createFindPublishedWallets,
  httpsUrlOfHost,
  type ToHostUrl,
} from '../../../identity/platforms/published-wallets.ts';
import { createWebProof } from '../../../identity/proofs/web.ts';
import { startDnsServer, type DnsReply } from '../../../local/identity/name-server.ts';
import { startWebHost } from '../../../local/identity/web-host.ts';
import { answering, startServer } from '../servers.ts';
import { CANARY, EVERYWHERE, NAMES, TRICKY_TARGETS } from '../tricky-targets.ts';
import { startTlsServer } from './tls-server.ts';
import { createTools, FOREVER, keep } from './tools.ts';

const HOST = 'shop.example.com';
const TOKEN = 'a-random-token_0123456789';
const LINE = `pennypost=${TOKEN}`;
const PROVEN = { kind: 'proven', stableId: HOST, handle: HOST };
const NOT_PUBLISHED = { kind: 'refused', reason: 'not_published' };
const UNAVAILABLE = { kind: 'unavailable' };

type World = {
  /** Of `_pennypost.<host>`. */
  records?: DnsReply;
  toHostUrl?: ToHostUrl;
  limits?: Parameters<typeof createTools>[0];
  signal?: AbortSignal;
};

const NOBODY: ToHostUrl = () => 'http://127.0.0.1:1/';

async function check({ records = [], toHostUrl = NOBODY, limits, signal = FOREVER }: World) {
  const server = await keep(
    startDnsServer((name, type) => (name === `_pennypost.${HOST}` && type === 'TXT' ? records : 'no-name')),
  );
  const { fetch, report, reasons } = createTools({ bytesMax: 1_000, ...limits });
  const proof = createWebProof({ dns: createDns({ servers: [server.address] }), fetch, report, toHostUrl });
  const outcome = await proof.check({ host: HOST, token: TOKEN, signal });
  return { outcome, reasons, questions: server.questions };
}

test('what the owner is asked to publish', () => {
  const { fetch, report } = createTools();
  const proof = createWebProof({ dns: createDns({ servers: [] }), fetch, report });
  expect(proof.instructions({ host: HOST, token: TOKEN })).toEqual({
    txtName: `_pennypost.${HOST}`,
    fileUrl: `https://${HOST}/.well-known/pennypost.txt`,
    line: LINE,
  });
});

test.each(['short', 'x'.repeat(181), 'a token with spaces in it 0123', 'a-token-with-a-"-0123456789', ''])(
  'the token %j is refused: an attacker could guess it, or an editor change it',
  (token) => {
    const { fetch, report } = createTools();
    const proof = createWebProof({ dns: createDns({ servers: [] }), fetch, report });
    expect(() => proof.instructions({ host: HOST, token })).toThrow('expected a token');
  },
);

describe('a TXT record', () => {
  test.each<[string, DnsReply]>([
    ['alone', [LINE]],
    ['among others', ['v=spf1 -all', LINE, 'x']],
  ])('%s proves the host', async (_case, records) => {
    const { outcome, reasons, questions } = await check({ records });
    expect(outcome).toEqual(PROVEN);
    expect(reasons).toEqual([]);
    expect(questions).toEqual([`TXT _pennypost.${HOST}`]);
  });

  test.each<[string, DnsReply]>([
    ['of another token', ['pennypost=a-random-token_0123456780']],
    ['with something behind it', [`${LINE}x`]],
    ['with something before it', [`x${LINE}`]],
    ['in capitals', [LINE.toUpperCase()]],
    ['with a space', [`${LINE} `]],
    ['without its name', [TOKEN]],
    ['cut in two records', [LINE.slice(0, 20), LINE.slice(20)]],
    ['that is empty', ['']],
    ['that is not there', []],
    ['of a name that is not there', 'no-name'],
  ])('%s proves nothing', async (_case, records) => {
    const { outcome, reasons } = await check({ records });
    expect(outcome).toEqual(NOT_PUBLISHED);
    expect(reasons).toEqual([]);
  });

  test('that travels in pieces is one text', async () => {
    const token = 'x'.repeat(180);
    const host = `${'a'.repeat(60)}.example.com`;
    const server = await keep(startDnsServer(() => [`${'y'.repeat(300)}`, `pennypost=${token}`]));
    const { fetch, report } = createTools();
    const dns = createDns({ servers: [server.address] });
    const proof = createWebProof({ dns, fetch, report, toHostUrl: NOBODY });
    expect((await proof.check({ host, token, signal: FOREVER })).kind).toBe('proven');
    expect(await dns(`_pennypost.${host}`, 'TXT', FOREVER)).toMatchObject({
      records: expect.arrayContaining(['y'.repeat(300)]),
    });
  });

  test.each(['failure', 'refusal'] as const)('a name server’s %s says nothing about the owner', async (records) => {
    const { outcome, reasons } = await check({ records });
    expect(outcome).toEqual(UNAVAILABLE);
    expect(reasons).toHaveLength(1);
  });

  test('the record of the host itself, or of another, is not asked for', async () => {
    const server = await keep(startDnsServer((name) => (name === `_pennypost.${HOST}` ? [] : [LINE])));
    const { fetch, report } = createTools();
    const proof = createWebProof({ dns: createDns({ servers: [server.address] }), fetch, report, toHostUrl: NOBODY });
    expect(await proof.check({ host: HOST, token: TOKEN, signal: FOREVER })).toEqual(NOT_PUBLISHED);
  });
});

describe('a file', () => {
  async function checkFile(status: number, text: string, records: DnsReply = [], headers: Record<string, string> = {}) {
    const { url, requests } = await startServer((request, response) => {
      const isFile = request.url === `/${HOST}/.well-known/pennypost.txt`;
      answering(isFile ? status : 404, text, headers)(request, response);
    });
    const checked = await check({ records, toHostUrl: (host, path) => `${url}/${host}${path}` });
    return { ...checked, requests: requests() };
  }

  test.each([
    ['alone', LINE],
    ['with a line break', `${LINE}\n`],
    ['with a line break of Windows', `${LINE}\r\n`],
    ['among other lines', `# mine\n\nother=1\n${LINE}\nend`],
  ])('with the line %s proves the host', async (_case, text) => {
    const { outcome, reasons } = await checkFile(200, text);
    expect(outcome).toEqual(PROVEN);
    expect(reasons).toEqual([]);
  });

  test.each([
    ['another token', 200, 'pennypost=a-random-token_0123456780'],
    ['a space before it', 200, ` ${LINE}`],
    ['a space behind it', 200, `${LINE} `],
    ['the line inside a page', 200, `<p>${LINE}</p>`],
    ['the line in quotes', 200, `"${LINE}"`],
    ['the token alone', 200, TOKEN],
    ['nothing', 200, ''],
    ['the line, not found', 404, LINE],
    ['the line, made just now', 201, LINE],
    ['the line, in an error', 500, LINE],
    ['the line, beyond the limit', 200, `${'x'.repeat(1_000)}\n${LINE}`],
  ])('with %s proves nothing', async (_case, status, text) => {
    const { outcome, reasons } = await checkFile(status, text);
    expect(outcome).toEqual(NOT_PUBLISHED);
    // A website without our file is nobody's trouble.
    expect(reasons).toEqual([]);
  });

  test('is enough while the name servers are silent', async () => {
    expect((await checkFile(200, LINE, 'failure')).outcome).toEqual(PROVEN);
    expect((await checkFile(404, '', 'failure')).outcome).toEqual(UNAVAILABLE);
  });

  test.each(['/elsewhere.txt', 'https://www.shop.example.com/.well-known/pennypost.txt'])(
    'is not looked for where a redirect points: %s',
    async (location) => {
      const { url, requests } = await startServer((request, response) => {
        const isFile = request.url?.endsWith('pennypost.txt');
        answering(isFile ? 302 : 200, LINE, isFile ? { location } : {})(request, response);
      });
      expect((await check({ toHostUrl: () => `${url}/pennypost.txt` })).outcome).toEqual(NOT_PUBLISHED);
      expect(requests()).toBe(1);
    },
  );

  test('that never comes is left', async () => {
    const { url } = await startServer(() => {});
    expect((await check({ toHostUrl: () => url, limits: { timeoutMs: 50 } })).outcome).toEqual(NOT_PUBLISHED);
    const caller = new AbortController();
    const { url: waiting } = await startServer(() => caller.abort());
    expect((await check({ toHostUrl: () => waiting, signal: caller.signal, records: [LINE] })).outcome).toEqual(PROVEN);
  });

  test('behind a certificate that nobody vouches for is not read', async () => {
    const { port, requests } = await startTlsServer(answering(200, LINE));
    const toHostUrl: ToHostUrl = (host, path) => httpsUrlOfHost(`${host}:${port}`, path);
    const limits = { lookup: async () => ['127.0.0.1'] };
    expect((await check({ toHostUrl, limits })).outcome).toEqual(NOT_PUBLISHED);
    expect(requests()).toBe(0);
    // It is the certificate that was missing, nothing else.
    const body = await new Promise<string>((resolve, reject) => {
      const url = `https://127.0.0.1:${port}/`;
      get(url, { rejectUnauthorized: false }, (response) => response.setEncoding('utf8').once('data', resolve)).once(
        'error',
        reject,
      );
    });
    expect(body).toBe(LINE);
  });
});

describe('the guard', () => {
  const lookup = async (host: string) => NAMES[host] ?? [];

  test.each(TRICKY_TARGETS)('a host that turns out to be %s is not asked', async (target) => {
    const { port, requests } = await startServer(answering(200, LINE), EVERYWHERE);
    const toHostUrl: ToHostUrl = () => target.replace(CANARY, String(port));
    const guarded = { allowsAddress: isGlobalAddress, lookup };
    expect((await check({ toHostUrl, limits: guarded })).outcome).toEqual(NOT_PUBLISHED);
    expect(requests()).toBe(0);
  });

  test('without it the same host would have spoken for itself', async () => {
    const { port } = await startServer(answering(200, LINE), EVERYWHERE);
    const toHostUrl: ToHostUrl = () => `http://loopback.example:${port}/`;
    expect((await check({ toHostUrl, limits: { lookup } })).outcome).toEqual(PROVEN);
  });

  test('a host that moves into our network between two checks', async () => {
    const { port, requests } = await startServer(answering(200, LINE, { connection: 'close' }));
    let addresses = ['127.0.0.1'];
    const names = await keep(startDnsServer((name, type) => (type === 'A' && name === HOST ? addresses : [])));
    const dns = createDns({ servers: [names.address] });
    const { fetch, report } = createTools({
      allowsAddress: (address) => address === '127.0.0.1',
      lookup: createAddressLookup(dns, { timeoutMs: 5_000 }),
    });
    const proof = createWebProof({ dns, fetch, report, toHostUrl: (host) => `http://${host}:${port}/` });
    const ask = () => proof.check({ host: HOST, token: TOKEN, signal: FOREVER });
    expect(await ask()).toEqual(PROVEN);
    addresses = ['10.0.0.1'];
    expect(await ask()).toEqual(NOT_PUBLISHED);
    expect(requests()).toBe(1);
  });
});

test('asked again, the answer is that of the moment', async () => {
  const website = await keep(startWebHost());
  const { fetch, report } = createTools();
  const { toHostUrl, dnsServer } = website;
  const proof = createWebProof({ dns: createDns({ servers: [dnsServer] }), fetch, report, toHostUrl });
  const ask = () => proof.check({ host: HOST, token: TOKEN, signal: FOREVER });
  expect(await ask()).toEqual(NOT_PUBLISHED);
  website.publishRecord(HOST, LINE);
  expect(await ask()).toEqual(PROVEN);
  website.publishRecord(HOST, 'something else');
  expect(await ask()).toEqual(NOT_PUBLISHED);
  website.publishFile(HOST, '/.well-known/pennypost.txt', LINE);
  expect(await ask()).toEqual(PROVEN);
});

describe('published wallets', () => {
  const BASE = `0x${'aB'.repeat(20)}`;
  const SOLANA = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV';

  async function find(status: number, body: unknown, headers: Record<string, string> = {}) {
    const { url, requests } = await startServer((request, response) => {
      const isFile = request.url === `/${HOST}/.well-known/pennypost.json`;
      answering(
        isFile ? status : 404,
        typeof body === 'string' ? body : JSON.stringify(body),
        headers,
      )(request, response);
    });
    const { fetch } = createTools({ bytesMax: 10_000 });
    const findWallets = createFindPublishedWallets({ fetch, toHostUrl: (host, path) => `${url}/${host}${path}` });
    const found = await findWallets(HOST, FOREVER);
    expect(requests()).toBe(1);
    return found;
  }

  test.each([
    ['of both networks', { base: [BASE], solana: [SOLANA] }, { base: [BASE], solana: [SOLANA], polygon: [] }],
    ['of one network', { base: [BASE] }, { base: [BASE], solana: [], polygon: [] }],
    ['of none', {}, { base: [], solana: [], polygon: [] }],
    ['twice', { base: [BASE, BASE] }, { base: [BASE], solana: [], polygon: [] }],
    [
      'beside others that are none',
      { base: ['0x12', BASE, SOLANA, 5, null, `${BASE}00`, ` ${BASE}`], solana: [SOLANA, BASE, 'O0Il'.repeat(10), ''] },
      { base: [BASE], solana: [SOLANA], polygon: [] },
    ],
    [
      'too many to choose from',
      { base: Array.from({ length: 9 }, (_, index) => `0x${String(index).repeat(40)}`) },
      { base: Array.from({ length: 5 }, (_, index) => `0x${String(index).repeat(40)}`), solana: [], polygon: [] },
    ],
  ])('%s', async (_case, wallets, expected) => {
    expect(await find(200, { wallets, more: 1 })).toEqual(expected);
  });

  test.each<[string, number, unknown]>([
    ['not there', 404, { wallets: { base: [BASE] } }],
    ['no JSON', 200, '<html>'],
    ['a list', 200, []],
    ['without wallets', 200, { base: [BASE] }],
    ['with a text for a list', 200, { wallets: { base: BASE } }],
    ['with a long list', 200, { wallets: { base: Array.from({ length: 101 }, () => BASE) } }],
    ['too long', 200, { wallets: { base: [BASE] }, more: 'x'.repeat(10_000) }],
  ])('a file %s publishes nothing', async (_case, status, body) => {
    expect(await find(status, body)).toBeNull();
  });

  test('a redirect is not followed', async () => {
    expect(await find(302, '', { location: '/elsewhere.json' })).toBeNull();
  });

  test.each(TRICKY_TARGETS)('a host that turns out to be %s is not asked', async (target) => {
    const { port, requests } = await startServer(answering(200, '{"wallets":{}}'), EVERYWHERE);
    const { fetch } = createTools({ allowsAddress: isGlobalAddress, lookup: async (host) => NAMES[host] ?? [] });
    const toHostUrl: ToHostUrl = () => target.replace(CANARY, String(port));
    expect(await createFindPublishedWallets({ fetch, toHostUrl })(HOST, FOREVER)).toBeNull();
    expect(requests()).toBe(0);
  });
});
