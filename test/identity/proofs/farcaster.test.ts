import { buildSignInMessage, createWalletClient, viemConnector } from '@farcaster/auth-client';
import { describe, expect, test } from 'vitest';
import {
  createFarcasterProof,
  FARCASTER_CHANNEL_MS,
  type FarcasterChannel,
} from '../../../identity/proofs/farcaster.ts';
import type { PayoutTarget } from '../../../identity/proofs/port.ts';
import { startHubStandIn, type HubOptions } from '../../../local/identity/farcaster-hub.ts';
import { createFarcasterPeople, type FarcasterPerson } from '../../../local/identity/farcaster-people.ts';
import { startRelayStandIn, toSignInMessage, type SignInRequest } from '../../../local/identity/farcaster-relay.ts';
import { startOptimismStandIn, type OptimismOptions } from '../../../local/identity/optimism-rpc.ts';
import { answering, startServer } from '../servers.ts';
import { createTools, FOREVER, keep, random } from './tools.ts';
import { submit } from './submit.ts';

const BASE_URL = 'https://pay.example.com';
const PAYOUT = `0x${'ab'.repeat(20)}`;
const SOLANA = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV';
const FIDS: Readonly<Record<string, number>> = { alice: 6_833, mallory: 666, 'device-of-alice': 1 };
const SINCE_MS = 1_670_603_245_000;

const PROVEN = {
  kind: 'proven',
  stableId: '6833',
  handle: 'alice',
  sinceMs: SINCE_MS,
  addresses: { base: [], solana: [], polygon: [] },
};
const UNAVAILABLE = { kind: 'unavailable' };
const refused = (reason: string) => ({ kind: 'refused', reason });

type World = {
  hub?: Partial<HubOptions>;
  optimism?: Partial<OptimismOptions>;
  optimismRpcUrl?: string;
  relayUrl?: string;
  baseUrl?: string;
  now?: () => number;
  allowsHttp?: boolean;
  timeoutMs?: number;
};

async function startWorld(world: World = {}) {
  const { now = () => Date.now(), baseUrl = BASE_URL, allowsHttp = true, timeoutMs = 5_000 } = world;
  const people = createFarcasterPeople({ fidOf: (name) => FIDS[name] ?? 99 });
  const relay = await keep(startRelayStandIn({ people, random, now }));
  const findNames = (fid: number) => (fid === 6_833 ? ['alice'] : []);
  const hub = await keep(startHubStandIn({ find: () => null, findNames, ...world.hub }));
  const optimism = await keep(startOptimismStandIn({ people, ...world.optimism }));
  const tools = createTools({ timeoutMs });
  const proof = createFarcasterProof(
    {
      relayUrl: world.relayUrl ?? relay.url,
      hubUrl: hub.url,
      optimismRpcUrl: world.optimismRpcUrl ?? optimism.url,
    },
    { baseUrl, relayTools: tools, operatorTools: tools, random, now, allowsHttp },
  );
  return { people, relay, hub, optimism, tools, proof };
}

type Started = Awaited<ReturnType<typeof startWorld>>;

async function begin({ proof }: Started, payout: PayoutTarget = { base: PAYOUT }, handle = 'alice') {
  const begun = await proof.begin({ handle, payout, signal: FOREVER });
  if (begun.kind !== 'begun') throw new Error('expected a channel');
  return begun.channel;
}

/** The whole way: a channel, a signature on the phone, and what it proves. */
async function prove(
  started: Started,
  options: { name?: string; toMessage?: typeof toSignInMessage; channel?: FarcasterChannel } = {},
) {
  const { people, relay, proof } = started;
  const channel = options.channel ?? (await begin(started));
  await relay.sign(channel.channelToken, people.personOf(options.name ?? 'alice'), options.toMessage);
  const answer = await proof.poll({ channel, signal: FOREVER });
  if (answer.kind !== 'signed') return answer;
  return proof.finish({ channel, signed: answer.signed, signal: FOREVER });
}

