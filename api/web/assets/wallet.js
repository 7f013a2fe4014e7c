// A comfort: whoever has a wallet in this browser need not copy an address. Each wallet that announces itself gets a button
// beside the field; it is asked for an address and nothing else. Without one, or without script, the field is all there is.

/**
 * @typedef {{ request: (call: { method: string }) => Promise<unknown> }} EthereumProvider
 * @typedef {{ name: string, chains: readonly string[], features: Record<string, unknown> }} StandardWallet
 * @typedef {{ connect: () => Promise<{ accounts: readonly { address: string }[] }> }} ConnectFeature
 */

/** So many buttons fit beside a field. */
const BUTTONS_MAX = 4;
const NAME_CHARACTERS_MAX = 30;
/** What the Wallet Standard calls every chain of this family. */
const SOLANA_CHAIN = /^solana:/;

/** @type {Map<string, Set<string>>} */
const offered = new Map();

offerEthereum();
offerSolana();

/** EIP-6963; the older way, one object for whichever wallet was first, counts where nobody announces himself. */
function offerEthereum() {
  let isAnnounced = false;
  window.addEventListener('eip6963:announceProvider', (event) => {
    const detail = event instanceof CustomEvent ? /** @type {unknown} */ (event.detail) : null;
    if (!isRecord(detail) || !isRecord(detail['info']) || !isProvider(detail['provider'])) return;
    isAnnounced = true;
    offer('base', detail['info']['name'], accountOf(detail['provider']));
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  const older = /** @type {unknown} */ (Reflect.get(window, 'ethereum'));
  if (!isAnnounced && isProvider(older)) offer('base', 'my wallet', accountOf(older));
}

/**
 * @param {EthereumProvider} provider
 * @returns {() => Promise<unknown>}
 */
function accountOf(provider) {
  return async () => {
    const accounts = await provider.request({ method: 'eth_requestAccounts' });
    return Array.isArray(accounts) ? /** @type {unknown} */ (accounts[0]) : null;
  };
}

/** The Wallet Standard: wallets and pages find each other in either order. */
function offerSolana() {
  const api = Object.freeze({
    /** @param {unknown[]} wallets */
    register: (...wallets) => {
      for (const wallet of wallets) if (isSolanaWallet(wallet)) offer('solana', wallet.name, connect(wallet));
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
 * @returns {() => Promise<unknown>}
 */
function connect(wallet) {
  return async () => {
    const feature = /** @type {ConnectFeature} */ (wallet.features['standard:connect']);
    const { accounts } = await feature.connect();
    return accounts[0]?.address;
  };
}

/**
 * @param {string} network
 * @param {unknown} name
 * @param {() => Promise<unknown>} ask
 */
function offer(network, name, ask) {
  const field = document.getElementById(network);
  const place = document.querySelector(`[data-wallets="${network}"]`);
  if (!(field instanceof HTMLInputElement) || place === null) return;
  const label = String(name).slice(0, NAME_CHARACTERS_MAX);
  const known = offered.get(network) ?? new Set();
  if (known.has(label) || known.size === BUTTONS_MAX) return;
  offered.set(network, known.add(label));
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button quiet small';
  // What a wallet calls itself is text, whatever it holds.
  button.textContent = `Use ${label}`;
  button.addEventListener('click', () => void fill(field, place, ask));
  place.querySelector('.actions')?.append(button);
}

/**
 * @param {HTMLInputElement} field
 * @param {Element} place
 * @param {() => Promise<unknown>} ask
 */
async function fill(field, place, ask) {
  /** @param {string} text */
  const say = (text) => place.querySelector('[role="status"]')?.replaceChildren(text);
  say('Your wallet asks you now.');
  const address = await ask().catch(() => null);
  if (typeof address !== 'string' || address === '') {
    say('Your wallet gave no address. Paste it instead.');
    return;
  }
  field.value = address;
  field.focus();
  say('This is the address of your wallet.');
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
 * @returns {value is EthereumProvider}
 */
function isProvider(value) {
  return isRecord(value) && typeof value['request'] === 'function';
}

/**
 * @param {unknown} value
 * @returns {value is StandardWallet}
 */
function isSolanaWallet(value) {
  if (!isRecord(value) || typeof value['name'] !== 'string' || !isRecord(value['features'])) return false;
  const { chains, features } = value;
  const connects = features['standard:connect'];
  const isSolana = Array.isArray(chains) && chains.some((chain) => SOLANA_CHAIN.test(String(chain)));
  return isSolana && isRecord(connects) && typeof connects['connect'] === 'function';
}
