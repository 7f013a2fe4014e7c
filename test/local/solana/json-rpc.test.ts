/** What the server says to callers who do not keep to the protocol. */
import { request } from 'node:http';
import { WebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SolanaChain, startSolanaChain } from '../../support/chains/solana-chain.ts';

const ADDRESS = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const JSON_TYPE = { 'content-type': 'application/json' };

let chain: SolanaChain;

beforeAll(async () => {
  chain = await startSolanaChain();
});
afterAll(() => chain?.close());

async function post(body: string, headers: Record<string, string> = JSON_TYPE) {
  const response = await fetch(chain.rpcUrl, { method: 'POST', headers, body });
  const text = await response.text();
  return { status: response.status, text, json: () => JSON.parse(text) };
}

const call = (method: string, params: unknown) => post(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }));

describe('an envelope', () => {
  test.each([
    ['not JSON', '{', -32700],
    ['nothing', '', -32700],
    ['a number', '1', -32600],
    ['null', 'null', -32600],
    ['no method', '{"jsonrpc":"2.0","id":1}', -32600],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"getSlot"}', -32600],
    ['an object as id', '{"jsonrpc":"2.0","id":{},"method":"getSlot"}', -32600],
    ['an empty batch', '[]', -32600],
    ['a batch of 101', JSON.stringify(Array(101).fill({ jsonrpc: '2.0', id: 1, method: 'getSlot' })), -32600],
  ])('that is %s is refused', async (_title, body, code) => {
    const answer = await post(body);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
  });

  test.each(['getSlots', 'toString', '__proto__', 'constructor', 'signatureSubscribe', 'local_', 'eth_chainId'])(
    'with the unknown method %s is refused',
    async (method) => {
      expect((await call(method, [])).json()).toEqual({
        jsonrpc: '2.0',
        id: 7,
        error: { code: -32601, message: 'Method not found' },
      });
    },
  );

  test('of a batch gets one answer a call, in order, and none for a notification', async () => {
    const batch = [
      { jsonrpc: '2.0', id: 'a', method: 'getHealth' },
      { jsonrpc: '2.0', method: 'getHealth' },
      { jsonrpc: '2.0', id: 2, method: 'nothing' },
      5,
    ];
    expect((await post(JSON.stringify(batch))).json()).toMatchObject([
      { id: 'a', result: 'ok' },
      { id: 2, error: { code: -32601 } },
      { id: null, error: { code: -32600 } },
    ]);
    expect((await post('{"jsonrpc":"2.0","method":"getHealth"}')).text).toBe('');
  });
});

describe('parameters', () => {
  test.each<[string, string, unknown]>([
    ['an object instead of a list', 'getBalance', { address: ADDRESS }],
    ['none where one is needed', 'getBalance', []],
    ['too many', 'getSlot', [{}, 1]],
    ['a number as address', 'getBalance', [5]],
    ['a short address', 'getBalance', ['EPjFWdd5']],
    ['an address with a letter that base58 does not have', 'getBalance', [`${ADDRESS.slice(0, -1)}0`]],
    ['an unknown commitment', 'getSlot', [{ commitment: 'recent' }]],
    ['a misspelt field', 'getSlot', [{ commitmnt: 'confirmed' }]],
    ['a text as slot', 'getBlock', ['5']],
    ['half a slot', 'getBlock', [5.5]],
    ['a negative slot', 'getBlock', [-1]],
    ['an unknown encoding', 'getAccountInfo', [ADDRESS, { encoding: 'utf8' }]],
    ['a signature that is none', 'getTransaction', ['abc']],
    ['a signature that is none, in a list', 'getSignatureStatuses', [['abc']]],
    ['257 signatures', 'getSignatureStatuses', [Array(257).fill('1'.repeat(64))]],
    ['101 accounts', 'getMultipleAccounts', [Array(101).fill(ADDRESS)]],
    ['a limit of zero', 'getSignaturesForAddress', [ADDRESS, { limit: 0 }]],
    ['a limit of 1,001', 'getSignaturesForAddress', [ADDRESS, { limit: 1_001 }]],
    ['bytes that are not base64', 'sendTransaction', ['%%%', { encoding: 'base64' }]],
    ['bytes that are not base58', 'sendTransaction', ['0OIl']],
    ['bytes that are no transaction', 'sendTransaction', ['AQID', { encoding: 'base64' }]],
    ['an empty transaction', 'sendTransaction', ['', { encoding: 'base64' }]],
    ['bytes that are no message', 'getFeeForMessage', ['AQID']],
    ['an unknown fault', 'local_setFault', [{ kind: 'explode' }]],
    ['the end of another chain', 'local_stop', ['0'.repeat(64)]],
    ['a warp of nothing', 'local_warpSlots', [0]],
    ['a warp without end', 'local_warpSlots', [10_001]],
  ])('that are %s are refused', async (_title, method, params) => {
    const { error } = (await call(method, params)).json();
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/./) });
  });

  test('that may be absent may be null', async () => {
    expect((await call('getSlot', [null])).json()).toMatchObject({ result: expect.any(Number) });
    expect((await call('getSlot', undefined)).json()).toMatchObject({ result: expect.any(Number) });
  });
});