describe('signing in', () => {
  test('the owner of the account proves it', async () => {
    const started = await startWorld();
    expect(await prove(started)).toEqual(PROVEN);
    expect(started.tools.reasons).toEqual([]);
  });

  test('a person without a script signs on the page of the channel', async () => {
    const started = await startWorld();
    const channel = await begin(started);
    expect((await submit(channel.url, { name: '@Alice' })).status).toBe(200);
    const answer = await started.proof.poll({ channel, signal: FOREVER });
    if (answer.kind !== 'signed') throw new Error(`expected a signature, found ${answer.kind}`);
    expect(await started.proof.finish({ channel, signed: answer.signed, signal: FOREVER })).toEqual(PROVEN);
  });

  test.each<[string, PayoutTarget, string]>([
    ['an address', { base: PAYOUT }, `base=${PAYOUT}`],
    ['two addresses', { base: PAYOUT, solana: SOLANA }, `base=${PAYOUT}&solana=${SOLANA}`],
    ['a wallet here', { keep: true }, 'payout=keep'],
  ])('what is signed names the payout: %s', async (_case, payout, query) => {
    const started = await startWorld();
    const channel = await begin(started, payout, 'alice.eth');
    expect(channel.uri).toBe(`${BASE_URL}/claim/decsocial/alice.eth?${query}`);
    expect(await (await fetch(channel.url)).text()).toContain(channel.uri.replaceAll('&', '&amp;'));
    await started.relay.sign(channel.channelToken, started.people.personOf('alice'));
    const answer = await started.proof.poll({ channel, signal: FOREVER });
    expect(answer).toMatchObject({
      kind: 'signed',
      signed: { message: expect.stringContaining(`URI: ${channel.uri}\n`) },
    });
  });

  test('no channel is like another', async () => {
    const started = await startWorld();
    const [one, other] = [await begin(started), await begin(started)];
    expect(one.nonce).toMatch(/^[0-9a-f]{32}$/);
    expect(one.nonce).not.toBe(other.nonce);
    expect(one.channelToken).not.toBe(other.channelToken);
  });

  test("the library's own wallet builds a message that passes", async () => {
    const started = await startWorld();
    const wallet = createWalletClient({ ethereum: viemConnector({ rpcUrl: started.optimism.url }) });
    const toMessage = ({ siweUri: uri, domain, nonce, expirationTime }: SignInRequest, person: FarcasterPerson) => {
      const { address, fid } = person;
      const until = new Date(expirationTime ?? '');
      const built = buildSignInMessage(wallet, { address, fid, uri, domain, nonce, expirationTime: until });
      if (built.isError) throw new Error('expected a message');
      return built.message;
    };
    expect(await prove(started, { toMessage })).toEqual(PROVEN);
  });

  test.each(['http://localhost:8402', 'http://127.0.0.1:8402'])('it works at %s too', async (baseUrl) => {
    expect(await prove(await startWorld({ baseUrl }))).toEqual(PROVEN);
  });

  test('a wallet that leaves out what is not needed, and adds resources of its own', async () => {
    const toMessage = ({ expirationTime: _left, ...request }: SignInRequest, person: FarcasterPerson, issuedAt: Date) =>
      `${toSignInMessage(request, person, issuedAt)}\n- https://wallet.example/terms`;
    expect(await prove(await startWorld(), { toMessage })).toEqual(PROVEN);
  });
});

