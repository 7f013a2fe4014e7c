import { createPublicClient, http } from 'viem';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createJsonRpc } from '../../chain/json-rpc.ts';
import { ChainUnavailable } from '../../chain/errors.ts';
import { answer, answering, answeringAlone, type Handler, startFakeNode } from './evm/fake-node.ts';

const text = z.string();

async function connect(handler: Handler, timeoutMs = 5_000) {
  const node = await startFakeNode(handler);
  return { ...node, ask: createJsonRpc({ url: node.url, timeoutMs }) };
}

/** The failure of one question, as data. */
async function failureOf(answered: Promise<unknown>) {
  const error = await answered.then(
    () => null,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(ChainUnavailable);
  const { method, fault, code, message, cause } = error as ChainUnavailable;
  expect(message).not.toMatch(/127\.0\.0\.1|:\/\//);
  expect(cause).toBeUndefined();
  return { method, fault, code };
}

describe('batching', () => {
  test('questions of one turn of the event loop share a request, no matter who asks', async () => {
    const { ask, requests } = await connect(answering(({ method }) => method));
    const later = Promise.resolve().then(() => ask('c', [], text));
    expect(await Promise.all([ask('a', [], text), ask('b', [], text), later])).toEqual(['a', 'b', 'c']);
    expect(requests()).toBe(1);
  });

  test('a batch has at most 100 questions', async () => {
    const sizes: number[] = [];
    const { ask } = await connect((questions, ...rest) => {
      sizes.push(questions.length);
      answering(({ params }) => params[0])(questions, ...rest);
    });
    const asked = Array.from({ length: 250 }, (_, index) => `${index}`);
    expect(await Promise.all(asked.map((name) => ask('echo', [name], text)))).toEqual(asked);
    expect(sizes.toSorted((a, b) => a - b)).toEqual([50, 100, 100]);
  });

  test('answers in another order belong to the question with their id', async () => {
    const { ask } = await connect((questions, response) =>
      answer(
        response,
        questions.toReversed().map(({ id, method }) => ({ id, result: method })),
      ),
    );
    expect(await Promise.all([ask('a', [], text), ask('b', [], text)])).toEqual(['a', 'b']);
  });

  /** Leaves out the answer to the first question. */
  const forgetful: Handler = (questions, response) =>
    answer(
      response,
      questions.slice(1).map(({ id, method }) => ({ jsonrpc: '2.0', id, result: method })),
    );

  test('an answer that is left out is missing for its own question only', async () => {
    const { ask } = await connect(forgetful);
    const [first, second] = [ask('a', [], text), ask('b', [], text)];
    expect(await failureOf(first)).toEqual({ method: 'a', fault: 'malformed', code: null });
    expect(await second).toBe('b');
  });

  test("control: viem's transport gives the answer of one question to another", async () => {
    const { url } = await startFakeNode(forgetful);
    const client = createPublicClient({ transport: http(url, { batch: true, retryCount: 0 }) });
    const ask = (method: string) => client.request<never>({ method } as never).catch(() => 'failed');
    expect(await Promise.all([ask('a'), ask('b')])).toEqual(['b', 'failed']);
  });

  test('two answers with the same id spoil the exchange', async () => {
    const { ask } = await connect((questions, response) =>
      answer(
        response,
        [...questions, { id: 0 }].map(({ id }) => ({ id, result: 'x' })),
      ),
    );
    const both = await Promise.all([ask('a', [], text), ask('b', [], text)].map(failureOf));
    expect(both.map(({ fault }) => fault)).toEqual(['malformed', 'malformed']);
  });

  test('an error belongs to its question and keeps the code, never the text', async () => {
    const { ask } = await connect((questions, response) =>
      answer(
        response,
        questions.map(({ id, method }) =>
          method === 'bad' ? { id, error: { code: -32000, message: 'at http://secret' } } : { id, result: method },
        ),
      ),
    );
    const [bad, good] = [ask('bad', [], text), ask('good', [], text)];
    expect(await failureOf(bad)).toEqual({ method: 'bad', fault: 'refused', code: -32000 });
    expect(await good).toBe('good');
  });
});

describe('for nodes that take no batches', () => {
  async function connectAlone(handler: Handler) {
    const node = await startFakeNode(handler);
    return { ...node, ask: createJsonRpc({ url: node.url, timeoutMs: 5_000, batches: false }) };
  }

  test('each question travels alone, with nothing around it', async () => {
    const lengths: (string | undefined)[] = [];
    const handler = answeringAlone(({ method }) => method);
    const { ask, requests } = await connectAlone((questions, response, request) => {
      lengths.push(request.headers['content-length']);
      handler(questions, response, request);
    });
    expect(await Promise.all([ask('a', [], text), ask('b', [1], text)])).toEqual(['a', 'b']);
    expect(requests()).toBe(2);
    const sent = [
      '{"jsonrpc":"2.0","id":0,"method":"a","params":[]}',
      '{"jsonrpc":"2.0","id":0,"method":"b","params":[1]}',
    ];
    expect(new Set(lengths)).toEqual(new Set(sent.map((body) => String(body.length))));
  });

  const raw =
    (body: string): Handler =>
    (_questions, response) =>
      response.end(body);

  test.each<[string, Handler, object]>([
    [
      'a refusal',
      raw('{"id":0,"error":{"code":-32005,"message":"at http://secret"}}'),
      { fault: 'refused', code: -32005 },
    ],
    ['a refusal of nobody’s question', raw('{"id":null,"error":{"code":-32700}}'), { fault: 'refused', code: -32700 }],
    ['an answer to another question', raw('{"id":1,"result":"x"}'), { fault: 'malformed', code: null }],
    ['a list', raw('[{"id":0,"result":"x"}]'), { fault: 'malformed', code: null }],
    ['no result', raw('{"id":0}'), { fault: 'malformed', code: null }],
  ])('%s is no answer', async (_name, handler, expected) => {
    const { ask } = await connectAlone(handler);
    expect(await failureOf(ask('a', [], text))).toEqual({ method: 'a', ...expected });
  });

  test('one that fails takes no other with it', async () => {
    const { ask } = await connectAlone((questions, response, request) => {
      if (questions[0]?.method === 'bad') return answer(response, {}, 429);
      return answeringAlone(({ method }) => method)(questions, response, request);
    });
    const [bad, good] = [ask('bad', [], text), ask('good', [], text)];
    expect(await failureOf(bad)).toEqual({ method: 'bad', fault: 'http-status', code: 429 });
    expect(await good).toBe('good');
  });
});

describe('faults', () => {
  const raw =
    (body: string): Handler =>
    (_questions, response) =>
      response.end(body);

  test.each<[string, Handler, object]>([
    ['a status that is not 2xx', (_q, response) => answer(response, {}, 429), { fault: 'http-status', code: 429 }],
    ['an error for the batch', raw('{"error":{"code":-32005}}'), { fault: 'refused', code: -32005 }],
    ['text that is not JSON', raw('<html>'), { fault: 'malformed', code: null }],
    ['an empty body', raw(''), { fault: 'malformed', code: null }],
    ['another shape', raw('{"result":"0x1"}'), { fault: 'malformed', code: null }],
    ['a result of another type', answering(() => 1), { fault: 'malformed', code: null }],
    ['no result', raw('[{"id":0}]'), { fault: 'malformed', code: null }],
    ['a closed connection', (_q, response) => response.destroy(), { fault: 'unreachable', code: null }],
    [
      'a redirect',
      (_q, response) => response.writeHead(307, { location: 'http://127.0.0.1:9' }).end(),
      { fault: 'unreachable', code: null },
    ],
  ])('%s', async (_name, handler, expected) => {
    const { ask } = await connect(handler);
    expect(await failureOf(ask('a', [], text))).toEqual({ method: 'a', ...expected });
  });

  test('nobody listens', async () => {
    const ask = createJsonRpc({ url: 'http://127.0.0.1:9', timeoutMs: 5_000 });
    expect(await failureOf(ask('a', [], text))).toMatchObject({ fault: 'unreachable' });
  });

  test('a body without end is cut off', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, ' ');
    const { ask } = await connect((_questions, response) => {
      const write = () => {
        while (!response.destroyed && response.write(megabyte)) continue;
      };
      response.on('drain', write);
      write();
    });
    expect(await failureOf(ask('a', [], text))).toMatchObject({ fault: 'too-large' });
  });

  const silent: Handler = () => undefined;
  /** Sends headers and the first byte, then nothing. */
  const stalling: Handler = (_questions, response) => void response.writeHead(200).write('[');

  test.each([
    ['nothing at all', silent],
    ['headers and half a body', stalling],
  ])('the time limit holds when the node sends %s', async (_name, handler) => {
    const { ask } = await connect(handler, 50);
    expect(await failureOf(ask('a', [], text))).toMatchObject({ fault: 'timeout' });
  });

  test("control: viem's time limit ends with the headers", async () => {
    const { ask } = await connect(stalling, 200);
    const fetchFn = async () => new Response(new ReadableStream());
    const transport = http('http://127.0.0.1:9', { batch: true, retryCount: 0, timeout: 20, fetchFn });
    const viem = createPublicClient({ transport }).request({ method: 'eth_chainId' });
    // Our limit, ten times as long, is over first.
    const first = await Promise.race([viem.catch(() => 'viem ended'), ask('a', [], text).catch(() => 'we ended')]);
    expect(first).toBe('we ended');
  });
});

test('credentials in the URL become a header', async () => {
  let seen: string | undefined;
  const node = await startFakeNode((questions, response, request) => {
    seen = request.headers.authorization;
    answering(() => 'x')(questions, response, request);
  });
  await createJsonRpc({ url: node.url.replace('//', '//us%40r:pass@'), timeoutMs: 5_000 })('a', [], text);
  expect(seen).toBe(`Basic ${Buffer.from('us@r:pass').toString('base64')}`);
});
