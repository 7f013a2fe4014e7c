/** Everything around an installation: chains that pass for the test networks, platforms, mail, names, and both chats. */
import { randomBytes } from 'node:crypto';
import { createWalletClient, defineChain, encodeFunctionData, http, parseAbi, type Address } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { evmProfile } from '../../chain/evm/rpc/profile.ts';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { OAUTH_PLATFORMS, type OauthPlatform } from '../../core/platforms/platforms.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { localUserId } from '../../local/identity.ts';
import { startDnsServer, type DnsReply, type DnsType } from '../../local/identity/name-server.ts';
import { startIdentityStandIns } from '../../local/identity/platforms/stand-ins.ts';
import { callRpc } from '../../local/processes/rpc.ts';
import { startDiscord } from '../fakes/discord/server.ts';
import { startFakeTelegram } from '../fakes/telegram/start.ts';
import { startGithubStandIn, startInstagramStandIn, startXStandIn } from '../identity/stand-ins.ts';
import { startTestBase, startTestSolana } from '../support/chains/test-networks.ts';
import { startStrangers, STRANGERS_PORT, type Tls } from './tls.ts';

export const OWN_NAME = 'pay.example.com';
export const BASE_URL = `https://${OWN_NAME}`;
const SIGN_IN_HOSTS = { x: 'x.example.com', code: 'github.example.com', photo: 'instagram.example.com' } as const;
const RELAY_HOST = 'relay.example.com';
const OPERATOR_HOST = 'operator.example.com';
export const NAMES = [OWN_NAME, ...Object.values(SIGN_IN_HOSTS), RELAY_HOST, OPERATOR_HOST] as const;
/** Their port is another: the proxy of the service takes 443 at every address. */
const at = (host: string): string => `https://${host}:${STRANGERS_PORT}`;
const INSTAGRAM_ACCOUNT = '17841400000000000';
const sepolia = evmProfile('base', 'testnet');
const RICH = microUsdc(10_000_000_000n);

export type Surroundings = Awaited<ReturnType<typeof startSurroundings>>;

export async function startSurroundings(tls: Tls) {
  const bank = privateKeyToAccount(generatePrivateKey());
  const base = await startTestBase({ usdc: [[bank.address, RICH]], eth: [bank.address] });
  const solana = await startTestSolana();
  const standIns = await startIdentityStandIns({
    baseUrl: () => BASE_URL,
    idOf: localUserId,
    random: (count) => new Uint8Array(randomBytes(count)),
    // Asked anew each time: the walk moves its clock.
    now: () => Date.now(),
  });
  const records = new Map<string, string>();
  const names = await startDnsServer((name, type) => answerName(records, name, type));
  const telegram = await startFakeTelegram({ botUsername: 'penny_bot', nowMs: () => Date.now() });
  const discord = await startDiscord({ answerMs: 30_000 });
  const operator = telegram.createUser({ firstName: 'Olga', languageCode: 'en', started: true });
  const { identity } = standIns;
  const targets = OAUTH_PLATFORMS.map((name) => [SIGN_IN_HOSTS[name], originOf(identity[name].authUrl)] as const);
  await startStrangers(tls, new Map([...targets, [RELAY_HOST, identity.farcasterRelayUrl ?? '']]));
  const wallet = createWalletClient({ account: bank, chain: chainOf(base.rpcUrl), transport: http(base.rpcUrl) });
  return {
    base,
    solana,
    telegram,
    discord,
    operator,
    mailsTo: async (address: string): Promise<string> =>
      (await fetch(`${standIns.pages.mailbox}/?address=${encodeURIComponent(address)}`)).text(),
    publish: (host: string, line: string) => void records.set(`_pennypost.${host}`, line),
    sendUsdc: (to: Address, amount: MicroUsdc) =>
      wallet.writeContract({ address: sepolia.usdc, abi: TOKEN, functionName: 'transfer', args: [to, amount] }),
    fundEth: async (address: string, wei: bigint): Promise<void> => {
      const before = BigInt(String(await callRpc(base.rpcUrl, 'eth_getBalance', [address, 'latest'])));
      await callRpc(base.rpcUrl, 'anvil_setBalance', [address, `0x${(before + wei).toString(16)}`]);
    },
    usdcOf: async (address: string): Promise<bigint> => {
      const data = encodeFunctionData({ abi: TOKEN, functionName: 'balanceOf', args: [address as Address] });
      return BigInt(String(await callRpc(base.rpcUrl, 'eth_call', [{ to: sepolia.usdc, data }, 'latest'])));
    },
    /** The chain on Base goes ahead; the one of Solana has the clock of this process. */
    advance: async (seconds: number): Promise<void> => {
      await callRpc(base.rpcUrl, 'evm_increaseTime', [seconds]);
      await callRpc(base.rpcUrl, 'anvil_mine', ['0x50']);
    },
    /** What an operator has from those who run all this, as the settings know it. */
    settings: {
      SUPPORT_URL: `${at(OPERATOR_HOST)}/help`,
      TERMS_URL: `${at(OPERATOR_HOST)}/terms`,
      BASE_RPC_URL: base.rpcUrl,
      SOLANA_RPC_URL: solana.rpcUrl,
      TELEGRAM_TOKEN: telegram.token,
      TELEGRAM_API_URL: telegram.url,
      ALERT_CHAT: `telegram:${operator.id}`,
      DISCORD_TOKEN: discord.token,
      DISCORD_APP_ID: discord.applicationId,
      DISCORD_API_URL: discord.apiUrl,
      FARCASTER_HUB_URL: identity.farcasterHubUrl ?? '',
      FARCASTER_RELAY_URL: at(RELAY_HOST),
      OPTIMISM_RPC_URL: identity.optimismRpcUrl ?? '',
      SMTP_URL: identity.smtpUrl ?? '',
      MAIL_FROM: `pay@${OWN_NAME}`,
      ALERT_MAIL: `olga@${OPERATOR_HOST}`,
      DNS_SERVERS: names.address,
      ...(await signInSettings(identity)),
    },
  };
}