describe('who signed', () => {
  test('another person, who claims to be alice', async () => {
    const toMessage = (request: SignInRequest, person: FarcasterPerson, issuedAt: Date) =>
      toSignInMessage(request, { ...person, fid: 6_833 }, issuedAt);
    expect(await prove(await startWorld(), { name: 'mallory', toMessage })).toEqual(refused('wrong_signature'));
  });

  test("another person, with alice's address", async () => {
    const started = await startWorld();
    const { address } = started.people.personOf('alice');
    const toMessage = (request: SignInRequest, person: FarcasterPerson, issuedAt: Date) =>
      toSignInMessage(request, { ...person, fid: 6_833, address }, issuedAt);
    expect(await prove(started, { name: 'mallory', toMessage })).toEqual(refused('wrong_signature'));
  });

  test('a key that the account lets sign in', async () => {
    const { address } = createFarcasterPeople({ fidOf: () => 1 }).personOf('device-of-alice');
    const started = await startWorld({ optimism: { authAddresses: [{ fid: 6_833, address }] } });
    const toMessage = (request: SignInRequest, person: FarcasterPerson, issuedAt: Date) =>
      toSignInMessage(request, { ...person, fid: 6_833 }, issuedAt);
    expect(await prove(started, { name: 'device-of-alice', toMessage })).toEqual(PROVEN);
    // It may sign in for that account and no other.
    const forMallory = (request: SignInRequest, person: FarcasterPerson, issuedAt: Date) =>
      toSignInMessage(request, { ...person, fid: 666 }, issuedAt);
    expect(await prove(started, { name: 'device-of-alice', toMessage: forMallory })).toEqual(
      refused('wrong_signature'),
    );
  });

  test('a key that has no account', async () => {
    const toMessage = (request: SignInRequest, person: FarcasterPerson, issuedAt: Date) =>
      toSignInMessage(request, { ...person, fid: 6_833 }, issuedAt);
    expect(
      await prove(await startWorld({ optimism: { people: createFarcasterPeople({ fidOf: () => 0 }) } }), { toMessage }),
    ).toEqual(refused('wrong_signature'));
  });

  test('a message that was changed after it was signed', async () => {
    const started = await startWorld();
    const channel = await begin(started);
    await started.relay.sign(channel.channelToken, started.people.personOf('alice'));
    const answer = await started.proof.poll({ channel, signal: FOREVER });
    if (answer.kind !== 'signed') throw new Error('expected a signature');
    const { message, signature } = answer.signed;
    const finish = (signed: typeof answer.signed) => started.proof.finish({ channel, signed, signal: FOREVER });
    const later = message.replace(/Issued At: .*/, 'Issued At: 2030-01-01T00:00:00.000Z');
    expect(await finish({ message: later, signature })).toEqual(refused('wrong_signature'));
    expect(await finish({ message, signature: `0x${'11'.repeat(65)}` })).toEqual(refused('wrong_signature'));
    expect(await finish({ message, signature: `0x${'00'.repeat(65)}` })).toEqual(refused('wrong_signature'));
    expect(await finish({ message, signature: `${signature}00` })).toEqual(refused('wrong_signature'));
    expect(await finish(answer.signed)).toEqual(PROVEN);
  });

  test("a message for another claim, though it is the same person's", async () => {
    const started = await startWorld();
    const [mine, theirs] = [await begin(started), await begin(started, { base: `0x${'cd'.repeat(20)}` })];
    await started.relay.sign(mine.channelToken, started.people.personOf('alice'));
    const answer = await started.proof.poll({ channel: mine, signal: FOREVER });
    if (answer.kind !== 'signed') throw new Error('expected a signature');
    const finish = (channel: FarcasterChannel) =>
      started.proof.finish({ channel, signed: answer.signed, signal: FOREVER });
    expect(await finish(theirs)).toEqual(refused('wrong_message'));
    expect(await finish({ ...theirs, nonce: mine.nonce })).toEqual(refused('wrong_message'));
    expect(await finish(mine)).toEqual(PROVEN);
  });
});