describe('HTTP', () => {
  test('takes bodies of 50 KiB and no more', async () => {
    const sized = (bytes: number) => {
      const start = '{"jsonrpc":"2.0","id":1,"method":"getHealth","x":"';
      return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
    };
    expect((await post(sized(50 * 1024))).status).toBe(200);
    expect((await post(sized(50 * 1024 + 1))).status).toBe(413);
  });

  test('answers health to GET, and 405 to everything else but POST', async () => {
    expect(await (await fetch(`${chain.rpcUrl}/health`)).text()).toBe('ok');
    expect((await fetch(chain.rpcUrl)).status).toBe(405);
    expect((await fetch(chain.rpcUrl, { method: 'PUT', body: '{}' })).status).toBe(405);
  });

  test('refuses what a form or a page of another site can send', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"getHealth"}';
    expect((await post(body, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(body, {})).status).toBe(415);
    expect((await post(body, { ...JSON_TYPE, origin: 'https://example.com' })).status).toBe(403);
    expect((await post(body, { ...JSON_TYPE, origin: 'http://localhost:8402' })).status).toBe(200);
    expect(await statusWithHost('example.com')).toBe(403);
    expect(await statusWithHost('localhost')).toBe(200);
  });

  function statusWithHost(host: string): Promise<number | undefined> {
    return new Promise((done) => {
      request(`${chain.rpcUrl}/health`, { headers: { host } }, (response) => done(response.resume().statusCode)).end();
    });
  }
});

describe('a websocket', () => {
  async function open(url = chain.wsUrl, origin?: string) {
    const socket = new WebSocket(url, origin === undefined ? {} : { origin });
    const messages: unknown[] = [];
    socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString())));
    await new Promise((done, failed) => socket.once('open', done).once('error', failed));
    return { socket, messages };
  }

  test.each([
    ['not JSON', '{', -32700],
    ['an unknown subscription', '{"jsonrpc":"2.0","id":1,"method":"voteSubscribe"}', -32601],
    ['a method of HTTP', '{"jsonrpc":"2.0","id":1,"method":"getSlot"}', -32601],
    ['a signature that is none', '{"jsonrpc":"2.0","id":1,"method":"signatureSubscribe","params":["x"]}', -32602],
    ['a subscription that is not there', '{"jsonrpc":"2.0","id":1,"method":"slotUnsubscribe","params":[5]}', -32602],
  ])('refuses %s and stays open', async (_title, text, code) => {
    const { socket, messages } = await open();
    socket.send(text);
    await expect.poll(() => messages, { interval: 5 }).toMatchObject([{ error: { code } }]);
    expect(socket.readyState).toBe(WebSocket.OPEN);
    socket.terminate();
  });

  test('is found on the port of HTTP as well, and not by pages of other sites', async () => {
    const { socket } = await open(chain.rpcUrl.replace('http:', 'ws:'));
    socket.terminate();
    await expect(open(chain.wsUrl, 'https://example.com')).rejects.toThrow('403');
  });

  test('stops telling when it is told to', async () => {
    const { socket, messages } = await open();
    socket.send('{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}');
    await expect.poll(() => messages.length, { interval: 5 }).toBe(1);
    chain.mine(2);
    await expect.poll(() => messages.length, { interval: 5 }).toBe(3);
    const { result: id } = messages[0] as { result: number };
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'slotUnsubscribe', params: [id] }));
    await expect.poll(() => messages.length, { interval: 5 }).toBe(4);
    chain.mine(2);
    socket.send('{"jsonrpc":"2.0","id":3,"method":"ping"}');
    await expect.poll(() => messages.at(-1), { interval: 5 }).toMatchObject({ id: 3 });
    expect(messages).toHaveLength(5);
    socket.terminate();
  });

  test('that sends too much at once is closed', async () => {
    const { socket } = await open();
    const closed = new Promise<number>((done) => socket.once('close', done));
    socket.send('x'.repeat(60 * 1024));
    expect(await closed).toBe(1009);
  });
});
