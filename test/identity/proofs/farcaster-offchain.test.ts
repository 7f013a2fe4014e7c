/**
 * A signer may be a contract, and a contract may answer "ask at this URL" (ERC-3668). The library would ask: from
 * inside our network, at any address that a stranger wrote down, and again for as long as the contract says so.
 */
import { createAppClient, viemConnector } from '@farcaster/auth-client';
import { SignatureErc8010 } from 'ox/erc8010';
import { encodeErrorResult, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { createFarcasterProof } from '../../../identity/proofs/farcaster.ts';
import { answering, startServer } from '../servers.ts';
import { createTools, FOREVER, random } from './tools.ts';

const lookupAbi = parseAbi([
  'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extra)',
]);

const DOMAIN = 'pay.example.com';
const NONCE = '0123456789abcdef';
const CONTRACT = `0x${'cc'.repeat(20)}` as const;

/** An account that runs a contract's code (EIP-7702), and a node where that contract points to the canary. */
async function startAttack() {
  const canary = await startServer(answering(200, JSON.stringify({ data: '0x' })));
  const account = privateKeyToAccount(generatePrivateKey());
  const authorization = await account.signAuthorization({ address: CONTRACT, chainId: 10, nonce: 0 });
  const data = encodeErrorResult({
    abi: lookupAbi,
    args: [account.address, [`${canary.url}/{sender}/{data}`], '0x', '0x12345678', '0x'],
  });
  let isFirst = true;
  const node = await startServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { id, method } = JSON.parse(text);
      // Once only: the library goes on for as long as it is told to, which no test would survive.
      const reverted = { code: 3, message: 'execution reverted', data: isFirst ? data : '0x' };
      const isCode = method === 'eth_getCode';
      if (!isCode) isFirst = false;
      const answer = isCode ? { result: `0xef0100${CONTRACT.slice(2)}` } : { error: reverted };
      answering(200, JSON.stringify({ jsonrpc: '2.0', id, ...answer }))(request, response);
    });
  });
  const uri = `https://${DOMAIN}/claim/decsocial/alice?payout=keep`;
  const message = [
    `${DOMAIN} wants you to sign in with your Ethereum account:`,
    account.address,
    '',
    'Farcaster Auth',
    '',
    `URI: ${uri}`,
    'Version: 1',
    'Chain ID: 10',
    `Nonce: ${NONCE}`,
    `Issued At: ${new Date().toISOString()}`,
    'Resources:',
    '- farcaster://fid/6833',
  ].join('\n');
  const { r, s, yParity = 0 } = authorization;
  const signature = SignatureErc8010.wrap({
    authorization: { address: CONTRACT, chainId: 10, nonce: 0n, r: BigInt(r), s: BigInt(s), yParity },
    signature: await account.signMessage({ message: 'anything' }),
  });
  return { canary, node, uri, message, signature };
}

test('by itself the library asks where the contract says', async () => {
  const { canary, node, message, signature } = await startAttack();
  const client = createAppClient({ ethereum: viemConnector({ rpcUrl: node.url }) });
  await client.verifySignInMessage({ nonce: NONCE, domain: DOMAIN, message, signature });
  expect(canary.requests()).toBeGreaterThan(0);
});

test('here it asks nobody, and the signature is wrong', async () => {
  const { canary, node, uri, message, signature } = await startAttack();
  const tools = createTools();
  const proof = createFarcasterProof(
    { relayUrl: 'https://relay.example', hubUrl: 'https://hub.example', optimismRpcUrl: node.url },
    { baseUrl: `https://${DOMAIN}`, relayTools: tools, operatorTools: tools, random, now: () => Date.now() },
  );
  const expiresAtMs = Date.now() + 60_000;
  const channel = {
    channelToken: 'a-channel',
    url: 'https://farcaster.example',
    nonce: NONCE,
    uri,
    handle: 'alice',
    expiresAtMs,
  };
  const outcome = await proof.finish({ channel, signed: { message, signature }, signal: FOREVER });
  expect(outcome).toEqual({ kind: 'refused', reason: 'wrong_signature' });
  // The contract was asked: it is the answer that led nowhere.
  expect(node.requests()).toBe(2);
  expect(canary.requests()).toBe(0);
});