/** Each is signed by alice as it stands: only its words are wrong. */
describe('what was signed', () => {
  const replace = (from: string | RegExp, to: string) => (message: string) => {
    const changed = message.replace(from, to);
    if (changed === message) throw new Error(`expected ${String(from)} in the message`);
    return changed;
  };

  test.each<[string, (message: string) => string]>([
    ['another domain', replace('pay.example.com wants', 'evil.example.com wants')],
    ['a domain with something before it', replace('pay.example.com wants', 'evil.pay.example.com wants')],
    ['a scheme', replace('pay.example.com wants', 'https://pay.example.com wants')],
    ['another payout', replace(PAYOUT, `0x${'cd'.repeat(20)}`)],
    ['another nonce', replace(/Nonce: .*/, 'Nonce: 0123456789abcdef')],
    ['another statement', replace('Farcaster Auth', 'Pay everything to mallory')],
    ['no statement', replace('Farcaster Auth\n\n', '')],
    ['another version', replace('Version: 1', 'Version: 2')],
    ['another chain', replace('Chain ID: 10', 'Chain ID: 8453')],
    ['no fid', replace(/- farcaster.*/, '- https://example.com')],
    ['two fids', replace(/(- farcaster.*)/, '$1\n- farcaster://fid/666')],
    ['two fids, one in capitals', replace(/(- farcaster.*)/, '$1\n- farcaster://FID/666')],
    ['the fid 0', replace('fid/6833', 'fid/0')],
    ['an fid beyond exact numbers', replace('fid/6833', 'fid/9007199254740993')],
    ['an fid without end', replace('fid/6833', `fid/${'9'.repeat(400)}`)],
    ['an fid and a path', replace('fid/6833', 'fid/6833/x')],
    ['a line before it', (message) => `Hello\n${message}`],
    ['a line behind it', (message) => `${message}\nHello`],
    ['a second address', replace('\n\nFarcaster', `\n0x${'cd'.repeat(20)}\n\nFarcaster`)],
    ['a second URI', replace('URI: ', 'URI: https://evil.example.com\nURI: ')],
    ['a URI inside the request', replace('Resources:', `Request ID: x\nURI: ${BASE_URL}\nResources:`)],
    ['an unknown line', replace('Resources:', 'Extra: x\nResources:')],
    ['thousands of characters', replace(/(- farcaster.*)/, `$1\n- ${'x'.repeat(4_096)}`)],
    ['carriage returns', (message) => message.replaceAll('\n', '\r\n')],
  ])('%s is not what we asked for', async (_case, change) => {
    const toMessage = (...request: Parameters<typeof toSignInMessage>) => change(toSignInMessage(...request));
    const started = await startWorld();
    expect(await prove(started, { toMessage })).toEqual(refused('wrong_message'));
    // Nobody was asked about it.
    expect(started.optimism.requests).toEqual([]);
  });

  test.each([
    ['over already', 'Expiration Time: 2020-01-01T00:00:00.000Z'],
    ['valid later', 'Expiration Time: 2099-01-01T00:00:00.000Z\nNot Before: 2098-01-01T00:00:00.000Z'],
    ['valid until no date', 'Expiration Time: 2099-99-99T00:00:00.000Z'],
  ])('a message that is %s', async (_case, lines) => {
    const toMessage = (...request: Parameters<typeof toSignInMessage>) =>
      toSignInMessage(...request).replace(/Expiration Time: .*/, lines);
    expect(await prove(await startWorld(), { toMessage })).toEqual(refused('wrong_signature'));
  });
});

describe('time', () => {
  test('a channel is open for ten minutes, and neither asked nor believed afterwards', async () => {
    let passedMs = 0;
    const started = await startWorld({ now: () => Date.now() + passedMs });
    const channel = await begin(started);
    await started.relay.sign(channel.channelToken, started.people.personOf('alice'));
    const answer = await started.proof.poll({ channel, signal: FOREVER });
    if (answer.kind !== 'signed') throw new Error('expected a signature');
    const asked = started.relay.requests.length;
    passedMs = FARCASTER_CHANNEL_MS;
    expect(await started.proof.poll({ channel, signal: FOREVER })).toEqual(refused('expired'));
    expect(await started.proof.finish({ channel, signed: answer.signed, signal: FOREVER })).toEqual(refused('expired'));
    expect(started.relay.requests.length).toBe(asked);
  });
});

