import { join } from 'node:path';
import { readServiceAddress } from '../../core/http/service-address.ts';
import { microUsdc, parseDecimalUsdc, type MicroUsdc } from '../../core/money.ts';
import { eachNetwork, findNetworkName, NETWORKS, type Network } from '../../core/networks.ts';
import type { Options } from '../terminal/command-line.ts';
import { readPayers, type KeyChoice, type KeyPlaces } from '../keys/own-key.ts';
import type { Chains } from './purse.ts';
import { readKeptSettings } from './kept-settings.ts';
import { badUsage } from '../terminal/stop.ts';
import type { Context } from '../terminal/context.ts';

export type Settings = {
  /** Without a slash at its end. */
  service: string;
  home: string;
  keys: KeyPlaces;
  choice: KeyChoice;
  chains: Chains;
  maxFee: MicroUsdc;
  /** Null: no limit. */
  maxCall: MicroUsdc | null;
  maxDay: MicroUsdc | null;
  isPlay: boolean;
};

const SERVICE = 'http://127.0.0.1:8402';
const MAX_FEE = microUsdc(50_000n);

/** Options first, then the environment, then what `init` has kept, then the defaults. Throws Stop for invalid values. */
export function readSettings(
  options: Options,
  context: Pick<Context, 'environment' | 'userHome' | 'terminal'>,
): Settings {
  const { environment, userHome, terminal } = context;
  const set = (name: string) => environment[`PENNYPOST_${name}`] || null;
  const home = set('HOME') ?? join(userHome, '.pennypost');
  const kept = readKeptSettings(home);
  const payersFile = options.play ?? null;
  const passwordFile = options['password-file'] ?? set('PASSWORD_FILE');
  const solanaRpcUrl =
    options['solana-rpc'] ?? set('SOLANA_RPC_URL') ?? playedSolana(payersFile) ?? kept?.solana_rpc_url ?? null;
  return {
    service: readService(options.url ?? set('URL') ?? kept?.url ?? SERVICE),
    home,
    keys: {
      home,
      terminal,
      passwordFile,
      payersFile,
      environmentKeys: eachNetwork((network) => set(`${network.toUpperCase()}_KEY`)),
    },
    choice: { network: readNetwork(options.network), from: options.from ?? null },
    chains: {
      mode: options.testnet === true ? 'testnet' : 'mainnet',
      solanaRpcUrl: readUrl('solana-rpc', solanaRpcUrl),
    },
    maxFee: readUsdc('max-fee', options['max-fee'] ?? null) ?? MAX_FEE,
    maxCall: readUsdc('max-call', options['max-call'] ?? set('MAX_CALL')),
    maxDay: readUsdc('max-day', options['max-day'] ?? set('MAX_DAY')),
    isPlay: payersFile !== null,
  };
}

/** Throws Stop for what is no address of a service. */
export function readService(text: string): string {
  const read = readServiceAddress(text);
  if ('address' in read) return read.address;
  if (read.fault === 'no_address') {
    throw badUsage(
      'The service is named by its address, such as https://pay.example.com.',
      'Set it with --url or PENNYPOST_URL.',
    );
  }
  throw badUsage('A service elsewhere is asked over https only.', 'Set another address with --url or PENNYPOST_URL.');
}

function readUrl(option: string, text: string | null): string | null {
  if (text === null) return null;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw badUsage(`--${option} must be an address that begins with http:// or https://.`);
}

function readNetwork(text: string | undefined): Network | null {
  if (text === undefined) return null;
  const network = findNetworkName(text);
  if (network === null) throw badUsage(`--network must be ${NETWORKS.join(' or ')}.`);
  return network;
}

function readUsdc(option: string, text: string | null): MicroUsdc | null {
  if (text === null) return null;
  const amount = parseDecimalUsdc(text);
  if (amount === null) throw badUsage(`--${option} must be an amount in USDC, such as 0.5.`);
  return amount;
}

function playedSolana(payersFile: string | null): string | null {
  return payersFile === null ? null : (readPayers(payersFile).rpc.solana ?? null);
}
