import { NETWORK_VARIABLES } from '../../core/config/networks.ts';
import { secondRpcName, signInName, VARIABLES, type VariableName } from '../../core/config/variables.ts';
import type { Variable } from '../../core/config/readers.ts';
import { DEFAULT_NETWORKS, NETWORKS, networkTitle, type Network } from '../../core/networks.ts';
import { OAUTH_PLATFORMS, platformRow, type OauthPlatform } from '../../core/platforms/platforms.ts';
import { platformIdentity } from '../../identity/platforms/platforms.ts';

/** The answers so far, by the names of the settings. */
export type Answers = Readonly<Partial<Record<VariableName, string>>>;

export type Question = {
  name: VariableName;
  /** What is asked, with what helps to answer it. */
  text: string;
  /** Taken for an empty answer. Left out: an empty answer leaves the setting out. */
  preset?: (answers: Answers) => string;
  isRequired?: true;
  /** Left out: it is asked always. */
  when?: (answers: Answers) => boolean;
};

const has =
  (name: VariableName) =>
  (answers: Answers): boolean =>
    answers[name] !== undefined;

function nodeQuestions(network: Network): Question[] {
  const text = `A node of ${networkTitle(network, null)}`;
  const when = ({ NETWORKS = '' }: Answers) => NETWORKS.split(',').includes(network);
  return [
    { name: NETWORK_VARIABLES[network].rpcUrl, text, isRequired: true, when },
    { name: secondRpcName(network), text: `${text} by another provider`, when },
  ];
}

/** The settings without which no name of the platform can be looked up, where it has such. */
const NEEDED = { APP_TOKEN: 'its token for looking names up', LOOKUP_URL: 'where names are looked up' } as const;
const NEEDED_SUFFIXES = Object.keys(NEEDED) as (keyof typeof NEEDED)[];

function signInQuestions(platform: OauthPlatform): Question[] {
  const { title } = platformRow(platform);
  const { needs = [] } = platformIdentity(platform);
  const clientId = signInName(platform, 'CLIENT_ID');
  const wanted = { isRequired: true, when: has(clientId) } as const;
  return [
    { name: clientId, text: `${title}: the client id of the OAuth application` },
    { name: signInName(platform, 'CLIENT_SECRET'), text: `${title}: its client secret`, ...wanted },
    ...NEEDED_SUFFIXES.flatMap((suffix) => {
      const name = signInName(platform, suffix);
      return needs.includes(name) ? [{ name, text: `${title}: ${NEEDED[suffix]}`, ...wanted }] : [];
    }),
  ];
}

/** What an operator knows, in the order in which they are asked. Every one is a flag too: BASE_URL is `--base-url`. */
export const QUESTIONS: readonly Question[] = [
  { name: 'NETWORK_MODE', text: 'testnet or mainnet?', preset: () => 'testnet' },
  {
    name: 'BASE_URL',
    text: 'The https address at which people reach it, such as https://pay.example.com',
    isRequired: true,
  },
  { name: 'TRUSTED_PROXIES', text: 'The addresses of the proxy before it', preset: () => '127.0.0.1' },
  { name: 'OPERATOR_NAME', text: 'Who runs it? It stands on every page', isRequired: true },
  { name: 'SUPPORT_URL', text: 'Where people get help: https://… or mailto:…', isRequired: true },
  { name: 'TERMS_URL', text: 'Your terms: https://…', isRequired: true },
  { name: 'DATABASE_URL', text: 'PostgreSQL, as postgres://USER:PASSWORD@HOST/NAME; empty for SQLite' },
  {
    name: 'BACKUP_DIR',
    text: 'A folder on another disk for copies of SQLite',
    when: (answers) => !has('DATABASE_URL')(answers),
  },
  { name: 'REDIS_URL', text: 'Redis, as redis://… or rediss://…; empty for a private one' },
  { name: 'NETWORKS', text: 'Networks, with commas', preset: () => DEFAULT_NETWORKS.join(',') },
  ...NETWORKS.flatMap(nodeQuestions),
  { name: 'TELEGRAM_TOKEN', text: 'Telegram: the token from @BotFather' },
  { name: 'DISCORD_TOKEN', text: 'Discord: the token of the bot' },
  { name: 'DISCORD_APP_ID', text: 'Discord: the application id', isRequired: true, when: has('DISCORD_TOKEN') },
  ...OAUTH_PLATFORMS.flatMap(signInQuestions),
  { name: 'FARCASTER_HUB_URL', text: 'Farcaster: a hub' },
  { name: 'OPTIMISM_RPC_URL', text: 'Farcaster: a node of Optimism', isRequired: true, when: has('FARCASTER_HUB_URL') },
  { name: 'SMTP_URL', text: 'Mail: smtps://USER:PASSWORD@HOST' },
  { name: 'MAIL_FROM', text: 'Mail: the address it comes from', isRequired: true, when: has('SMTP_URL') },
  { name: 'ALERT_MAIL', text: 'Your mail address for alarms', when: has('SMTP_URL') },
  {
    name: 'ALERT_CHAT',
    text: 'Your own number for alarms in a chat, such as telegram:12345',
    when: (answers) => has('TELEGRAM_TOKEN')(answers) || has('DISCORD_TOKEN')(answers),
  },
  { name: 'METRICS_PORT', text: 'The port for Prometheus, which strangers must not reach' },
  {
    name: 'KEYSTORE',
    text: 'The file for the encrypted keys',
    preset: ({ NETWORK_MODE = '' }) => `./data/${NETWORK_MODE}/keys.json`,
  },
  {
    name: 'KEYSTORE_PASSWORD_FILE',
    text: 'The file with its password; a new one is made where there is none',
    preset: ({ NETWORK_MODE = '' }) => `./data/${NETWORK_MODE}/keystore-password`,
  },
];

export const flagOf = (name: VariableName): string => name.toLowerCase().replaceAll('_', '-');

/** Why an answer is not taken; null: it is. Local mode needs no setup. */
export function refusalOf(name: VariableName, answer: string): string | null {
  const variable: Variable<unknown> = VARIABLES[name];
  if (name === 'NETWORK_MODE' && answer === 'local') return 'local mode needs no setup: run npm start';
  return variable.read(answer) === undefined ? `allowed: ${variable.allowed}` : null;
}