describe('names and addresses', () => {
  const held = (...names: string[]): World => ({ hub: { findNames: (fid) => (fid === 6_833 ? names : []) } });

  test('the claimed name counts where it is one of several', async () => {
    const started = await startWorld(held('alice', 'alice.eth'));
    const channel = await begin(started, { keep: true }, 'alice.eth');
    expect(await prove(started, { channel })).toMatchObject({ stableId: '6833', handle: 'alice.eth' });
  });

  test.each([
    ['renamed', ['alicia', 'alicia.eth'], 'alicia'],
    ['without a name', [], '!6833'],
    ['with a name that cannot be', ['not a name', 'alicia'], 'alicia'],
  ])('an account %s is told as it is now', async (_case, names, handle) => {
    expect(await prove(await startWorld(held(...names)))).toMatchObject({ stableId: '6833', handle });
  });

  test('verified addresses are offered: keys for each EVM network, contracts for their own', async () => {
    const key = `0x${'01'.repeat(20)}`;
    const onBase = `0x${'02'.repeat(20)}`;
    const findVerifications: HubOptions['findVerifications'] = () => [
      { address: key, protocol: 'PROTOCOL_ETHEREUM' },
      { address: key, protocol: 'PROTOCOL_ETHEREUM' },
      { address: onBase, protocol: 'PROTOCOL_ETHEREUM', chainId: 8_453, isContract: true },
      { address: `0x${'03'.repeat(20)}`, protocol: 'PROTOCOL_ETHEREUM', chainId: 1, isContract: true },
      { address: SOLANA, protocol: 'PROTOCOL_SOLANA' },
    ];
    const started = await startWorld({ hub: { findVerifications } });
    const addresses = { base: [key, onBase], solana: [SOLANA], polygon: [key] };
    expect(await prove(started)).toEqual({ ...PROVEN, addresses });
  });

  test('without an answer about addresses the person is still proven', async () => {
    const started = await startWorld();
    const { url } = await startServer((request, response) => {
      const names = { proofs: [{ name: 'alice', fid: 6_833 }] };
      answering(request.url?.startsWith('/v1/userName') ? 200 : 500, JSON.stringify(names))(request, response);
    });
    const proof = createFarcasterProof(
      { relayUrl: started.relay.url, hubUrl: url, optimismRpcUrl: started.optimism.url },
      {
        baseUrl: BASE_URL,
        relayTools: started.tools,
        operatorTools: started.tools,
        random,
        now: () => Date.now(),
        allowsHttp: true,
      },
    );
    expect(await prove({ ...started, proof })).toEqual({ kind: 'proven', stableId: '6833', handle: 'alice' });
  });

  test.each([
    ['another account', 200, { proofs: [{ name: 'alice', fid: 666 }] }, '!6833'],
    ['no names', 200, {}, null],
    ['status 400', 400, { proofs: [] }, null],
    ['status 500', 500, {}, null],
  ])('the hub answers %s', async (_case, status, body, handle) => {
    const started = await startWorld();
    const { url } = await startServer((request, response) => {
      const isNames = request.url?.startsWith('/v1/userNameProofsByFid?fid=6833');
      answering(isNames ? status : 200, JSON.stringify(isNames ? body : { messages: [] }))(request, response);
    });
    const proof = createFarcasterProof(
      { relayUrl: started.relay.url, hubUrl: url, optimismRpcUrl: started.optimism.url },
      {
        baseUrl: BASE_URL,
        relayTools: started.tools,
        operatorTools: started.tools,
        random,
        now: () => Date.now(),
        allowsHttp: true,
      },
    );
    const outcome = await prove({ ...started, proof });
    if (handle === null) expect(outcome).toEqual(UNAVAILABLE);
    else expect(outcome).toMatchObject({ kind: 'proven', handle });
  });

  test('a signature is good for another try when the hub was away', async () => {
    const started = await startWorld();
    const channel = await begin(started);
    await started.relay.sign(channel.channelToken, started.people.personOf('alice'));
    const answer = await started.proof.poll({ channel, signal: FOREVER });
    if (answer.kind !== 'signed') throw new Error('expected a signature');
    started.hub.setDown(true);
    expect(await started.proof.finish({ channel, signed: answer.signed, signal: FOREVER })).toEqual(UNAVAILABLE);
    started.hub.setDown(false);
    expect(await started.proof.finish({ channel, signed: answer.signed, signal: FOREVER })).toEqual(PROVEN);
  });
});

