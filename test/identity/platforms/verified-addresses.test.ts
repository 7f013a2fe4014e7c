import { expect, onTestFinished, test } from 'vitest';
import { createFindVerifiedAddresses } from '../../../identity/platforms/verified-addresses.ts';
import { createGuardedFetch } from '../../../identity/guarded-fetch.ts';
import { answering, startServer } from '../servers.ts';
import { startHubStandIn, type HubOptions, type HubVerification } from '../stand-ins.ts';

const FOREVER = new AbortController().signal;
const KEY = '0x91031dcfdea024b4d51e775486111d2b2a715871';
const CONTRACT = `0x${'cd'.repeat(20)}`;
const SOLANA = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV';

const VERIFICATIONS: readonly HubVerification[] = [
  { address: KEY, protocol: 'PROTOCOL_ETHEREUM' },
  { address: CONTRACT, protocol: 'PROTOCOL_ETHEREUM', chainId: 8_453, isContract: true },
  { address: SOLANA, protocol: 'PROTOCOL_SOLANA' },
];
const ADDRESSES = [
  { family: 'evm', address: KEY, chainId: 0, isContract: false },
  { family: 'evm', address: CONTRACT, chainId: 8_453, isContract: true },
  { family: 'svm', address: SOLANA, chainId: 0, isContract: false },
];

function ask(hubUrl: string) {
  const fetch = createGuardedFetch({ timeoutMs: 5_000, bytesMax: 200_000, redirectsMax: 0, allowsAddress: () => true });
  onTestFinished(() => fetch.close());
  const reasons: string[] = [];
  const find = createFindVerifiedAddresses({ hubUrl }, { fetch, report: (reason) => void reasons.push(reason) });
  return { answer: find('2', FOREVER), reasons };
}

async function startHub(options: Partial<HubOptions> = {}) {
  const hub = await startHubStandIn({
    find: () => null,
    findVerifications: (fid) => (fid === 2 ? VERIFICATIONS : []),
    ...options,
  });
  onTestFinished(() => hub.close());
  return hub;
}

test.each(['snapchain', 'hubble'] as const)(
  'the addresses that a person published, as %s tells them',
  async (dialect) => {
    const { url } = await startHub({ dialect });
    expect(await ask(url).answer).toEqual(ADDRESSES);
  },
);

test('addresses come from all pages', async () => {
  const { url, requests } = await startHub({ pageSizeMax: 1 });
  expect(await ask(url).answer).toEqual(ADDRESSES);
  expect(requests).toHaveLength(3);
});

test('a hub with pages without end is left after ten', async () => {
  const { url, requests } = await startHub({
    findVerifications: () =>
      Array.from({ length: 30 }, () => ({ address: KEY, protocol: 'PROTOCOL_ETHEREUM' as const })),
    pageSizeMax: 1,
  });
  expect(await ask(url).answer).toHaveLength(10);
  expect(requests).toHaveLength(10);
});

test('nobody published anything', async () => {
  const { url } = await startHub({ findVerifications: () => [] });
  expect(await ask(url).answer).toEqual([]);
});

test('an address in capitals is lower case here', async () => {
  const { url } = await startHub({
    findVerifications: () => [{ address: KEY.toUpperCase().replace('0X', '0x'), protocol: 'PROTOCOL_ETHEREUM' }],
  });
  expect(await ask(url).answer).toEqual([ADDRESSES[0]]);
});

const message = (data: object): string => JSON.stringify({ messages: [{ data }] });
const body = { address: KEY, protocol: 'PROTOCOL_ETHEREUM', chainId: 0, type: 0 };

test('the exact answer that the next table spoils', async () => {
  const { url } = await startServer(answering(200, message({ fid: 2, verificationAddAddressBody: body })));
  expect(await ask(url).answer).toEqual([ADDRESSES[0]]);
});

test.each([
  ['another person', 200, message({ fid: 3, verificationAddAddressBody: body })],
  ['no address', 200, message({ fid: 2 })],
  ['half an address', 200, message({ fid: 2, verificationAddAddressBody: { ...body, address: '0x12' } })],
  ['another protocol', 200, message({ fid: 2, verificationAddAddressBody: { ...body, protocol: 'PROTOCOL_BITCOIN' } })],
  [
    'an address of another protocol',
    200,
    message({ fid: 2, verificationAddAddressBody: { ...body, address: SOLANA } }),
  ],
  ['no messages', 200, '{}'],
  ['no JSON', 200, '<html>'],
  ['status 400', 400, message({ fid: 2, verificationAddAddressBody: body })],
  ['status 404', 404, message({ fid: 2, verificationAddAddressBody: body })],
  ['status 500', 500, message({ fid: 2, verificationAddAddressBody: body })],
])('%s is no answer', async (_case, status, text) => {
  const { url } = await startServer(answering(status, text));
  const { answer, reasons } = ask(url);
  expect(await answer).toBeNull();
  expect(reasons).toHaveLength(1);
});
