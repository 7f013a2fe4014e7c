import {
  type Address,
  type Hex,
  createWalletClient,
  decodeErrorResult,
  domainSeparator,
  encodeFunctionData,
  hashTypedData,
  http,
  multicall3Abi,
  parseAbi,
  parseEventLogs,
  parseSignature,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { LOCAL_USDC_ABI } from '../../../local/evm/contracts.ts';
import {
  type Authorization,
  type BaseChain,
  SMART_WALLET_ABI,
  USDC_DOMAIN,
  signAuthorization,
  signCancellation,
  startBaseChain,
  testBase,
  toAuthorization,
} from '../../support/chains/base-chain.ts';

const ONE_USDC = microUsdc(1_000_000n);
const TEN_USDC = microUsdc(10_000_000n);
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

let chain: BaseChain;
let payer: PrivateKeyAccount;
let stranger: PrivateKeyAccount;
let recipient: Address;

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 0 });
  stranger = await chain.createAccount();
});
afterAll(() => chain?.close());

beforeEach(async () => {
  payer = await chain.createAccount({ usdc: TEN_USDC, wei: 0n });
  recipient = (await chain.createAccount({ wei: 0n })).address;
});

/** Sends from a key that has nothing to do with the payment, and mines. */
async function send(to: Address, data: Hex, from: PrivateKeyAccount = stranger) {
  const wallet = createWalletClient({ account: from, chain: testBase, transport: http(chain.rpcUrl) });
  const hash = await wallet.sendTransaction({ to, data, gas: 1_000_000n });
  await chain.mine();
  return chain.client.getTransactionReceipt({ hash });
}

/** What a call would answer now: `ok`, or the revert text. */
async function outcomeOf(data: Hex, from: Address = stranger.address): Promise<string> {
  const request = {
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_call',
    params: [{ from, to: chain.usdcAddress, data }, 'latest'],
  };
  const response = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  const { error } = (await response.json()) as { error?: { data?: Hex; message: string } };
  if (!error) return 'ok';
  if (!error.data || error.data === '0x') return error.message;
  return String(decodeErrorResult({ abi: parseAbi(['error Error(string)']), data: error.data }).args[0]);
}

type Call = 'transferWithAuthorization' | 'receiveWithAuthorization';
type Form = 'bytes' | 'v,r,s';
const FORMS: Form[] = ['bytes', 'v,r,s'];

function encodeUse(form: Form, { from, to, value, ...window }: Authorization, signature: Hex, functionName: Call) {
  const head = [from, to, value, window.validAfter, window.validBefore, window.nonce] as const;
  if (form === 'bytes') return encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName, args: [...head, signature] });
  const { r, s, yParity } = parseSignature(signature);
  return encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName, args: [...head, 27 + yParity, r, s] });
}

async function encodePayment(
  fields: Partial<Authorization> = {},
  { form = 'bytes', signer = payer }: { form?: Form; signer?: PrivateKeyAccount } = {},
): Promise<{ data: Hex; authorization: Authorization }> {
  const authorization = toAuthorization({ from: payer.address, to: recipient, value: ONE_USDC, ...fields });
  const signature = await signAuthorization(signer, authorization);
  return { authorization, data: encodeUse(form, authorization, signature, 'transferWithAuthorization') };
}

function encodeCancellation(form: Form, authorizer: Address, nonce: Hex, signature: Hex): Hex {
  const functionName = 'cancelAuthorization';
  if (form === 'bytes') {
    return encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName, args: [authorizer, nonce, signature] });
  }
  const { r, s, yParity } = parseSignature(signature);
  return encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName, args: [authorizer, nonce, 27 + yParity, r, s] });
}

function asAdmin(functionName: 'blacklist' | 'unBlacklist', account: Address): Promise<Hex>;
function asAdmin(functionName: 'pause' | 'unpause'): Promise<Hex>;
function asAdmin(functionName: 'blacklist' | 'unBlacklist' | 'pause' | 'unpause', ...args: [] | [Address]) {
  return chain.sendAsAdmin(encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName, args } as never));
}

