import { describe, expect, test } from 'vitest';
import { createFarcasterPeople } from '../../../local/identity/farcaster-people.ts';
import { startRelayStandIn } from '../../../local/identity/farcaster-relay.ts';
import { startOptimismStandIn } from '../../../local/identity/optimism-rpc.ts';
import { keep, random } from '../../identity/proofs/tools.ts';
import { submit } from '../../identity/proofs/submit.ts';

const people = createFarcasterPeople({ fidOf: (name) => name.length });

async function startRelay() {
  const relay = await keep(startRelayStandIn({ people, random, now: () => 0 }));
  const request = { siweUri: 'https://pay.example.com/claim?a=1&b=2', domain: 'pay.example.com', nonce: '01234567' };
  const open = (changed: Record<string, unknown> = {}, type = 'application/json') =>
    fetch(`${relay.url}/v1/channel`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: JSON.stringify({ ...request, ...changed }),
    });
  const openOne = async () => (await (await open()).json()) as { channelToken: string; url: string };
  const readState = (token: string) =>
    fetch(`${relay.url}/v1/channel/status`, { headers: { authorization: `Bearer ${token}` } });
  return { relay, open, openOne, readState };
}

describe('the relay', () => {
  test('an exact request opens a channel', async () => {
    const { open } = await startRelay();
    expect((await open()).status).toBe(201);
  });

  test.each([
    ['an unknown field', { statement: 'x' }],
    ['no domain', { domain: undefined }],
    ['a domain with a path', { domain: 'pay.example.com/x' }],
    ['no URI', { siweUri: 'x' }],
    ['a short nonce', { nonce: '0123456' }],
    ['a nonce with a hyphen', { nonce: '0123-4567' }],
    ['no date', { expirationTime: 'tomorrow' }],
  ])('%s does not', async (_case, changed) => {
    const { open } = await startRelay();
    expect((await open(changed)).status).toBe(400);
  });

  test('nor does a form of another site', async () => {
    const { open } = await startRelay();
    expect((await open({}, 'text/plain')).status).toBe(400);
  });

  test('its state is told to who has the token', async () => {
    const { openOne, readState } = await startRelay();
    const { channelToken } = await openOne();
    expect((await readState(channelToken)).status).toBe(202);
    expect((await readState('another')).status).toBe(401);
  });

  test('the page shows what is signed, takes a name, and is over afterwards', async () => {
    const { openOne, readState } = await startRelay();
    const { channelToken, url } = await openOne();
    const page = await (await fetch(url)).text();
    expect(page).toContain('https://pay.example.com/claim?a=1&amp;b=2');
    expect(page).toContain('<strong>Pretend.</strong>');
    expect((await submit(url, { name: 'not a name' })).status).toBe(400);
    expect((await submit(url, { name: 'alice' })).status).toBe(200);
    expect((await fetch(url)).status).toBe(400);
    expect(await (await readState(channelToken)).json()).toMatchObject({ state: 'completed', fid: 5 });
    expect((await fetch(url)).status).toBe(400);
  });
});

describe('Optimism', () => {
  test.each([
    ['another method', { id: 1, method: 'eth_blockNumber', params: [] }],
    ['no call', { id: 1, method: 'eth_call', params: [] }],
    ['nothing', {}],
  ])('%s is an error of the node', async (_case, call) => {
    const { url } = await keep(startOptimismStandIn({ people }));
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(call) });
    expect(await answer.json()).toMatchObject({ error: { code: -32_601 } });
  });

  test('a call of another contract is reverted', async () => {
    const { url } = await keep(startOptimismStandIn({ people }));
    const owner = '00'.repeat(32);
    const params = [{ to: `0x${'11'.repeat(20)}`, data: `0xd94fe832${owner}` }, 'latest'];
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ id: 1, method: 'eth_call', params }) });
    expect(await answer.json()).toMatchObject({ error: { code: 3 } });
  });
});

test('a person has the same key after a new start, and nobody else has it', () => {
  const again = createFarcasterPeople({ fidOf: () => 1 });
  expect(again.personOf('alice').address).toBe(people.personOf('alice').address);
  expect(again.personOf('alicf').address).not.toBe(people.personOf('alice').address);
  expect(again.byAddress(again.personOf('alice').address.toLowerCase())?.name).toBe('alice');
  expect(again.byFid(2)).toBeNull();
});
