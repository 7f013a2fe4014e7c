import { once } from 'node:events';
import { request, Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listen, type HttpServer } from '../../../service/http/server.ts';

let server: HttpServer;
let url: string;
beforeEach(async () => {
  server = await listen('127.0.0.1', 0);
  url = `http://127.0.0.1:${server.port}`;
});
afterEach(() => server.close());

describe('a server that closes', () => {
  test('finishes the request in hand, takes no other, and cuts event streams', async () => {
    let finish = (): void => {};
    const held = new Promise<void>((resolve) => (finish = resolve));
    let arrived = (): void => {};
    const hasArrived = new Promise<void>((resolve) => (arrived = resolve));
    server.serve(async (incoming) => {
      if (new URL(incoming.url).pathname === '/stream') {
        const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('data: 1\n\n')) });
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      }
      arrived();
      await held;
      return new Response('done');
    });
    const stream = request(`${url}/stream`, { headers: { accept: 'text/event-stream' } }).end();
    const [reading] = await once(stream, 'response');
    const cut = new Promise((resolve) => reading.resume().once('error', resolve));
    const answer = fetch(`${url}/slow`);
    await hasArrived;

    const closed = server.close();
    await cut;
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    finish();
    const response = await answer;
    expect([await response.text(), response.headers.get('connection')]).toEqual(['done', 'close']);
    await closed;
  });
});

test('connections that the system does not hand over do not end the process, however many', async () => {
  server.serve(() => new Response('here'));
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles: () => unknown[] };
  const own = handles().filter((one): one is Server => one instanceof Server);
  // As net does after an accept that failed for want of descriptors.
  for (const one of [...own, ...own]) one.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }));
  expect(own.length).toBeGreaterThan(0);
  expect(await (await fetch(url)).text()).toBe('here');
});

describe('a server whose database is not there yet', () => {
  test('says that it is alive and not ready', async () => {
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${url}/health`)).status).toBe(503);
  });

  const call = (body: string) => fetch(`${url}/mcp`, { method: 'POST', body });
  test.each([
    ['a question', '{"method":"tools/list"}', 503, 'starting'],
    ['a proof in MCP', '{"params":{"_meta":{"x402/payment":"e30="}}}', 500, 'settlement_pending'],
    ['a proof in A2A', '{"params":{"payment":{}}}', 500, 'settlement_pending'],
    ['a task that may be paid', '{"params":{"taskId":"t"}}', 500, 'settlement_pending'],
  ])('a JSON-RPC call with %s', async (_name, body, status, error) => {
    const answer = await call(body);
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([status, error]);
    expect(answer.headers.get('Retry-After')).toBe('5');
  });
});