describe('identity', () => {
  test('the token has the name, symbol, version and decimals of USDC on Base', async () => {
    const read = (functionName: 'name' | 'symbol' | 'version' | 'decimals') =>
      chain.client.readContract({ address: chain.usdcAddress, abi: LOCAL_USDC_ABI, functionName });
    const found = await Promise.all([read('name'), read('symbol'), read('version'), read('decimals')]);
    expect(found).toEqual(['USD Coin', 'USDC', '2', 6]);
    expect(chain.usdcAddress).toBe('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913');
    expect(await chain.client.getChainId()).toBe(8453);
  });

  test('the EIP-712 domain on the chain is the one that clients compute for USDC on Base', async () => {
    const onChain = await chain.client.readContract({
      address: chain.usdcAddress,
      abi: LOCAL_USDC_ABI,
      functionName: 'DOMAIN_SEPARATOR',
    });
    expect(onChain).toBe(domainSeparator({ domain: USDC_DOMAIN }));
    // Computed once for the real contract's address; a change of any part of the domain shows here.
    expect(onChain).toBe('0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f');
  });

  test('only the admin mints, blacklists and pauses', async () => {
    const calls = [
      encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName: 'mint', args: [stranger.address, 1n] }),
      encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName: 'blacklist', args: [payer.address] }),
      encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName: 'unBlacklist', args: [payer.address] }),
      encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName: 'pause' }),
      encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName: 'unpause' }),
    ];
    const outcomes = await Promise.all(calls.map((data) => outcomeOf(data)));
    expect(outcomes).toEqual(calls.map(() => 'Ownable: caller is not the owner'));
  });
});