describe('the relay', () => {
  test('nobody has signed yet, then the owner has, and that is told once', async () => {
    const started = await startWorld();
    const channel = await begin(started);
    const poll = () => started.proof.poll({ channel, signal: FOREVER });
    expect(await poll()).toEqual({ kind: 'pending' });
    await started.relay.sign(channel.channelToken, started.people.personOf('alice'));
    expect((await poll()).kind).toBe('signed');
    expect(await poll()).toEqual(refused('expired'));
  });

  test('a relay that is down', async () => {
    const started = await startWorld();
    const channel = await begin(started);
    started.relay.setDown(true);
    expect(await started.proof.poll({ channel, signal: FOREVER })).toEqual(UNAVAILABLE);
    expect(await started.proof.begin({ handle: 'alice', payout: { keep: true }, signal: FOREVER })).toEqual(
      UNAVAILABLE,
    );
  });

  const opened = { channelToken: 'a-token-of-a-channel', url: 'https://farcaster.example/?channelToken=x' };

  async function beginAt(
    toAnswer: (nonce: string) => { status?: number; body: object | string; location?: string },
    world: World = {},
  ) {
    const { url, requests } = await startServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const { nonce } = JSON.parse(text);
        const { status = 201, body, location } = toAnswer(nonce);
        const headers: Record<string, string> = location === undefined ? {} : { location };
        answering(status, typeof body === 'string' ? body : JSON.stringify(body), headers)(request, response);
      });
    });
    const { proof, tools } = await startWorld({ relayUrl: `${url}/`, allowsHttp: false, ...world });
    const begun = await proof.begin({ handle: 'alice', payout: { keep: true }, signal: FOREVER });
    expect(tools.reasons.filter((reason) => reason.includes('a-token'))).toEqual([]);
    return { begun, requests };
  }

  test('the exact channel that the next table spoils', async () => {
    const { begun } = await beginAt((nonce) => ({ body: { ...opened, nonce } }));
    expect(begun).toMatchObject({ kind: 'begun', channel: opened });
  });

  test.each<[string, (nonce: string) => { status?: number; body: object | string; location?: string }]>([
    ['another nonce', () => ({ body: { ...opened, nonce: '0123456789abcdef' } })],
    ['no token', (nonce) => ({ body: { url: opened.url, nonce } })],
    ['a token with a line break', (nonce) => ({ body: { ...opened, channelToken: 'a-token\r\nx: y', nonce } })],
    ['a link without TLS', (nonce) => ({ body: { ...opened, url: 'http://farcaster.example/', nonce } })],
    ['a link that is a script', (nonce) => ({ body: { ...opened, url: 'javascript:alert(1)', nonce } })],
    ['status 200', (nonce) => ({ status: 200, body: { ...opened, nonce } })],
    ['status 400', () => ({ status: 400, body: { error: 'Validation error' } })],
    ['no JSON', () => ({ body: '<html>' })],
    ['too much', (nonce) => ({ body: { ...opened, nonce, more: 'x'.repeat(200_000) } })],
    ['a redirect', () => ({ status: 307, body: '', location: '/elsewhere' })],
  ])('a channel with %s is none', async (_case, toAnswer) => {
    const { begun, requests } = await beginAt(toAnswer);
    expect(begun).toEqual(UNAVAILABLE);
    expect(requests()).toBe(1);
  });

  const signed = { state: 'completed', message: 'm', signature: `0x${'11'.repeat(65)}` };

  test.each<[string, number, object | string, string]>([
    ['an answer', 200, signed, 'signed'],
    ['nothing yet', 202, { state: 'pending' }, 'pending'],
    ['an unknown channel', 401, { error: 'Unauthorized' }, 'refused'],
    ['no message', 200, { ...signed, message: undefined }, 'unavailable'],
    ['a state that does not fit', 200, { ...signed, state: 'pending' }, 'unavailable'],
    ['half a signature', 200, { ...signed, signature: '0x11' }, 'unavailable'],
    ['a signature without end', 200, { ...signed, signature: `0x${'11'.repeat(8_193)}` }, 'unavailable'],
    ['a message without end', 200, { ...signed, message: 'm'.repeat(10_001) }, 'unavailable'],
    ['status 500', 500, {}, 'unavailable'],
    ['no JSON', 200, '<html>', 'unavailable'],
    ['too much', 200, { ...signed, more: 'x'.repeat(200_000) }, 'unavailable'],
  ])('its state, told as %s', async (_case, status, body, kind) => {
    const channel = await begin(await startWorld());
    const { url } = await startServer(answering(status, typeof body === 'string' ? body : JSON.stringify(body)));
    const { proof } = await startWorld({ relayUrl: url });
    expect((await proof.poll({ channel, signal: FOREVER })).kind).toBe(kind);
  });
});

