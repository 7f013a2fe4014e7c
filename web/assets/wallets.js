/**
 * Wallets of this browser: any of an EVM chain that announces itself (EIP-6963, or the one object of older days), and
 * those of Solana that follow the Wallet Standard. They are asked for an address, or to sign a payment, and for nothing
 * else.
 */

/**
 * @typedef {Record<string, unknown>} Prepared
 * @typedef {{
 *   family: 'evm' | 'svm',
 *   name: string,
 *   connect: () => Promise<string>,
 *   switchTo: (prepared: Prepared) => Promise<boolean>,
 *   sign: (prepared: Prepared) => Promise<Record<string, unknown>>,
 * }} PayWallet
 * @typedef {{ request: (call: { method: string, params?: unknown[] }) => Promise<unknown> }} Provider
 * @typedef {{ address: string, publicKey: Uint8Array }} Account
 * @typedef {{ connect: () => Promise<{ accounts: readonly Account[] }> }} ConnectFeature
 * @typedef {{ transaction: Uint8Array, account: Account, chain: string }} SignInput
 * @typedef {{ signTransaction: (...inputs: SignInput[]) => Promise<readonly { signedTransaction: Uint8Array }[]> }} SignFeature
 * @typedef {{ signMessage: (...inputs: { message: Uint8Array, account: Account }[]) => Promise<readonly { signature: Uint8Array }[]> }} MessageFeature
 * @typedef {{ name: string, chains: readonly string[], features: Record<string, unknown> }} StandardWallet
 */

const WALLETS_MAX = 6;
const NAME_CHARACTERS_MAX = 30;
/** What the Wallet Standard calls every chain of this family. */
const SOLANA_CHAIN = /^solana:/;
/** How long an older wallet waits for one that announces itself. */
const ANNOUNCE_MS = 300;

/**
 * @param {readonly string[]} needed what a wallet of Solana must be able to do beside giving its address
 * @param {(wallet: PayWallet) => void} found
 */
export function findWallets(needed, found) {
  /** @type {Set<string>} */
  const known = new Set();
  /** @param {PayWallet} wallet */
  const offer = (wallet) => {
    const id = `${wallet.family} ${wallet.name}`;
    if (known.has(id) || known.size === WALLETS_MAX) return;
    known.add(id);
    found(wallet);
  };
  findEthereum(offer);
  findSolana(needed, offer);
}

/** @param {(wallet: PayWallet) => void} offer */
function findEthereum(offer) {
  let isAnnounced = false;
  window.addEventListener('eip6963:announceProvider', (event) => {
    const detail = event instanceof CustomEvent ? /** @type {unknown} */ (event.detail) : null;
    if (!isRecord(detail) || !isRecord(detail['info']) || !isProvider(detail['provider'])) return;
    isAnnounced = true;
    offer(toPayWallet(nameOf(detail['info']['name']), detail['provider']));
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  setTimeout(() => {
    const older = /** @type {unknown} */ (Reflect.get(window, 'ethereum'));
    if (!isAnnounced && isProvider(older)) offer(toPayWallet('Ethereum', older));
  }, ANNOUNCE_MS);
}

/**
 * @param {string} name
 * @param {Provider} provider
 * @returns {PayWallet}
 */
function toPayWallet(name, provider) {
  let account = '';
  return {
    family: 'evm',
    name,
    async connect() {
      const accounts = await provider.request({ method: 'eth_requestAccounts' });
      account = Array.isArray(accounts) ? String(accounts[0]) : '';
      return account;
    },
    async switchTo({ chainId }) {
      const isHere = async () => (await provider.request({ method: 'eth_chainId' })) === chainId;
      if (await isHere()) return true;
      await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] }).catch(() => null);
      return isHere();
    },
    async sign({ typedData, nonce, validBefore }) {
      const params = [account, JSON.stringify(typedData)];
      const signature = await provider.request({ method: 'eth_signTypedData_v4', params });
      return { signature, nonce, validBefore };
    },
  };
}

/**
 * The Wallet Standard: wallets and pages find each other in either order.
 * @param {readonly string[]} needed
 * @param {(wallet: PayWallet) => void} offer
 */
function findSolana(needed, offer) {
  const api = Object.freeze({
    /** @param {unknown[]} wallets */
    register: (...wallets) => {
      for (const wallet of wallets) if (isSolanaWallet(wallet, needed)) offer(toSolanaWallet(wallet));
      return () => undefined;
    },
  });
  window.addEventListener('wallet-standard:register-wallet', (event) => {
    const callback = event instanceof CustomEvent ? /** @type {unknown} */ (event.detail) : null;
    if (isCallback(callback)) callback(api);
  });
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }));
}

/**
 * @param {StandardWallet} wallet
 * @returns {PayWallet}
 */
function toSolanaWallet(wallet) {
  /** @type {Account | undefined} */
  let account;
  return {
    family: 'svm',
    name: nameOf(wallet.name),
    async connect() {
      const feature = /** @type {ConnectFeature} */ (wallet.features['standard:connect']);
      const { accounts } = await feature.connect();
      account = accounts[0];
      return account?.address ?? '';
    },
    switchTo: async ({ chain }) => wallet.chains.includes(String(chain)),
    async sign({ transaction, chain, blockhash, memo, text }) {
      if (typeof text === 'string') return { signature: await signText(wallet, account, text) };
      const feature = /** @type {SignFeature} */ (wallet.features['solana:signTransaction']);
      if (!account) throw new Error('the wallet has given no account');
      const input = { transaction: toBytes(String(transaction)), account, chain: String(chain) };
      const [signed] = await feature.signTransaction(input);
      if (!signed) throw new Error('the wallet has signed nothing');
      return { transaction: toBase64(signed.signedTransaction), blockhash, memo };
    },
  };
}

/**
 * @param {StandardWallet} wallet
 * @param {Account | undefined} account
 * @param {string} text
 */
async function signText(wallet, account, text) {
  const feature = /** @type {MessageFeature} */ (wallet.features['solana:signMessage']);
  if (!account) throw new Error('the wallet has given no account');
  const [signed] = await feature.signMessage({ message: new TextEncoder().encode(text), account });
  if (!signed) throw new Error('the wallet has signed nothing');
  return toBase58(signed.signature);
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** @param {Uint8Array} bytes */
function toBase58(bytes) {
  let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  for (; number > 0n; number /= 58n) text = (BASE58[Number(number % 58n)] ?? '') + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text;
}

/** @param {string} base64 */
function toBytes(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** @param {unknown} name */
function nameOf(name) {
  return String(name).slice(0, NAME_CHARACTERS_MAX);
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isRecord(value) {
  return typeof value === 'object' && value !== null;
}

/**
 * @param {unknown} value
 * @returns {value is (api: object) => void}
 */
function isCallback(value) {
  return typeof value === 'function';
}

/**
 * @param {unknown} value
 * @returns {value is Provider}
 */
function isProvider(value) {
  return isRecord(value) && typeof value['request'] === 'function';
}

/**
 * @param {unknown} value
 * @param {readonly string[]} needed
 * @returns {value is StandardWallet}
 */
function isSolanaWallet(value, needed) {
  if (!isRecord(value) || typeof value['name'] !== 'string' || !isRecord(value['features'])) return false;
  const { chains, features } = value;
  const isSolana = Array.isArray(chains) && chains.some((chain) => SOLANA_CHAIN.test(String(chain)));
  return isSolana && ['standard:connect', ...needed].every((feature) => isRecord(features[feature]));
}
