import { type Address, encodeFunctionData, getAddress, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkEvmAddress } from '../../../chain/evm/payout-address.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { createEvmRpc } from '../../../chain/evm/rpc/rpc.ts';
import { type AddressRefusal, ADDRESS_REFUSALS } from '../../../core/payments/payout-address.ts';
import { LOCAL_USDC_ABI } from '../../../local/evm/contracts.ts';
import { type BaseChain, startBaseChain } from '../../support/chains/base-chain.ts';
import { randomAddress } from './authorizations.ts';
import { answering, type Question, startFakeNode } from './fake-node.ts';

const profile = evmProfile('base', 'local');
const own = randomAddress();

let chain: BaseChain;
let check: (text: string) => ReturnType<typeof checkEvmAddress>;

const connect = (url: string) => createEvmRpc({ url, timeoutMs: 5_000, profile });

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 0 });
  const rpc = connect(chain.rpcUrl);
  check = (text) => checkEvmAddress(rpc, profile, [own], text);
});
afterAll(() => chain?.close());

async function withCode(code: Hex): Promise<Address> {
  const address = randomAddress();
  await chain.rpc('anvil_setCode', address, code);
  return address;
}

/** The same contract as USDC at an address of which nobody has heard. */
const someToken = async () => withCode((await chain.client.getCode({ address: profile.usdc })) ?? '0x');

async function barred(): Promise<Address> {
  const address = randomAddress();
  const args = [address] as const;
  await chain.sendAsAdmin(encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName: 'blacklist', args }));
  return address;
}

/** As a transaction of EIP-7702 leaves it. */
const delegating = (to: Address) => withCode(`0xef0100${to.slice(2)}`);

/** Fails unless it is asked for an interface; then this code answers. */
const askedForInterface = (code: string) => withCode(`0x36602414600c5760006000fd5b${code}`);
/** Says yes to the interface of a collection (ERC-721) and no to any other. */
const collection = () => askedForInterface('60043560e01c6380ac58cd1460005260206000f3');
const YES = '600160005260206000f3';

describe('no money goes to', () => {
  test.each<[string, AddressRefusal, () => string | Promise<string>]>([
    ['nothing', 'not_an_address', () => ''],
    ['a name', 'not_an_address', () => 'alice.eth'],
    ['a digit too few', 'not_an_address', () => own.slice(0, -1)],
    ['a digit too many', 'not_an_address', () => `${own}0`],
    ['a look-alike', 'not_an_address', () => own.replace(/.$/, 'О')],
    ['no 0x', 'not_an_address', () => own.slice(2)],
    ['an address of Solana', 'not_an_address', () => 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
    ['a typing mistake', 'wrong_checksum', () => '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914'],
    ['a letter in the wrong case', 'wrong_checksum', () => '0x833589FCD6eDb6E08f4c7C32D4f71b54bdA02913'],
    ['our wallet', 'ours', () => own],
    ['our wallet with its checksum', 'ours', () => getAddress(own)],
    ['zero', 'nobody', () => '0x0000000000000000000000000000000000000000'],
    ['the burn address', 'nobody', () => '0x000000000000000000000000000000000000dEaD'],
    ['a precompile', 'system', () => '0x0000000000000000000000000000000000000100'],
    ['a predeploy', 'system', () => '0x4200000000000000000000000000000000000010'],
    ['Multicall3', 'system', () => profile.multicall],
    ['Permit2', 'system', () => '0x000000000022D473030F116dDEE9F6B43aC78BA3'],
    ['an entry point', 'system', () => '0x0000000071727De22E5E9d8BAf0edAc6f37da032'],
    ['the proxy that deploys contracts', 'system', () => '0x4e59b44847b379578588920cA78FbF26c0B4956C'],
    ['USDC itself', 'token', () => profile.usdc],
    ['bridged USDC', 'token', () => '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA'],
    ['WETH, also in small letters', 'token', () => '0x4200000000000000000000000000000000000006'],
    ['a token that nobody has heard of', 'token', () => someToken()],
    ['a collection', 'token', () => collection()],
    ['whom the issuer has barred', 'blacklisted', () => barred()],
  ])('%s: %s', async (_name, reason, toText) => {
    expect(await check(await toText())).toEqual({ kind: 'refused', reason });
    expect(ADDRESS_REFUSALS[reason]).toMatch(/\.$/);
  });
});

describe('money may go to', () => {
  test.each<[string, () => string | Promise<string>]>([
    ['an address that nobody has used', () => randomAddress()],
    ['one with its checksum', () => getAddress(randomAddress())],
    ['one in capital letters', () => `0x${randomAddress().slice(2).toUpperCase()}`],
    ['one whose checksum has no small letters', () => '0x52908400098527886E0F7030069857D2E4169EE7'],
    ['a wallet with code', () => chain.deploySmartWallet(randomAddress())],
    ['a wallet that delegates to code', async () => delegating(await chain.deploySmartWallet(randomAddress()))],
    ['a wallet that takes any call and answers nothing', () => withCode('0x00')],
    ['a wallet that says yes to every interface', () => askedForInterface(YES)],
    ['a wallet that says yes to everything', () => withCode(`0x${YES}`)],
    ['a wallet that burns all gas of a call that it does not know', () => withCode('0xfe')],
    ['a wallet that never comes to an end', () => withCode('0x5b600056')],
  ])('%s', async (_name, toText) => {
    const text = await toText();
    expect(await check(` ${text}\n`)).toEqual({ kind: 'fine', address: text.toLowerCase() });
  });
});

describe('a check', () => {
  test('is one request', async () => {
    const questions: Question[] = [];
    const node = await startFakeNode(
      answering((question) => {
        questions.push(question);
        return '0x';
      }),
    );
    expect(await checkEvmAddress(connect(node.url), profile, [], randomAddress())).toEqual({ kind: 'unavailable' });
    expect({ requests: node.requests(), questions: questions.length }).toEqual({ requests: 1, questions: 6 });
  });

  test('that the node does not answer leaves it open', async () => {
    const rpc = connect('http://127.0.0.1:1');
    expect(await checkEvmAddress(rpc, profile, [], randomAddress())).toEqual({ kind: 'unavailable' });
    expect(await checkEvmAddress(rpc, profile, [], profile.usdc)).toEqual({ kind: 'refused', reason: 'token' });
  });
});
