/** Wallets for a page under test, found and asked like those that people have; they really sign, with keys of the test. */
import { createPrivateKey, sign } from 'node:crypto';
import { VersionedTransaction, type Keypair } from '@solana/web3.js';
import type { BrowserContext } from 'playwright-core';
import type { PrivateKeyAccount } from 'viem/accounts';

/** EIP-1193, announced by EIP-6963; on another chain until it is asked to switch. `calls` are the methods it was asked for. */
export async function injectBaseWallet(context: BrowserContext, account: PrivateKeyAccount, name = 'Test Base') {
  const calls: string[] = [];
  const state = { chainId: '0x1', refuses: false };
  const binding = `baseWallet${account.address}`;
  await context.exposeFunction(binding, async (method: string, params: string[]) => {
    calls.push(method);
    if (state.refuses) throw new Error('User rejected the request.');
    switch (method) {
      case 'eth_requestAccounts':
        return [account.address];
      case 'eth_chainId':
        return state.chainId;
      case 'wallet_switchEthereumChain':
        state.chainId = (params as unknown as [{ chainId: string }])[0].chainId;
        return null;
      case 'eth_signTypedData_v4':
        return signTypedData(account, params[1] ?? '', state.chainId);
      default:
        throw new Error(`the wallet does not know ${method}`);
    }
  });
  await context.addInitScript(
    ([call, title]) => {
      const page = globalThis as unknown as EventTarget;
      const provider = {
        request: ({ method, params = [] }: { method: string; params?: unknown[] }) =>
          (globalThis as unknown as Record<string, (...values: unknown[]) => unknown>)[call ?? '']?.(method, params),
      };
      const detail = Object.freeze({ info: { uuid: title, name: title, icon: '', rdns: 'test' }, provider });
      const announce = () => page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
      page.addEventListener('eip6963:requestProvider', announce);
      announce();
    },
    [binding, name],
  );
  return { calls, state };
}

/** As wallets do, it refuses a domain of another chain than its own. */
function signTypedData(account: PrivateKeyAccount, text: string, chainId: string) {
  const { types, domain, primaryType, message } = JSON.parse(text) as Parameters<typeof account.signTypedData>[0];
  if (Number(domain?.chainId) !== Number(chainId)) throw new Error('the domain is of another chain');
  const { EIP712Domain: _, ...others } = types as Record<string, unknown>;
  return account.signTypedData({ types: others, domain, primaryType, message } as never);
}

/** What comes before the 32 bytes of a key. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Wallet Standard, with `solana:signMessage` and `solana:signTransaction` for this chain. `change` lets it sign something else. */
export async function injectSolanaWallet(
  context: BrowserContext,
  keypair: Keypair,
  { chain, change = (bytes) => bytes }: { chain: string; change?: (transaction: Uint8Array) => Uint8Array },
) {
  const binding = `solanaWallet${keypair.publicKey.toBase58()}`;
  await context.exposeFunction(binding, (base64: string) => {
    const transaction = VersionedTransaction.deserialize(change(Buffer.from(base64, 'base64')));
    transaction.sign([keypair]);
    return Buffer.from(transaction.serialize()).toString('base64');
  });
  await context.exposeFunction(`${binding}Message`, (base64: string) => {
    const seed = keypair.secretKey.slice(0, 32);
    const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
    return sign(null, Buffer.from(base64, 'base64'), key).toString('base64');
  });
  await context.addInitScript(
    ([call, address, network]) => {
      const page = globalThis as unknown as EventTarget;
      const account = { address, publicKey: new Uint8Array(32), chains: [network], features: [] };
      const calls = globalThis as unknown as Record<string, (base64: string) => Promise<string>>;
      const signTransaction = calls[call ?? ''];
      const signText = calls[`${call}Message`];
      const wallet = {
        version: '1.0.0',
        name: 'Test Solana',
        icon: '',
        chains: [network],
        accounts: [account],
        features: {
          'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
          'solana:signMessage': {
            version: '1.1.0',
            signMessage: async ({ message }: { message: Uint8Array }) => {
              const signed = (await signText?.(btoa(String.fromCharCode(...message)))) ?? '';
              return [{ signedMessage: message, signature: Uint8Array.from(atob(signed), (one) => one.charCodeAt(0)) }];
            },
          },
          'solana:signTransaction': {
            version: '1.0.0',
            signTransaction: async ({ transaction }: { transaction: Uint8Array }) => {
              const signed = (await signTransaction?.(btoa(String.fromCharCode(...transaction)))) ?? '';
              return [{ signedTransaction: Uint8Array.from(atob(signed), (one) => one.charCodeAt(0)) }];
            },
          },
        },
      };
      type Api = { register: (one: unknown) => void };
      page.addEventListener('wallet-standard:app-ready', (event) =>
        (event as CustomEvent<Api>).detail.register(wallet),
      );
      const detail = ({ register }: Api) => register(wallet);
      page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail }));
    },
    [binding, keypair.publicKey.toBase58(), chain],
  );
}