describe('Optimism', () => {
  test.each<[string, number, string]>([
    ['status 500', 500, '{}'],
    ['status 429', 429, '{}'],
    ['no JSON', 200, '<html>'],
    ['another shape', 200, '[]'],
    ['nothing', 200, JSON.stringify({ jsonrpc: '2.0', id: 1 })],
    [
      'an error of the node',
      200,
      JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_005, message: 'limit' } }),
    ],
    ['no words', 200, JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x01' })],
    ['no hexadecimal', 200, JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(66) })],
    ['too much', 200, JSON.stringify({ jsonrpc: '2.0', id: 1, result: `0x${'00'.repeat(200_000)}` })],
  ])('a node that answers %s leaves it open who signed', async (_case, status, body) => {
    const { url } = await startServer(answering(status, body));
    expect(await prove(await startWorld({ optimismRpcUrl: url }))).toEqual(UNAVAILABLE);
  });

  test('so does one that is slow, or not there', async () => {
    const { url } = await startServer(() => {});
    expect(await prove(await startWorld({ optimismRpcUrl: url, timeoutMs: 100 }))).toEqual(UNAVAILABLE);
    expect(await prove(await startWorld({ optimismRpcUrl: 'http://127.0.0.1:1' }))).toEqual(UNAVAILABLE);
  });

  test('a contract’s signature is not called wrong when the node could not say', async () => {
    const started = await startWorld();
    const channel = await begin(started);
    await started.relay.sign(channel.channelToken, started.people.personOf('alice'));
    const answer = await started.proof.poll({ channel, signal: FOREVER });
    if (answer.kind !== 'signed') throw new Error('expected a signature');
    const long = { ...answer.signed, signature: `0x${'22'.repeat(500)}` as const };
    expect(await started.proof.finish({ channel, signed: long, signal: FOREVER })).toEqual(refused('wrong_signature'));
    started.optimism.setDown(true);
    expect(await started.proof.finish({ channel, signed: long, signal: FOREVER })).toEqual(UNAVAILABLE);
  });

  test('a node with a password in its URL gets it as a header', async () => {
    const started = await startWorld();
    const seen: (string | undefined)[] = [];
    const { url } = await startServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(500).end();
    });
    await prove(await startWorld({ optimismRpcUrl: url.replace('//', '//us%20er:p%40ss@') }));
    expect(new Set(seen)).toEqual(new Set([`Basic ${Buffer.from('us er:p@ss').toString('base64')}`]));
    expect(started.tools.reasons).toEqual([]);
  });
});