describe('authorizations of a key', () => {
  test.each(FORMS)('a stranger moves the money with the %s form, and the logs say who and how much', async (form) => {
    const { data, authorization } = await encodePayment({}, { form });
    const receipt = await send(chain.usdcAddress, data);
    expect(receipt.status).toBe('success');
    const [used, transfer, ...more] = parseEventLogs({ abi: LOCAL_USDC_ABI, logs: receipt.logs });
    expect(used).toMatchObject({
      eventName: 'AuthorizationUsed',
      args: { authorizer: payer.address, nonce: authorization.nonce },
    });
    expect(transfer).toMatchObject({
      eventName: 'Transfer',
      args: { from: payer.address, to: recipient, value: ONE_USDC },
    });
    expect(more).toEqual([]);
    expect(transfer?.logIndex).toBe((used?.logIndex ?? 0) + 1);
    expect(await chain.usdcBalance(recipient)).toBe(ONE_USDC);
    expect(await chain.usdcBalance(payer.address)).toBe(TEN_USDC - ONE_USDC);
  });

  test('a used nonce is refused the second time, in either form', async () => {
    const { authorization } = await encodePayment();
    const signature = await signAuthorization(payer, authorization);
    const [bytes, vrs] = FORMS.map((form) => encodeUse(form, authorization, signature, 'transferWithAuthorization'));
    expect((await send(chain.usdcAddress, bytes!)).status).toBe('success');
    expect((await send(chain.usdcAddress, bytes!)).status).toBe('reverted');
    expect(await outcomeOf(bytes!)).toBe('FiatTokenV2: authorization is used or canceled');
    expect(await outcomeOf(vrs!)).toBe('FiatTokenV2: authorization is used or canceled');
    expect(await chain.usdcBalance(recipient)).toBe(ONE_USDC);
  });

  test.each(FORMS)('a cancelled nonce (%s form) counts as used, without a transfer', async (form) => {
    const { data, authorization } = await encodePayment();
    const { nonce } = authorization;
    const signature = await signCancellation(payer, { authorizer: payer.address, nonce });
    const receipt = await send(chain.usdcAddress, encodeCancellation(form, payer.address, nonce, signature));
    const events = parseEventLogs({ abi: LOCAL_USDC_ABI, logs: receipt.logs });
    expect(events.map((event) => [event.eventName, event.args])).toEqual([
      ['AuthorizationCanceled', { authorizer: payer.address, nonce }],
    ]);
    const state = { address: chain.usdcAddress, abi: LOCAL_USDC_ABI, functionName: 'authorizationState' } as const;
    expect(await chain.client.readContract({ ...state, args: [payer.address, nonce] })).toBe(true);
    expect(await outcomeOf(data)).toBe('FiatTokenV2: authorization is used or canceled');
  });

  test('nobody cancels for another owner', async () => {
    const { data, authorization } = await encodePayment();
    const signature = await signCancellation(stranger, { authorizer: payer.address, nonce: authorization.nonce });
    const cancellation = encodeCancellation('bytes', payer.address, authorization.nonce, signature);
    expect(await outcomeOf(cancellation)).toBe('FiatTokenV2: invalid signature');
    expect(await outcomeOf(data)).toBe('ok');
  });

  test('the window is open at both ends: after validAfter and before validBefore', async () => {
    const now = await chain.latestTimestamp();
    const outcome = async (fields: Partial<Authorization>) => outcomeOf((await encodePayment(fields)).data);
    expect(await outcome({ validAfter: now })).toBe('FiatTokenV2: authorization is not yet valid');
    expect(await outcome({ validAfter: now - 1n })).toBe('ok');
    expect(await outcome({ validBefore: now })).toBe('FiatTokenV2: authorization is expired');
    expect(await outcome({ validBefore: now + 1n })).toBe('ok');
    // The clock of block numbers that OpenZeppelin adds would call this one valid.
    expect(await outcome({ validAfter: 2n ** 47n, validBefore: 2n ** 48n - 1n })).toBe(
      'FiatTokenV2: authorization is not yet valid',
    );
  });

  test('an authorization expires when the clock of the chain passes its end', async () => {
    const { data } = await encodePayment({ validBefore: (await chain.latestTimestamp()) + 60n });
    expect(await outcomeOf(data)).toBe('ok');
    await chain.advanceTime(60);
    expect(await outcomeOf(data)).toBe('FiatTokenV2: authorization is expired');
  });

  test.each<[string, (authorization: Authorization) => Partial<Authorization>]>([
    ['recipient', () => ({ to: '0x00000000000000000000000000000000000000ee' })],
    ['value', ({ value }) => ({ value: value + 1n })],
    ['payer', () => ({ from: '0x00000000000000000000000000000000000000ee' })],
    ['nonce', () => ({ nonce: `0x${'11'.repeat(32)}` })],
    ['end', ({ validBefore }) => ({ validBefore: validBefore + 1n })],
  ])('a signature does not hold for another %s', async (_part, change) => {
    const { authorization } = await encodePayment();
    const signature = await signAuthorization(payer, authorization);
    const changed = { ...authorization, ...change(authorization) };
    const data = encodeUse('bytes', changed, signature, 'transferWithAuthorization');
    expect(await outcomeOf(data)).toBe('FiatTokenV2: invalid signature');
  });

  test('malformed signatures are refused with the words of USDC', async () => {
    const { authorization } = await encodePayment();
    const signature = await signAuthorization(payer, authorization);
    const { r, s, yParity } = parseSignature(signature);
    const outcome = (changed: Hex) =>
      outcomeOf(encodeUse('bytes', authorization, changed, 'transferWithAuthorization'));
    const highS = (CURVE_ORDER - BigInt(s)).toString(16).padStart(64, '0');
    const otherV = yParity === 0 ? '1c' : '1b';
    expect(await outcome(`${r}${highS}${otherV}`)).toBe("ECRecover: invalid signature 's' value");
    expect(await outcome(`${r}${s.slice(2)}0${yParity}`)).toBe("ECRecover: invalid signature 'v' value");
    expect(await outcome(signature.slice(0, -2) as Hex)).toBe('ECRecover: invalid signature length');
    expect(await outcome('0x')).toBe('ECRecover: invalid signature length');
    expect(await outcome(`0x${'00'.repeat(32)}${s.slice(2)}1b`)).toBe('ECRecover: invalid signature');
  });

  test('more than the balance cannot move', async () => {
    const { data } = await encodePayment({ value: TEN_USDC + 1n });
    expect(await outcomeOf(data)).toBe('ERC20: transfer amount exceeds balance');
  });

  test.each(FORMS)('receiveWithAuthorization (%s form) works for the payee only', async (form) => {
    const payee = await chain.createAccount();
    const authorization = toAuthorization({ from: payer.address, to: payee.address, value: ONE_USDC });
    const signature = await signAuthorization(payer, authorization, 'ReceiveWithAuthorization');
    const data = encodeUse(form, authorization, signature, 'receiveWithAuthorization');
    expect(await outcomeOf(data)).toBe('FiatTokenV2: caller must be the payee');
    // A signature for one of the two functions is none for the other.
    const asTransfer = encodeUse(form, authorization, signature, 'transferWithAuthorization');
    expect(await outcomeOf(asTransfer)).toBe('FiatTokenV2: invalid signature');
    expect((await send(chain.usdcAddress, data, payee)).status).toBe('success');
    expect(await chain.usdcBalance(payee.address)).toBe(ONE_USDC);
  });
});