const TOKEN = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
]);

const chainOf = (rpcUrl: string) =>
  defineChain({
    id: sepolia.chainId,
    name: 'the test network',
    nativeCurrency: { name: 'ETH', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });

/** Every name takes mail and is there; what is published stands under it. */
function answerName(records: ReadonlyMap<string, string>, name: string, type: DnsType): DnsReply {
  if (type === 'MX') return ['10 mail.example.com'];
  if (type === 'NS') return ['ns.example.com'];
  const text = type === 'TXT' ? records.get(name) : undefined;
  return text === undefined ? [] : [text];
}

const originOf = (url: string | undefined): string => new URL(url ?? '').origin;

type Identity = Awaited<ReturnType<typeof startIdentityStandIns>>['identity'];
const PREFIX = { x: 'X', code: 'GITHUB', photo: 'INSTAGRAM' } as const satisfies Record<OauthPlatform, string>;

/** The sign-in of each platform by https, and where its names are looked up. */
async function signInSettings(identity: Identity): Promise<Record<string, string>> {
  const find = (platform: OauthPlatform, name: string) => ({
    id: localUserId(parseRecipient(platform, name)),
    username: name,
  });
  const appToken = 'the-token-of-the-application';
  const { clientId = '', clientSecret = '' } = identity.code;
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const [x, github, instagram] = await Promise.all([
    startXStandIn({ appToken, find: (name) => find('x', name) }),
    startGithubStandIn({
      authorizations: [basic],
      find: (login) => ({ id: Number(find('code', login).id), login, type: 'User' }),
    }),
    startInstagramStandIn({ appToken, accountId: INSTAGRAM_ACCOUNT, find: (name) => find('photo', name) }),
  ]);
  const signIns = OAUTH_PLATFORMS.flatMap((platform) => {
    const provider = identity[platform];
    const led = (url = '') => url.replace(originOf(url), at(SIGN_IN_HOSTS[platform]));
    const values = { CLIENT_ID: provider.clientId ?? '', CLIENT_SECRET: provider.clientSecret ?? '' };
    const urls = { AUTH_URL: led(provider.authUrl), TOKEN_URL: led(provider.tokenUrl), ME_URL: led(provider.meUrl) };
    return Object.entries({ ...values, ...urls }).map(([name, value]) => [`${PREFIX[platform]}_${name}`, value]);
  });
  return {
    ...Object.fromEntries(signIns),
    X_APP_TOKEN: appToken,
    X_LOOKUP_URL: `${x.url}/2/users/by/username/{name}`,
    GITHUB_LOOKUP_URL: `${github.url}/users/{name}`,
    INSTAGRAM_APP_TOKEN: appToken,
    INSTAGRAM_LOOKUP_URL: `${instagram.url}/v25.0/${INSTAGRAM_ACCOUNT}`,
  };
}
