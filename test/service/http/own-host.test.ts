import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { trustProxies } from '../../../api/http/proxies.ts';
import { isForUs } from '../../../service/http/own-host.ts';
import { listen, type HttpServer } from '../../../service/http/server.ts';

const PUBLIC = 'https://pay.example';
const LOCAL = 'http://127.0.0.1:8402';
const [INTERNET, PROXY, HERE] = ['203.0.113.7', '10.4.0.9', '::ffff:127.0.0.1'];

function isAnswered(baseUrl: string, host: string, peer: string, path = '/'): boolean {
  const exchange = { incoming: { socket: { remoteAddress: peer } } } as Parameters<typeof isForUs>[1];
  const site = { baseUrl, isTrustedProxy: trustProxies(['10.0.0.0/8']), log: { warn: () => {} } };
  return isForUs(new Request(`http://${host}${path}`), exchange, site);
}

test.each<[string, string, string, boolean]>([
  [PUBLIC, 'pay.example', INTERNET, true],
  [PUBLIC, 'PAY.example:443', INTERNET, true],
  [PUBLIC, 'evil.example', INTERNET, false],
  [PUBLIC, 'pay.example.evil.example', INTERNET, false],
  [PUBLIC, '203.0.113.9', INTERNET, false],
  [PUBLIC, 'localhost', INTERNET, false],
  [PUBLIC, 'inner.cluster', PROXY, true],
  [PUBLIC, 'localhost:8402', HERE, true],
  [PUBLIC, 'evil.example', HERE, false],
  [LOCAL, 'localhost:8402', HERE, true],
  [LOCAL, '[::1]:8402', HERE, true],
  [LOCAL, 'evil.example:8402', HERE, false],
  [LOCAL, 'evil.example:8402', PROXY, false],
])('%s is asked as %s by %s: %s', (baseUrl, host, peer, isExpected) => {
  expect(isAnswered(baseUrl, host, peer)).toBe(isExpected);
});

test('a supervisor may probe by address, and ask nothing else that way', () => {
  const paths = ['/health/live', '/health/ready', '/health', '/payments'];
  expect(paths.map((path) => isAnswered(PUBLIC, '10.4.0.2:8402', INTERNET, path))).toEqual([true, true, false, false]);
});

describe('a server on a machine of one’s own', () => {
  const warnings: unknown[] = [];
  let server: HttpServer;
  afterEach(() => server.close());

  async function start(isTrusted = false): Promise<void> {
    warnings.length = 0;
    const log = { warn: (...line: unknown[]) => void warnings.push(line) };
    server = await listen('127.0.0.1', 0, { site: { baseUrl: LOCAL, isTrustedProxy: () => isTrusted, log } });
    server.serve((asked) => new Response(new URL(asked.url).host));
  }

  async function ask(headers: Record<string, string>, path = '/chat') {
    const asked = request({ port: server.port, host: '127.0.0.1', path, headers }).end();
    const [answer] = await once(asked, 'response');
    return { status: answer.statusCode, body: await text(answer) };
  }

  test('answers 421 to a page whose own name points at it, on every path', async () => {
    await start();
    for (const path of ['/chat', '/mcp', '/', '/receipts/x']) {
      const { status, body } = await ask({ host: 'evil.example' }, path);
      expect([status, JSON.parse(body).error]).toEqual([421, 'wrong_host']);
    }
    expect(await ask({ host: 'localhost' })).toEqual({ status: 200, body: 'localhost' });
  });

  test('takes the name from a full address as well', async () => {
    await start();
    expect((await ask({ host: 'localhost' }, 'http://evil.example/chat')).status).toBe(421);
  });

  test('warns once of a proxy that is not trusted, never of one that is', async () => {
    await start();
    for (let i = 0; i < 3; i++) await ask({ host: 'localhost', 'x-forwarded-for': '203.0.113.7' });
    expect(warnings).toHaveLength(1);
    await server.close();
    await start(true);
    await ask({ host: 'localhost', 'x-forwarded-for': '203.0.113.7' });
    expect(warnings).toEqual([]);
  });

  test('CONTROL: without the rule a page whose own name points at it is answered', async () => {
    server = await listen('127.0.0.1', 0);
    server.serve((asked) => new Response(new URL(asked.url).host));
    expect((await ask({ host: 'evil.example' })).status).toBe(200);
  });
});