describe('authorizations of a wallet with code', () => {
  let wallet: Address;

  beforeEach(async () => {
    wallet = await chain.deploySmartWallet(payer.address);
    await chain.fundUsdc(wallet, TEN_USDC);
  });

  test('the wallet knows its owner, and answers for the owner only', async () => {
    const read = { address: wallet, abi: SMART_WALLET_ABI } as const;
    expect(await chain.client.readContract({ ...read, functionName: 'owner' })).toBe(payer.address);
    const digest = hashTypedData({ domain: USDC_DOMAIN, types: { Nothing: [] }, primaryType: 'Nothing', message: {} });
    const ask = async (signer: PrivateKeyAccount) =>
      chain.client.readContract({
        ...read,
        functionName: 'isValidSignature',
        args: [digest, await signer.sign({ hash: digest })],
      });
    expect(await ask(payer)).toBe('0x1626ba7e');
    expect(await ask(stranger)).toBe('0xffffffff');
  });

  test.each(FORMS)('it pays through the %s form with its owner’s signature', async (form) => {
    const { data } = await encodePayment({ from: wallet }, { form });
    expect((await send(chain.usdcAddress, data)).status).toBe('success');
    expect(await chain.usdcBalance(recipient)).toBe(ONE_USDC);
    expect(await chain.usdcBalance(wallet)).toBe(TEN_USDC - ONE_USDC);
  });

  test('it does not pay with another owner’s signature', async () => {
    const { data } = await encodePayment({ from: wallet }, { signer: stranger });
    expect(await outcomeOf(data)).toBe('FiatTokenV2: invalid signature');
  });

  test('a key whose address has got code is asked as a wallet, though its own signature would recover', async () => {
    const { data } = await encodePayment();
    expect(await outcomeOf(data)).toBe('ok');
    await chain.rpc('anvil_setCode', payer.address, '0x00');
    expect(await outcomeOf(data)).toBe('FiatTokenV2: invalid signature');
  });

  test('it cancels through its owner’s signature', async () => {
    const { data, authorization } = await encodePayment({ from: wallet });
    const signature = await signCancellation(payer, { authorizer: wallet, nonce: authorization.nonce });
    await send(chain.usdcAddress, encodeCancellation('v,r,s', wallet, authorization.nonce, signature));
    expect(await outcomeOf(data)).toBe('FiatTokenV2: authorization is used or canceled');
  });

  test('a hostile one burns the gas of everybody who shares its transaction', async () => {
    const fromWallet = await encodePayment({ from: wallet });
    const honest = await encodePayment();
    const together = encodeAggregate([fromWallet.data, honest.data]);
    expect((await send(chain.multicallAddress, together)).gasUsed).toBeLessThan(200_000n);
    await chain.setBurning(wallet, true);
    const again = encodeAggregate([(await encodePayment({ from: wallet })).data, (await encodePayment()).data]);
    const receipt = await send(chain.multicallAddress, again);
    expect(receipt).toMatchObject({ status: 'reverted', gasUsed: 1_000_000n, logs: [] });
  });
});

describe('blacklist and pause', () => {
  test('a blacklisted payer cannot pay, a blacklisted recipient cannot be paid', async () => {
    const { data } = await encodePayment();
    for (const account of [payer.address, recipient]) {
      await asAdmin('blacklist', account);
      expect(await outcomeOf(data)).toBe('Blacklistable: account is blacklisted');
      await asAdmin('unBlacklist', account);
      expect(await outcomeOf(data)).toBe('ok');
    }
  });

  test('a paused token moves nothing, and moves again when the pause ends', async () => {
    const { data, authorization } = await encodePayment();
    const signature = await signCancellation(payer, { authorizer: payer.address, nonce: authorization.nonce });
    const cancellation = encodeCancellation('bytes', payer.address, authorization.nonce, signature);
    const transfer = encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName: 'transfer', args: [recipient, 1n] });
    await asAdmin('pause');
    try {
      expect(await outcomeOf(data)).toBe('Pausable: paused');
      expect(await outcomeOf(cancellation)).toBe('Pausable: paused');
      expect(await outcomeOf(transfer, payer.address)).toBe('Pausable: paused');
    } finally {
      await asAdmin('unpause');
    }
    expect(await outcomeOf(data)).toBe('ok');
  });
});

function encodeAggregate(calls: Hex[]): Hex {
  const batch = calls.map((callData) => ({ target: chain.usdcAddress, allowFailure: true, callData }));
  return encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [batch] });
}

describe('Multicall3', () => {
  test('aggregate3 settles one of two authorizations when the other fails', async () => {
    const good = await encodePayment();
    const expired = await encodePayment({ validBefore: 1n });
    const receipt = await send(chain.multicallAddress, encodeAggregate([expired.data, good.data]));
    expect(receipt.status).toBe('success');
    const used = parseEventLogs({ abi: LOCAL_USDC_ABI, logs: receipt.logs, eventName: 'AuthorizationUsed' });
    expect(used.map((event) => event.args.nonce)).toEqual([good.authorization.nonce]);
    expect(await chain.usdcBalance(recipient)).toBe(ONE_USDC);
  });
});
