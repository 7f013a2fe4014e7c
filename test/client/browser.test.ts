/** The client as a page has it: no Node built-in, and nothing that only Node has. */
import { resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build, type Metafile } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { toHeader } from '../../core/payments/x402.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = `
import { askPrice, sendUntilKnown } from './client/channel.ts';
import { createPayments } from './client/payments.ts';
import { createTasks } from './client/tasks.ts';
export { askPrice, createPayments, createTasks, sendUntilKnown };
`;
const NEEDED = [
  'atob',
  'btoa',
  'TextDecoder',
  'TextEncoder',
  'AbortController',
  'Headers',
  'URL',
  'setTimeout',
] as const;

let code = '';
let inputs: Metafile['inputs'] = {};

async function bundle(contents: string) {
  return build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'client',
    logLevel: 'silent',
  });
}

beforeAll(async () => {
  const { outputFiles, metafile } = await bundle(PAGE);
  code = outputFiles[0]?.text ?? '';
  ({ inputs } = metafile);
});

test('a bundle for browsers holds core/, client/ and zod, and nothing else', () => {
  const folders = Object.keys(inputs).map(
    (file) => /^(?:node_modules\/)?[^/]+/.exec(file.replace(/^.*node_modules\//, 'node_modules/'))?.[0],
  );
  expect(new Set(folders)).toEqual(new Set(['<stdin>', 'client', 'core', 'node_modules/zod']));
});

test('a Node built-in in it would be noticed', async () => {
  await expect(bundle(`import { createHash } from 'node:crypto';\nexport { createHash };`)).rejects.toThrow(
    'node:crypto',
  );
});

test('with what a browser has it asks for a price, pays and reads the receipt', async () => {
  const receipt = 'https://pay.test/receipts/abc';
  const challenge = toHeader({ x402Version: 2, accepts: [{ network: 'eip155:8453' }] });
  const sent: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const header = new Headers(init?.headers).get('payment-signature');
    sent.push(header);
    if (header === null) return new Response('{}', { status: 402, headers: { 'payment-required': challenge } });
    return Response.json({ code: 200, msg: 'Sent', data: { txn_id: 7, receipt, status: 'paid', amount: 1 } });
  };
  const has = Object.fromEntries(
    [...NEEDED, 'clearTimeout', 'ReadableStream'].map((name) => [name, Reflect.get(globalThis, name) as unknown]),
  );
  const context = createContext({ ...has, fetch, clock: { now: () => 0, sleep: async () => undefined } });
  const page = `${code}
    const channel = client.createPayments({ fetch, baseUrl: 'https://pay.test' })
      .channel({ id: 'one', route: '/payments/x/pay', body: { receiver: 'alice', amount: '1' } });
    (async () => JSON.stringify([
      await client.askPrice(channel, clock),
      await client.sendUntilKnown(() => channel.send('signed'), { clock, limitMs: 0 }),
    ]))();`;
  const answers: unknown = JSON.parse(z.string().parse(await runInContext(page, context)));
  expect(sent).toEqual([null, 'signed']);
  expect(answers).toMatchObject([
    { kind: 'price', challenge: { accepts: [{ network: 'eip155:8453' }] } },
    { kind: 'paid', message: 'Sent', lines: [{ txnId: 7, receipt }] },
  ]);
});
